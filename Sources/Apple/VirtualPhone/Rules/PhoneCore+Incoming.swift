// SPDX-License-Identifier: MIT

import Foundation

// I1-I8, K6: reports of incoming calls.
extension PhoneCore {
    /// The app called reportNewIncomingCall: that answers for its pushes, whenever the daemon looks at it (K3).
    mutating func noteReport(of call: UUID, provider id: UUID, process: UUID) {
        guard let record = processes[process] else { return }
        log(.app, "reported an incoming call", rule: "I1", call: call, app: record.bundle)
        if let provider = record.providers.first(where: { $0.id == id }), !provider.hasDelegate {
            violate(
                "R15", "a call was reported before the provider had a delegate",
                advice: "Call setDelegate(_:queue:) right after creating the CXProvider.", app: record.bundle,
                call: call)
        }
        if settings.failedReportCounts { markReported(record.bundle, failed: false) }
    }

    mutating func reportIncoming(
        _ call: UUID, update: CallUpdateValue, report: UUID, provider id: UUID, process: UUID
    ) {
        guard let record = processes[process] else { return }
        let bundle = record.bundle
        let provider = record.providers.first { $0.id == id }
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
            createdAt: now, ringDeadline: ringLimit.map { date(after: $0) },
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
        if let code = faults.nextReportFailure {
            faults.nextReportFailure = nil
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
        if knows(call) { return PhoneErrors.incoming(2) }
        if isBlocked(update.remoteHandle, caller: .voip) { return PhoneErrors.incoming(4) }
        if isSilenced(update.remoteHandle) {
            return PhoneErrors.incoming(3)
        }
        let groups = liveGroups(of: bundle)
        if settings.refusesReportAboveMaximumGroups, groups >= provider.configuration.maximumCallGroups {
            return PhoneErrors.incoming(0)
        }
        return nil
    }

    /// I7: fields that are not set change nothing.
    mutating func reportUpdated(_ call: UUID, update: CallUpdateValue, provider: UUID, process: UUID) {
        guard let index = index(of: call, for: provider, of: process) else {
            return reportedInVain(call, provider: provider, process: process)
        }
        calls[index].merge(update)
        log(.app, "updated the call", rule: "I7", call: call, app: calls[index].bundle)
    }

    /// E2: the call ends in the system, and no action comes back.
    mutating func reportEnded(_ call: UUID, date: Date?, reason: Int, provider: UUID, process: UUID) {
        guard let index = index(of: call, for: provider, of: process) else {
            return reportedInVain(call, provider: provider, process: process)
        }
        let record = calls[index]
        let name = PhoneCore.reasonNames[reason] ?? "unknown reason \(reason)"
        log(.app, "reported the call ended: \(name)", rule: "E2", call: call, app: record.bundle)
        if PhoneCore.reasonNames[reason] == nil {
            violate(
                "E3", "a call was reported ended with reason \(reason), which does not exist",
                advice: "Use a case of CXCallEndedReason.", app: record.bundle, call: call)
        }
        finish(call, outcome: recentOutcome(of: record, reason: reason), endedAt: sensible(date, of: record))
        endedFromAfar(record)
    }

    /// I6: the system ends a call that nobody answers, by an end action.
    mutating func ringTimedOut(_ call: UUID) {
        guard let index = callIndex(call) else { return }
        calls[index].ringDeadline = nil
        guard calls[index].phase == .ringing, !calls[index].isEnding else { return }
        log(.phone, "rang too long", rule: "I6", call: call, app: calls[index].bundle)
        // An app that did not end it when it was asked is not asked again.
        if calls[index].line.refusesEnd {
            finish(call, outcome: recentOutcome(ofEnded: calls[index]), rule: "I6")
        } else {
            endThroughAction(call, origin: .phone)
        }
    }

    /// The call that a provider may speak of; reports about others change nothing (E2, P16).
    ///
    /// A call belongs to its provider; to the app's newest one when its own died with its process (T5).
    func index(of call: UUID, for provider: UUID, of process: UUID) -> Int? {
        guard let index = callIndex(call), let record = processes[process], record.bundle == calls[index].bundle
        else { return nil }
        let isOwn = calls[index].provider == provider || !record.has(calls[index].provider)
        return isOwn || !settings.callsBelongToTheirProvider ? index : nil
    }

    /// Says why a report about a call changed nothing, which an iPhone keeps to itself (E2, P16).
    mutating func reportedInVain(_ call: UUID, provider: UUID, process: UUID) {
        guard let bundle = processes[process]?.bundle else { return }
        if let other = callIndex(call), calls[other].bundle == bundle {
            warn(
                "R15", "a call was reported by another provider than its own, so nothing happened",
                advice: "Keep one CXProvider for the app's life: a call belongs to the provider that reported it.",
                app: bundle, call: call)
        } else {
            warn(
                "E2", "a report about a call that the system does not have: nothing happened",
                advice: "Report a call's end once, under the UUID it was reported with, after its report succeeded.",
                app: bundle, call: call)
        }
    }

    /// Whether a date is one: every comparison with one that is no number is true or false by chance.
    static func isSensible(_ date: Date) -> Bool {
        date.timeIntervalSinceReferenceDate.isFinite && date >= .distantPast && date <= .distantFuture
    }

    /// A date that an app gives: now when there is none, or when it cannot be (R41).
    mutating func sensible(_ date: Date?, of call: CallRecord) -> Date {
        guard let date else { return now }
        if PhoneCore.isSensible(date) { return date }
        warn(
            "R41", "a date that is none was given, so now is taken", advice: "Give the moment it happened, or nil.",
            app: call.bundle, call: call.uuid)
        return now
    }

    /// CXCallEndedReason (E3).
    static let reasonNames = [
        1: "failed", 2: "remoteEnded", 3: "unanswered", 4: "answeredElsewhere", 5: "declinedElsewhere",
    ]
}
