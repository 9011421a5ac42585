// SPDX-License-Identifier: MIT

import AVFAudio
import Dispatch
import Foundation
import VirtualPhone

/// A manager's end of the boundary: turns the phone's events into conversations, actions and calls of the delegate.
final class ManagerCore: Sendable {
    struct State {
        weak var manager: ConversationManager?
        weak var delegate: (any ConversationManagerDelegate)?
        /// A delegate was set, and not cleared since.
        var hasDelegate = false
        var conversations: [Conversation] = []
        var pending: [ConversationAction] = []
        var hasEnded = false
    }

    let process: AppProcess
    let id = UUID()
    let state = Locked(State())

    init(process: AppProcess) {
        self.process = process
    }

    // MARK: - From the manager

    func begin(_ manager: ConversationManager, configuration: ProviderConfigurationValue) {
        state.withLock { $0.manager = manager }
        process.attach(id, queue: .main) { [self] event in handle(event) }
        process.send(.createProvider(provider: id, configuration: configuration))
    }

    func setDelegate(_ delegate: (any ConversationManagerDelegate)?) {
        let hasEnded = state.withLock { state in
            state.delegate = delegate
            state.hasDelegate = delegate != nil
            return state.hasEnded
        }
        guard !hasEnded else { return }
        process.send(.setProviderDelegate(provider: id, present: delegate != nil))
    }

    var pendingActions: [ConversationAction] {
        state.withLock { state in
            state.pending.removeAll(where: \.isComplete)
            return state.pending
        }
    }

    func perform(_ actions: [ConversationAction]) async throws {
        guard actions.allSatisfy({ $0.isNew }) else {
            throw NSError(domain: "com.apple.CallKit.error.requesttransaction", code: 6)
        }
        for action in actions { action.hand(to: self) }
        state.withLock { state in
            state.pending.removeAll(where: \.isComplete)
            state.pending += actions
        }
        let transaction = TransactionValue(actions: actions.map(\.boundaryValue), framework: .liveCommunicationKit)
        do {
            try await process.request { .requestTransaction(request: $0, transaction: transaction) }
        } catch {
            for action in actions { action.fail(because: "the phone refused it") }
            throw error
        }
    }

    func report(_ conversation: UUID, update: CallUpdateValue) async throws {
        try await process.request(countsInAsyncCallback: true) { report in
            .reportNewIncomingCall(provider: id, call: conversation, update: update, report: report)
        }
    }

    func report(_ event: Conversation.Event, of conversation: UUID) {
        switch event {
        case .conversationStartedConnecting(let date):
            process.send(.reportOutgoingCallStartedConnecting(provider: id, call: conversation, date: date))
        case .conversationConnected(let date):
            process.send(.reportOutgoingCallConnected(provider: id, call: conversation, date: date))
        case .conversationUpdated(let update):
            process.send(.reportCallUpdated(provider: id, call: conversation, update: update.boundaryValue))
        case .conversationEnded(let date, let reason):
            process.send(.reportCallEnded(provider: id, call: conversation, date: date, reason: reason.rawValue))
        }
    }

    /// Invalidated, or released without it: what the manager has ends, and the phone drops it (P3, L2).
    func end(reason: String) {
        let (endedBefore, conversations, actions) = state.withLock { state in
            defer {
                state.hasEnded = true
                state.conversations = []
                state.pending = []
            }
            return (state.hasEnded, state.conversations, state.pending)
        }
        guard !endedBefore else { return }
        for action in actions { action.fail(because: reason) }
        for conversation in conversations { conversation.contents.withLock { $0.state = .left } }
        process.detach(id)
        process.send(.invalidateProvider(provider: id))
    }

    // MARK: - From the phone

    private func handle(_ event: PhoneEvent) {
        let (manager, delegate) = state.withLock { ($0.manager, $0.delegate) }
        guard let manager else { return }
        if delegate == nil { delegateIsMissing() }
        switch event {
        case .providerDidBegin:
            delegate?.conversationManagerDidBegin(manager)
        case .providerDidReset:
            let actions = state.withLock { state in
                defer { state.pending = [] }
                return state.pending
            }
            for action in actions { action.fail(because: "the conversation manager was reset") }
            delegate?.conversationManagerDidReset(manager)
        case .conversationChanged(_, let value):
            delegate?.conversationManager(manager, conversationChanged: change(value))
        case .executeTransaction(_, let value):
            for action in value.actions { _ = pendingAction(action) }
            process.send(.transactionExecuted(transaction: value.uuid, handled: false))
        case .performAction(_, let value):
            let action = pendingAction(value)
            guard action.start() else { return }
            guard let delegate else { return action.fail() }
            delegate.conversationManager(manager, perform: action)
        case .actionTimedOut(_, let uuid):
            guard let action = pendingActions.first(where: { $0.uuid == uuid }) else { return }
            action.fail(because: "its time was over")
            delegate?.conversationManager(manager, timedOutPerforming: action)
        case .audioSessionActivated:
            delegate?.conversationManager(manager, didActivate: .session(of: process))
        case .audioSessionDeactivated:
            delegate?.conversationManager(manager, didDeactivate: .session(of: process))
        case .reportCompleted, .requestCompleted, .callChanged, .pushCredentials, .pushTokenInvalidated, .push,
            .application, .audioSession, .directory:
            break  // Not a manager's.
        }
    }

    /// The phone sends events to a delegate; one that is gone was released, because nobody but the app keeps it (P1).
    private func delegateIsMissing() {
        let wasSet = state.withLock { state in
            defer { state.hasDelegate = false }
            return state.hasDelegate
        }
        if wasSet { process.send(.providerDelegateReleased(provider: id)) }
    }

    /// The conversation of a value, changed to it; one that is over leaves the list, and its actions fail.
    private func change(_ value: ConversationValue) -> Conversation {
        let (conversation, dropped) = state.withLock { state -> (Conversation, [ConversationAction]) in
            let known = state.conversations.first { $0.uuid == value.uuid }
            let conversation = known ?? Conversation(value)
            conversation.change(to: value)
            guard value.state == .left else {
                if known == nil { state.conversations.append(conversation) }
                return (conversation, [])
            }
            state.conversations.removeAll { $0.uuid == value.uuid }
            let dropped = state.pending.filter { $0.conversationUUID == value.uuid }
            state.pending.removeAll { $0.conversationUUID == value.uuid }
            return (conversation, dropped)
        }
        for action in dropped { action.fail(because: "its conversation is over") }
        return conversation
    }

    /// The pending action of a value: the app's own object for what the app asked for, else a new one.
    private func pendingAction(_ value: ActionValue) -> ConversationAction {
        state.withLock { state in
            state.pending.removeAll(where: \.isComplete)
            if let known = state.pending.first(where: { $0.uuid == value.uuid }) { return known }
            let action = ConversationAction.received(value, performer: self)
            state.pending.append(action)
            return action
        }
    }
}
