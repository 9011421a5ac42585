// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import VirtualPhone

/// A calling app written with the boundary's messages alone, so that the phone is tested without the frameworks.
final class RawApp: Sendable {
    /// What the app does; a test changes it to make mistakes.
    struct Behavior: Sendable {
        enum Reporting: Sendable { case insideCallback, afterCallback, never }
        enum Completing: Sendable { case fulfills, fails, never, twice }
        var hasRegistry = true
        var hasProvider = true
        var setsDelegate = true
        var reporting = Reporting.insideCallback
        var pushCompletions = 1
        var blocksPush = false
        var call = Calls.first
        var update = Calls.update
        var completes: [String: Completing] = [:]
        var executes = false
        var implements = true
        var configuration = ProviderConfigurationValue()
        var reportsOutgoing = true
        var audioOnActivation = true
        var stopsAudio = true
    }

    /// Outlives the processes of one app: its behavior, and what the processes saw.
    final class Probe: Sendable {
        private struct State {
            var behavior: Behavior
            var events: [String] = []
            var pending: [ActionValue] = []
            var app: RawApp?
            var replies: [AppReply] = []
        }
        private let state: Locked<State>

        init(_ behavior: Behavior = Behavior()) {
            state = Locked(State(behavior: behavior))
        }

        var behavior: Behavior {
            get { state.withLock { $0.behavior } }
            set { state.withLock { $0.behavior = newValue } }
        }
        var events: [String] { state.withLock { $0.events } }
        /// The actions that were performed and not completed.
        var pending: [ActionValue] { state.withLock { $0.pending } }
        /// The newest process's app.
        var app: RawApp? { state.withLock { $0.app } }

        func saw(_ event: String) { state.withLock { $0.events.append(event) } }
        func holds(_ action: ActionValue) { state.withLock { $0.pending.append(action) } }
        func started(_ app: RawApp) { state.withLock { $0.app = app } }
        func forgetEvents() { state.withLock { $0.events = [] } }
    }

    let process: AppProcess
    let probe: Probe
    let provider = UUID()
    let registry = UUID()
    let observer = UUID()
    let queue = DispatchQueue(label: "raw app")

    init?(probe: Probe) {
        guard let process = AppProcess.current else { return nil }
        self.process = process
        self.probe = probe
        let behavior = probe.behavior
        process.attach(observer, queue: queue) { [probe] in probe.saw(RawApp.describe($0)) }
        process.send(.observeCalls(observer: observer))
        if behavior.hasProvider {
            process.attach(provider, queue: queue) { [weak self] in self?.receive($0) }
            process.send(.createProvider(provider: provider, configuration: behavior.configuration))
            if behavior.setsDelegate { process.send(.setProviderDelegate(provider: provider, present: true)) }
        }
        if behavior.hasRegistry {
            process.attach(registry, queue: queue) { [weak self] in self?.receive($0) }
            process.send(.setDesiredPushTypes(registry: registry, types: ["PKPushTypeVoIP"]))
        }
        probe.started(self)
    }

    private func receive(_ event: PhoneEvent) {
        probe.saw(RawApp.describe(event))
        let behavior = probe.behavior
        switch event {
        case .push(_, let push): received(push, behavior: behavior)
        case .executeTransaction(_, let transaction):
            process.send(.transactionExecuted(transaction: transaction.uuid, handled: behavior.executes))
            if behavior.executes { for action in transaction.actions { perform(action, behavior: behavior) } }
        case .performAction(_, let action): perform(action, behavior: behavior)
        case .audioSessionActivated: if behavior.audioOnActivation { process.send(.setAudioRunning(running: true)) }
        case .audioSessionDeactivated: if behavior.stopsAudio { process.send(.setAudioRunning(running: false)) }
        case .providerDidBegin, .providerDidReset, .reportCompleted, .actionTimedOut, .requestCompleted, .callChanged,
            .conversationChanged,
            .pushCredentials, .pushTokenInvalidated, .application, .audioSession, .directory:
            break
        }
    }

    private func received(_ push: PushValue, behavior: Behavior) {
        if behavior.blocksPush { return }
        switch behavior.reporting {
        case .insideCallback: report(behavior.call, update: behavior.update)
        case .afterCallback: queue.async { self.report(behavior.call, update: behavior.update) }
        case .never: break
        }
        for _ in 0..<behavior.pushCompletions { process.send(.pushCompleted(push: push.id)) }
        process.send(.pushHandlerReturned(push: push.id))
    }

    func report(_ call: UUID, update: CallUpdateValue = Calls.update) {
        let report = UUID()
        process.attach(report, queue: queue) { [probe, process] event in
            probe.saw(RawApp.describe(event))
            process.detach(report)
        }
        process.send(.reportNewIncomingCall(provider: provider, call: call, update: update, report: report))
    }

