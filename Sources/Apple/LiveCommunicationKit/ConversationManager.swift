// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// The app's side of its conversations: reports them to the phone, asks for actions, and performs actions through its
/// delegate.
///
/// An app makes one manager and keeps it; it uses either this framework or CallKit (L1). Methods may be called on any
/// thread; the delegate is called on the main queue.
public final class ConversationManager: Sendable {
    private let core: ManagerCore

    /// The configuration that the manager was made with.
    public let configuration: ConversationManager.Configuration

    /// Makes a manager and registers it with the phone; `conversationManagerDidBegin` follows once there is a delegate.
    ///
    /// - Precondition: A phone runs the app.
    public convenience init(configuration: ConversationManager.Configuration) {
        self.init(process: .required(for: "ConversationManager"), configuration: configuration)
    }

    private init(process: AppProcess, configuration: ConversationManager.Configuration) {
        self.configuration = configuration
        core = ManagerCore(process: process)
        core.begin(self, configuration: configuration.boundaryValue)
    }

    deinit {
        core.end(reason: "the conversation manager was released")
    }

    /// Performs actions and hears of conversations; not retained.
    public weak var delegate: (any ConversationManagerDelegate)? {
        get { core.state.withLock { $0.delegate } }
        set { core.setDelegate(newValue) }
    }

    /// The conversations that are not over, oldest first, as the phone last told this process.
    public var conversations: [Conversation] {
        core.state.withLock { $0.conversations }
    }

    /// The actions that are neither fulfilled nor failed: those that wait, and those being performed.
    public var pendingActions: [ConversationAction] {
        core.pendingActions
    }

    /// The pending actions of a class and a conversation; of ``ConversationAction`` itself, those of every class.
    public func pendingConversationActions(
        of conversationActionClass: ConversationAction.Type, for conversation: Conversation
    ) -> [ConversationAction] {
        core.pendingActions.filter { action in
            action.conversationUUID == conversation.uuid
                && (conversationActionClass == ConversationAction.self || type(of: action) == conversationActionClass)
        }
    }

    /// Asks the phone for actions; returns when it has accepted them all, before the first is performed (O1).
    ///
    /// The phone hands the actions themselves to the delegate, one after the other.
    /// - Throws: An `NSError` of the domain `com.apple.CallKit.error.requesttransaction` when the phone refuses (T1).
    public func perform(_ actions: [ConversationAction]) async throws {
        try await core.perform(actions)
    }

    /// Reports an incoming conversation, for the phone to ring; returns when it is shown.
    ///
    /// This is the report that a VoIP push asks for (L3): made before the push method waits for anything, it is in time.
    /// - Throws: An `NSError` of the domain `com.apple.CallKit.error.incomingcall` when the phone shows nothing; the app
    ///   drops the conversation (I1).
    public func reportNewIncomingConversation(uuid: UUID, update: Conversation.Update) async throws {
        try await core.report(uuid, update: update.boundaryValue)
    }

    /// Reports what happened to a conversation; one that the phone does not know, or not any more, is ignored (E2).
    public func reportConversationEvent(_ event: Conversation.Event, for conversation: Conversation) {
        core.report(event, of: conversation.uuid)
    }

    /// Ends the manager: its conversations end as failed, its actions fail, and its delegate hears nothing more (L2).
    public func invalidate() {
        core.end(reason: "the conversation manager was invalidated")
    }

    /// Hands a VoIP push to the app from a notification service extension (K12).
    ///
    /// The phone then launches or wakes the app, whose push registry gets the payload, and which must report a
    /// conversation.
    /// - Throws: An `NSError` of the domain `com.apple.CallKit.error.notificationserviceextension`: 1 when the caller is no
    ///   such extension, 2 when it lacks `com.apple.developer.usernotifications.filtering`, 0 when the payload is neither
    ///   JSON nor a property list.
    public class func reportNewIncomingVoIPPushPayload(_ payload: [AnyHashable: Any]) async throws {
        let domain = "com.apple.CallKit.error.notificationserviceextension"
        guard let process = AppProcess.current else { throw NSError(domain: domain, code: 1) }
        guard let payload = PayloadCoding.data(of: payload) else { throw NSError(domain: domain, code: 0) }
        try await process.request { .reportVoIPPushPayload(payload: payload, report: $0) }
    }
}
