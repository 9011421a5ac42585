// SPDX-License-Identifier: MIT

/// LiveCommunicationKit's words for what the phone's rules say in CallKit's (L1).
enum ConversationWords {
    /// Longer words come before those they contain.
    private static let table: [(callKit: String, liveCommunicationKit: String)] = [
        ("CXSetGroupCallAction to leave its group", "UnmergeConversationAction"),
        ("CXSetTranslatingCallAction", "SetTranslatingAction"),
        ("CXPlayDTMFCallAction", "PlayToneAction"),
        ("CXSetGroupCallAction", "MergeConversationAction"),
        ("CXSetMutedCallAction", "MuteConversationAction"),
        ("CXSetHeldCallAction", "PauseConversationAction"),
        ("CXAnswerCallAction", "JoinConversationAction"),
        ("CXStartCallAction", "StartConversationAction"),
        ("CXEndCallAction", "EndConversationAction"),
        ("CXCallEndedReason", "Conversation.EndedReason"),
        ("CXAction", "ConversationAction"),
        ("asks provider(_:execute:)", "hands over the actions"),
        (
            "Call setDelegate(_:queue:) right after creating the CXProvider",
            "Set the delegate right after creating the ConversationManager"
        ),
        ("reportNewIncomingCall", "reportNewIncomingConversation(uuid:update:)"),
        ("reportCall(with:updated:)", "reportConversationEvent(.conversationUpdated, for:)"),
        ("a CXProvider and a ConversationManager", "a CXProvider and a ConversationManager"),
        ("providerDid", "conversationManagerDid"),
        ("provider(_:", "conversationManager(_:"),
        ("CXProvider", "ConversationManager"),
        ("provider", "conversation manager"),
    ]

    /// Replaces every word of CallKit's.
    static func translate(_ text: String) -> String {
        var rest = text[...]
        var result = ""
        while !rest.isEmpty {
            if let word = table.first(where: { rest.hasPrefix($0.callKit) }) {
                result += word.liveCommunicationKit
                rest = rest.dropFirst(word.callKit.count)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result
    }
}
