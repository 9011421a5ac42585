// SPDX-License-Identifier: MIT

import Foundation

// I1-I8, K6: reports of incoming calls.
extension PhoneCore {
    mutating func reportIncoming(
        _ call: UUID, update: CallUpdateValue, report: UUID, provider id: UUID, process: UUID
    ) {
        guard let record = processes[process] else { return }
        let bundle = record.bundle
        log(.app, "reported an incoming call", rule: "I1", call: call, app: bundle)
        let provider = record.providers.first { $0.id == id }
        if let provider, !provider.hasDelegate {
            violate(
                "R15", "a call was reported before the provider had a delegate",
                advice: "Call setDelegate(_:queue:) right after creating the CXProvider.", app: bundle, call: call)
        }
        if let error = refusal(of: call, update: update, provider: provider, bundle: bundle) {
            markReported(bundle, failed: true)
            log(.phone, "refused the call: \(error.domain) \(error.code)", rule: "I2", call: call, app: bundle)
            deliver(.reportCompleted(report: report, error: error), to: process)
            if error == PhoneErrors.missingVoIPMode { deny(id, of: process) }
            return
        }
        markReported(bundle, failed: false)
        var new = CallRecord(
            uuid: call, bundle: bundle, provider: id, isOutgoing: false, phase: .ringing, group: random.uuid(),
            createdAt: now, ringDeadline: settings.ringLimit.map { date(after: $0) },
            includesInRecents: provider?.configuration.includesCallsInRecents ?? true)
        new.merge(update)
        calls.append(new)
        log(.phone, "rings", rule: "I1", call: call, app: bundle)
        deliver(.reportCompleted(report: report, error: nil), to: process)
        notifyObservers(new.value)
    }

    /// Why a report is refused; nil when it is taken.
    private mutating func refusal(
        of call: UUID, update: CallUpdateValue, provider: ProcessRecord.Provider?, bundle: String
    ) -> PhoneError? {
        if let code = nextReportFailure {
            nextReportFailure = nil
            return PhoneErrors.incoming(code)
        }
        guard let provider, !provider.isForgotten else {
            violate(
                "I2", "a call was reported by a provider that the system does not know",
                advice: "Keep the CXProvider alive; after invalidate() or a reset create a new one.",
                app: bundle, call: call)
            return PhoneErrors.incoming(0)
        }
        if settings.requiresVoIPBackgroundMode, apps[bundle]?.app.backgroundModes.contains(.voip) != true {
            violate(
                "I5", "the app has no voip background mode, so no call can be shown",
                advice: "Add voip to UIBackgroundModes.", app: bundle, call: call)
            return PhoneErrors.missingVoIPMode
        }
        if callIndex(call) != nil { return PhoneErrors.incoming(2) }
        if let handle = update.remoteHandle, blockList.contains(handle) { return PhoneErrors.incoming(4) }
        if doNotDisturb, !(update.remoteHandle.map(doNotDisturbExceptions.contains) ?? false) {
            return PhoneErrors.incoming(3)
        }
        let groups = liveGroups(of: bundle)
        if settings.refusesReportAboveMaximumGroups, groups >= provider.configuration.maximumCallGroups {
            return PhoneErrors.incoming(0)
        }
        return nil
    }

    /// T5: every live group of the app counts, ringing and left-over calls too.
    func liveGroups(of bundle: String) -> Int {
        Set(calls.filter { $0.bundle == bundle }.map(\.group)).count
    }

    /// I7: fields that are not set change nothing.
    mutating func reportUpdated(_ call: UUID, update: CallUpdateValue, provider: UUID, process: UUID) {
        guard let index = callIndex(call), speaks(process, for: calls[index]) else { return }
        calls[index].merge(update)
        log(.app, "updated the call", rule: "I7", call: call, app: calls[index].bundle)
    }

    /// E2: the call ends in the system, and no action comes back.
    mutating func reportEnded(_ call: UUID, date: Date?, reason: Int, provider: UUID, process: UUID) {
        guard let index = callIndex(call), speaks(process, for: calls[index]) else { return }
        let record = calls[index]
        let name = PhoneCore.reasonNames[reason] ?? "unknown reason \(reason)"
        log(.app, "reported the call ended: \(name)", rule: "E2", call: call, app: record.bundle)
        if PhoneCore.reasonNames[reason] == nil {
            violate(
                "E3", "a call was reported ended with reason \(reason), which does not exist",
                advice: "Use a case of CXCallEndedReason.", app: record.bundle, call: call)
        }
        finish(call, outcome: recentOutcome(of: record, reason: reason), endedAt: date ?? now)
    }

    /// I6: the system ends a call that nobody answers, by an end action.
    mutating func ringTimedOut(_ call: UUID) {
        guard let index = callIndex(call) else { return }
        calls[index].ringDeadline = nil
        guard calls[index].phase == .ringing, !calls[index].isEnding else { return }
        log(.phone, "rang too long", rule: "I6", call: call, app: calls[index].bundle)
        endThroughAction(call, origin: .phone)
    }

    /// Whether a process may speak for a call: it belongs to its app.
    func speaks(_ process: UUID, for call: CallRecord) -> Bool {
        processes[process]?.bundle == call.bundle
    }

    /// CXCallEndedReason (E3).
    static let reasonNames = [
        1: "failed", 2: "remoteEnded", 3: "unanswered", 4: "answeredElsewhere", 5: "declinedElsewhere",
    ]
}
