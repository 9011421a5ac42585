// SPDX-License-Identifier: MIT

public import Foundation

/// Everything the phone can tell an app process; delivered to the object it names, on that object's queue.
public enum PhoneEvent: Hashable, Sendable, Codable {
    // To a CXProvider
    /// The provider is ready (P1).
    case providerDidBegin(provider: UUID)
    /// The daemon restarted or the source was denied; all calls are gone (P2).
    case providerDidReset(provider: UUID)
    /// The answer to a report, attached under the id of the report, on the delegate queue (I1, I2).
    case reportCompleted(report: UUID, error: PhoneError?)
    /// Offers the whole transaction to provider(_:execute:) (T9); answered by `transactionExecuted`.
    case executeTransaction(provider: UUID, transaction: TransactionValue)
    /// One action to perform; completed by `actionFulfilled` or `actionFailed`.
    case performAction(provider: UUID, action: ActionValue)
    /// The action passed its deadline and is failed already (T8).
    case actionTimedOut(provider: UUID, action: UUID)
    /// The call session is active: audio may run (S1).
    case audioSessionActivated(provider: UUID)
    /// The call session is no longer active: audio must stop (S2).
    case audioSessionDeactivated(provider: UUID)
    /// A conversation of a ConversationManager appeared, changed or ended (L2).
    case conversationChanged(provider: UUID, conversation: ConversationValue)

    // To a CXCallController or CXCallObserver
    /// The answer to a transaction request (O1, T1).
    case requestCompleted(request: UUID, error: PhoneError?)
    /// A call of the device appeared, connected, changed hold, or ended (C2).
    case callChanged(observer: UUID, call: CallValue)

    // To a PKPushRegistry
    /// The push token (K1).
    case pushCredentials(registry: UUID, type: String, token: Data)
    /// The push token is dead (K2).
    case pushTokenInvalidated(registry: UUID, type: String)
    /// A push arrived. `metadata` is nil before iOS 26.4 (K8).
    case push(registry: UUID, push: PushValue)

    // To the app as a whole
    /// To the application object.
    case application(endpoint: UUID, ApplicationEvent)
    /// To the audio session.
    case audioSession(endpoint: UUID, AudioSessionEvent)
    /// To a Call Directory request or extension context.
    case directory(endpoint: UUID, DirectoryEvent)
}

extension PhoneEvent {
    /// The framework object the event goes to: the id under which it is attached to its ``AppProcess``.
    ///
    /// A provider, a registry or an observer is attached under its own id. A request and a report are attached under
    /// the id they were sent with, before they are sent, and detached after their answer.
    public var endpoint: UUID {
        switch self {
        case .providerDidBegin(let provider), .providerDidReset(let provider),
            .audioSessionActivated(let provider), .audioSessionDeactivated(let provider):
            return provider
        case .executeTransaction(let provider, _), .performAction(let provider, _), .actionTimedOut(let provider, _),
            .conversationChanged(let provider, _):
            return provider
        case .reportCompleted(let report, _): return report
        case .requestCompleted(let request, _): return request
        case .callChanged(let observer, _): return observer
        case .pushCredentials(let registry, _, _), .pushTokenInvalidated(let registry, _), .push(let registry, _):
            return registry
        case .application(let endpoint, _), .audioSession(let endpoint, _), .directory(let endpoint, _):
            return endpoint
        }
    }
}
