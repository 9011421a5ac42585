// SPDX-License-Identifier: MIT

import Foundation
import LiveCommunicationKit
import PushKit

/// The sample of docs/livecommunicationkit.md, whole.
final class SampleCalls: NSObject, ConversationManagerDelegate, PKPushRegistryDelegate {
    let manager = ConversationManager(
        configuration: .init(
            ringtoneName: nil, iconTemplateImageData: nil, maximumConversationGroups: 1,
            maximumConversationsPerConversationGroup: 1, includesConversationInRecents: true, supportsVideo: false,
            supportedHandleTypes: [.phoneNumber]))
    let registry = PKPushRegistry(queue: .main)

    override init() {
        super.init()
        manager.delegate = self
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload, metadata: PKVoIPPushMetadata
    ) async {
        let caller = Handle(type: .phoneNumber, value: "+15550100", displayName: "Alice")
        let update = Conversation.Update(members: [caller], capabilities: [.pausing])
        try? await manager.reportNewIncomingConversation(uuid: UUID(), update: update)
    }

    func conversationManager(_ manager: ConversationManager, perform action: ConversationAction) {
        let conversation = manager.conversations.first { $0.uuid == action.conversationUUID }
        switch (action, conversation) {
        case (let join as JoinConversationAction, let conversation?):
            manager.reportConversationEvent(.conversationStartedConnecting(.now), for: conversation)
            // Set up media here; capture in didActivate.
            manager.reportConversationEvent(.conversationConnected(.now), for: conversation)
            join.fulfill(dateConnected: .now)
        case (let end as EndConversationAction, _): end.fulfill(dateEnded: .now)
        default: action.fail()
        }
    }

    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {}
    func conversationManagerDidBegin(_ manager: ConversationManager) {}
    func conversationManagerDidReset(_ manager: ConversationManager) {}
    func conversationManager(_ manager: ConversationManager, conversationChanged conversation: Conversation) {}
    func conversationManager(_ manager: ConversationManager, timedOutPerforming action: ConversationAction) {}
    func conversationManager(_ manager: ConversationManager, didActivate audioSession: AVAudioSession) {}
    func conversationManager(_ manager: ConversationManager, didDeactivate audioSession: AVAudioSession) {}
}
