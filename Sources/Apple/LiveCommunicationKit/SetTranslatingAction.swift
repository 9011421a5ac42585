// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Starts or stops the translation of a conversation (G8).
public final class SetTranslatingAction: ConversationAction {
    /// Who translates.
    public enum TranslationEngine: Hashable, Sendable {
        /// The system.
        case `default`
        /// The app.
        case custom
    }

    /// Whether the conversation is to be translated.
    public let isTranslating: Bool
    /// The language spoken on this phone.
    public let localLanguage: Locale.Language
    /// The language of the other side.
    public let remoteLanguage: Locale.Language

    /// Makes an action that starts or stops translating.
    public init(
        conversationID: UUID, isTranslating: Bool, localLanguage: Locale.Language, remoteLanguage: Locale.Language
    ) {
        self.isTranslating = isTranslating
        self.localLanguage = localLanguage
        self.remoteLanguage = remoteLanguage
        super.init(conversationID, timeoutDate: Self.deadline(after: 5))
    }

    /// Fulfills the action and says who translates.
    public func fulfill(using translationEngine: SetTranslatingAction.TranslationEngine) {
        complete(date: nil)
    }

    override var boundaryKind: ActionValue.Kind {
        .setTranslating(
            isTranslating, localLanguage: localLanguage.minimalIdentifier,
            remoteLanguage: remoteLanguage.minimalIdentifier)
    }
}

// What it has beyond its superclass never changes; the superclass's state is behind a lock.
extension SetTranslatingAction: @unchecked Sendable {}
