// SPDX-License-Identifier: MIT

public import AVFAudio

/// Performs what the user and the app ask for, and hears of conversations.
///
/// Called on the main queue. All methods are required, as Apple's are; only the weak reference of the manager keeps
/// track of the delegate.
public protocol ConversationManagerDelegate: AnyObject {
    /// The manager is ready (P1).
    func conversationManagerDidBegin(_ manager: ConversationManager)
    /// The phone lost the manager's conversations: the app drops them all without completing actions (P2).
    func conversationManagerDidReset(_ manager: ConversationManager)
    /// A conversation appeared, or its state or local member changed, or it is over.
    func conversationManager(_ manager: ConversationManager, conversationChanged conversation: Conversation)
    /// An action is to be performed: the delegate fulfills or fails it before its ``ConversationAction/timeoutDate``.
    func conversationManager(_ manager: ConversationManager, perform action: ConversationAction)
    /// An action was not completed in time; it has failed already and must not be completed (T8).
    func conversationManager(_ manager: ConversationManager, timedOutPerforming action: ConversationAction)
    /// The session of the conversation is active: audio may run now (S1).
    func conversationManager(_ manager: ConversationManager, didActivate audioSession: AVAudioSession)
    /// The audio session is no longer active: audio stops (S2).
    func conversationManager(_ manager: ConversationManager, didDeactivate audioSession: AVAudioSession)
}
