// SPDX-License-Identifier: MIT

import AVFAudio
import Dispatch
import Foundation
import VirtualPhone

/// A provider's end of the boundary: turns the phone's events into calls of the delegate.
final class ProviderCore: Sendable {
    struct State {
        weak var provider: CXProvider?
        weak var delegate: (any CXProviderDelegate)?
        /// A delegate was set, and not cleared since.
        var hasDelegate = false
        var queue: DispatchQueue
        var configuration: CXProviderConfiguration
        var pending: [CXTransaction] = []
        var hasEnded = false
    }

    let process: AppProcess
    let id = UUID()
    let state: Locked<State>
    /// Runs completions while there is no delegate (R26).
    private let ownQueue = DispatchQueue(label: "CXProvider")

    init(process: AppProcess, configuration: CXProviderConfiguration) {
        self.process = process
        state = Locked(State(queue: ownQueue, configuration: configuration))
    }

    /// Where the delegate and completions run.
    var queue: DispatchQueue {
        state.withLock { $0.queue }
    }

    // MARK: - From the provider

    func begin(_ provider: CXProvider) {
        state.withLock { $0.provider = provider }
        attach(queue: ownQueue)
        let configuration = state.withLock { $0.configuration.boundaryValue }
        process.send(.createProvider(provider: id, configuration: configuration))
    }

    func setDelegate(_ delegate: (any CXProviderDelegate)?, queue: DispatchQueue?) {
        let queue = delegate == nil ? ownQueue : queue ?? .main
        let hasEnded = state.withLock { state in
            state.delegate = delegate
            state.hasDelegate = delegate != nil
            state.queue = queue
            return state.hasEnded
        }
        guard !hasEnded else { return }
        attach(queue: queue)
        process.send(.setProviderDelegate(provider: id, present: delegate != nil))
    }

    func configure(_ configuration: CXProviderConfiguration) {
        state.withLock { $0.configuration = configuration }
        process.send(.configureProvider(provider: id, configuration: configuration.boundaryValue))
    }

    func report(_ call: UUID, _ update: CallUpdateValue, _ report: UUID) -> AppRequest {
        .reportNewIncomingCall(provider: id, call: call, update: update, report: report)
    }

    /// Invalidated, or deallocated without it: the phone drops the provider (P3).
    func end(isReleased: Bool = false) {
        let endedBefore = state.withLock { state in
            defer { state.hasEnded = true }
            state.pending = []
            return state.hasEnded
        }
        guard !endedBefore else { return }
        process.detach(id)
        process.send(isReleased ? .releaseProvider(provider: id) : .invalidateProvider(provider: id))
    }

    var pendingTransactions: [CXTransaction] {
        state.withLock { state in
            state.pending.removeAll(where: \.isComplete)
            return state.pending
        }
    }

    private func attach(queue: DispatchQueue) {
        process.attach(id, queue: queue) { [self] event in handle(event) }
    }

    // MARK: - From the phone

    private func handle(_ event: PhoneEvent) {
        let (provider, delegate) = state.withLock { ($0.provider, $0.delegate) }
        guard let provider else { return }
        if delegate == nil { delegateIsMissing(for: event) }
        switch event {
        case .providerDidBegin:
            delegate?.providerDidBegin(provider)
        case .providerDidReset:
            state.withLock { $0.pending = [] }
            delegate?.providerDidReset(provider)
        case .executeTransaction(_, let value):
            let transaction = receive(value)
            let handled = delegate?.provider(provider, execute: transaction) ?? false
            process.send(.transactionExecuted(transaction: value.uuid, handled: handled))
        case .performAction(_, let value):
            perform(
                pendingAction(value.uuid) ?? receive(TransactionValue(actions: [value])).actions.first, provider,
                delegate)
        case .actionTimedOut(_, let action):
            guard let action = pendingAction(action) else { return }
            action.markComplete()
            call(
                "provider(_:timedOutPerforming:)", of: delegate,
                without: "it never learns that an action failed, such as the answer of a call that ends now"
            ) { $0.provider(provider, timedOutPerforming: action) }
        case .audioSessionActivated:
            call(
                "provider(_:didActivate:)", of: delegate,
                without: "it never learns when audio may run, so the call is silent"
            ) { $0.provider(provider, didActivate: .session(of: process)) }
        case .audioSessionDeactivated:
            call(
                "provider(_:didDeactivate:)", of: delegate,
                without: "it never learns when audio must stop, as when the call is held"
            ) { $0.provider(provider, didDeactivate: .session(of: process)) }
        case .reportCompleted, .requestCompleted, .callChanged, .conversationChanged, .pushCredentials,
            .pushTokenInvalidated, .push,
            .application, .audioSession, .directory:
            break  // Not a provider's.
        }
    }

    private func perform(_ action: CXAction?, _ provider: CXProvider, _ delegate: (any CXProviderDelegate)?) {
        guard let action, let delegate else { return }
        guard !action.perform(on: delegate, provider: provider) else { return }
        action.markComplete()
        process.send(
            .actionNotImplemented(action: action.uuid, method: "provider(_:perform:) with \(type(of: action))"))
    }

    /// Calls an optional method; the phone warns when the delegate has only the default (T11).
    private func call(
        _ method: String, of delegate: (any CXProviderDelegate)?, without consequence: String,
        _ body: (any CXProviderDelegate) -> Void
    ) {
        guard let delegate, !DelegateProbe.call(method, of: delegate, { body(delegate) }) else { return }
        process.send(.delegateMethodMissing(provider: id, method: method, consequence: consequence))
    }

    /// The phone sends events to a delegate; one that is gone was released, because nobody but the app keeps it (P1).
    private func delegateIsMissing(for event: PhoneEvent) {
        guard state.withLock({ $0.hasDelegate }) else { return }
        state.withLock { $0.hasDelegate = false }
        process.send(.providerDelegateReleased(provider: id))
    }

    private func receive(_ value: TransactionValue) -> CXTransaction {
        let transaction = CXTransaction(
            uuid: value.uuid, actions: value.actions.map { CXAction.received($0, performer: self) })
        state.withLock { state in
            state.pending.removeAll(where: \.isComplete)
            state.pending.append(transaction)
        }
        return transaction
    }

    /// The incomplete action that the delegate was or will be given.
    private func pendingAction(_ uuid: UUID) -> CXAction? {
        state.withLock { $0.pending }.lazy.flatMap(\.actions).first { $0.uuid == uuid && !$0.isComplete }
    }
}