    func perform(_ action: ActionValue, behavior: Behavior) {
        guard behavior.implements else {
            process.send(.actionNotImplemented(action: action.uuid, method: "provider(_:perform:)"))
            return
        }
        if case .start = action.kind, let call = action.call, behavior.reportsOutgoing {
            process.send(.reportOutgoingCallStartedConnecting(provider: provider, call: call, date: nil))
        }
        switch behavior.completes[RawApp.name(action)] ?? .fulfills {
        case .fulfills: process.send(.actionFulfilled(action: action.uuid, date: nil))
        case .fails: process.send(.actionFailed(action: action.uuid))
        case .twice:
            process.send(.actionFulfilled(action: action.uuid, date: nil))
            process.send(.actionFulfilled(action: action.uuid, date: nil))
        case .never: probe.holds(action)
        }
    }

    /// Asks for a transaction, with Apple's deadlines (T6).
    func request(_ kinds: [(UUID?, ActionValue.Kind)]) {
        request(TransactionValue(actions: kinds.map { action($0.1, $0.0) }))
    }

    /// An action made now, with Apple's deadline (T6).
    func action(_ kind: ActionValue.Kind, _ call: UUID?) -> ActionValue {
        var limit = 5.0
        if case .start = kind { limit = 600 }
        if case .answer = kind { limit = 60 }
        return ActionValue(call: call, kind: kind, timeoutDate: process.now.addingTimeInterval(limit))
    }

    func request(_ transaction: TransactionValue) {
        let request = UUID()
        process.attach(request, queue: DispatchQueue(label: "controller")) { [probe, process] event in
            probe.saw(RawApp.describe(event))
            process.detach(request)
        }
        process.send(.requestTransaction(request: request, transaction: transaction))
    }

    /// Tells the phone more about a call.
    func update(_ call: UUID, _ change: (inout CallUpdateValue) -> Void) {
        var update = CallUpdateValue()
        change(&update)
        process.send(.reportCallUpdated(provider: provider, call: call, update: update))
    }

    /// Tells the phone that a call can be put together with others, and taken out again.
    func supportsGroups(_ call: UUID) {
        update(call) {
            $0.supportsGrouping = true
            $0.supportsUngrouping = true
            $0.supportsHolding = true
        }
    }

    func connected(_ call: UUID) {
        process.send(.reportOutgoingCallConnected(provider: provider, call: call, date: nil))
    }

    func end(_ call: UUID, reason: Int) {
        process.send(.reportCallEnded(provider: provider, call: call, date: nil, reason: reason))
    }

    static func name(_ action: ActionValue) -> String {
        switch action.kind {
        case .start: return "start"
        case .answer: return "answer"
        case .end: return "end"
        case .setHeld(let isOnHold): return isOnHold ? "hold" : "unhold"
        case .setMuted(let isMuted): return isMuted ? "mute" : "unmute"
        case .setGroup: return "group"
        case .playDTMF(let digits, let type): return "tone \(digits)" + ([2, 3].contains(type) ? " (\(type))" : "")
        case .setTranslating: return "translate"
        case .other: return "other"
        }
    }

    static func describe(_ event: PhoneEvent) -> String {
        switch event {
        case .providerDidBegin: return "begin"
        case .providerDidReset: return "reset"
        case .reportCompleted(_, let error): return error.map { "report error \($0.code)" } ?? "report nil"
        case .executeTransaction(_, let transaction):
            return "execute " + transaction.actions.map(name).joined(separator: "+")
        case .performAction(_, let action): return "perform \(name(action))"
        case .actionTimedOut: return "timed out"
        case .audioSessionActivated: return "didActivate"
        case .audioSessionDeactivated: return "didDeactivate"
        case .requestCompleted(_, let error): return error.map { "request error \($0.code)" } ?? "request nil"
        case .conversationChanged(_, let conversation): return "conversation \(conversation.state.rawValue)"
        case .callChanged(_, let call):
            if call.hasEnded { return "observer ended" }
            if call.isOnHold { return "observer held" }
            if call.hasConnected { return "observer connected" }
            return call.isOutgoing ? "observer outgoing" : "observer ringing"
        case .pushCredentials: return "token"
        case .pushTokenInvalidated: return "token dead"
        case .push(_, let push):
            switch push.mustReport {
            case nil: return "push"
            case true?: return "push mustReport"
            case false?: return "push mayReport"
            }
        case .application: return "application"
        case .audioSession: return "audio session"
        case .directory: return "directory"
        }
    }
}

/// The calls that tests speak of.
enum Calls {
    static let first = UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1))
    static let second = UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 2))
    static let third = UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 3))
    static let alice = HandleValue(type: 1, value: "alice")

    static var update: CallUpdateValue {
        var update = CallUpdateValue()
        update.remoteHandle = alice
        update.localizedCallerName = "Alice"
        update.supportsHolding = true
        update.supportsDTMF = true
        return update
    }
}
