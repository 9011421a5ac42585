// SPDX-License-Identifier: MIT

import Foundation

// I1, O1, P2: what becomes of reports and requests while the call daemon is slow, silent, or restarts.
extension PhoneCore {
    /// A connection to the daemon: messages of one keep their order, those of two do not (P17).
    private enum Channel: Hashable {
        case provider, controller
    }

    /// Whether a message waits for the daemon; what the app sees of it then is that nothing happens.
    mutating func keeps(_ request: AppRequest, of process: UUID) -> Bool {
        guard let (channel, isAsked) = PhoneCore.way(of: request) else { return false }
        let queued = faults.kept.last { $0.process == process && PhoneCore.channel(of: $0.request) == channel }
        let isSlow = faults.slowDaemon > .zero || faults.isDaemonSilent
        guard queued?.due != nil || (isSlow && isAsked) else { return false }
        let isSilent = faults.isDaemonSilent && isAsked
        let due = max(date(after: faults.slowDaemon), queued?.due ?? now)
        faults.kept.append(FaultState.KeptRequest(due: isSilent ? nil : due, request: request, process: process))
        if isAsked {
            log(
                .phone, isSilent ? "fault: the call daemon is silent" : "fault: the call daemon is slow",
                rule: channel == .provider ? "I1" : "O1", app: processes[process]?.bundle)
        }
        return true
    }

    /// When the slow daemon looks at the next message.
    var nextKeptRequest: Date? {
        faults.kept.lazy.compactMap(\.due).min()
    }

    mutating func handleKeptRequests() {
        while let index = faults.kept.firstIndex(where: { $0.due.map { $0 <= now } ?? false }) {
            let kept = faults.kept.remove(at: index)
            guard processes[kept.process] != nil else { continue }
            _ = carryOut(kept.request, of: kept.process)
        }
    }

    /// The process died, and its connections with it.
    mutating func dropKeptRequests(of process: UUID) {
        faults.kept.removeAll { $0.process == process }
    }

    /// P2: the connections broke; what waited for an answer gets error 0, when somebody hears of it at all.
    mutating func breakConnections() {
        let kept = faults.kept
        faults.kept = []
        guard settings.restartAnswersKeptRequests else { return }
        for kept in kept {
            switch kept.request {
            case .reportNewIncomingCall(_, _, _, let report):
                deliver(.reportCompleted(report: report, error: PhoneErrors.incoming(0)), to: kept.process)
            case .requestTransaction(let request, _):
                deliver(.requestCompleted(request: request, error: PhoneErrors.request(0)), to: kept.process)
            default: break
            }
        }
    }

    private static func channel(of request: AppRequest) -> Channel? {
        way(of: request)?.channel
    }

    /// How a message goes to the daemon, nil when it does not go there; what is asked waits for a slow daemon, the rest
    /// of its channel only keeps its place behind it.
    private static func way(of request: AppRequest) -> (channel: Channel, isAsked: Bool)? {
        switch request {
        case .reportNewIncomingCall, .reportCallUpdated, .reportCallEnded, .reportOutgoingCallStartedConnecting,
            .reportOutgoingCallConnected:
            return (.provider, isAsked: true)
        case .createProvider, .configureProvider, .setProviderDelegate, .invalidateProvider, .releaseProvider:
            return (.provider, isAsked: false)
        case .requestTransaction: return (.controller, isAsked: true)
        case .providerDelegateReleased, .delegateMethodMissing, .transactionExecuted, .actionFulfilled, .actionFailed,
            .actionNotImplemented, .observeCalls, .stopObservingCalls, .listCalls, .createPushRegistry,
            .setDesiredPushTypes, .releasePushRegistry, .pushToken, .pushHandlerReturned, .pushCompleted,
            .pushNotHandled, .pushCredentialsNotHandled, .reportVoIPPushPayload, .setAudioCategory, .setAudioActive,
            .overrideOutputPort, .readAudioSession, .setAudioRunning, .audioSession, .application, .directory,
            .telephony:
            return nil
        }
    }
}

// P39, I3: calls that are over and still count.
extension PhoneCore {
    mutating func keepClosing(_ call: CallRecord) {
        closingCalls.removeAll { $0.until <= now }
        guard settings.endedCallLingers > .zero else { return }
        closingCalls.append(
            ClosingCall(
                uuid: call.uuid, bundle: call.bundle, group: call.group,
                until: date(after: settings.endedCallLingers)))
    }

    /// Whether the system knows a call, one that it is closing included.
    func knows(_ call: UUID) -> Bool {
        callIndex(call) != nil || closingCalls.contains { $0.uuid == call && $0.until > now }
    }

    /// T5: every live group of the app counts, ringing and left-over calls too; P39: so do calls that are closing.
    func liveGroups(of bundle: String) -> Int {
        let process = apps[bundle]?.process
        var groups: Set<UUID> = []
        for call in calls where call.bundle == bundle {
            if !settings.ringingCallsCount, call.phase == .ringing { continue }
            if !settings.leftOverCallsCount, let process, processes[process]?.has(call.provider) != true { continue }
            groups.insert(call.group)
        }
        for call in closingCalls where call.bundle == bundle && call.until > now { groups.insert(call.group) }
        return groups.count
    }
}

extension ProcessRecord {
    func has(_ provider: UUID) -> Bool {
        providers.contains { $0.id == provider }
    }
}
