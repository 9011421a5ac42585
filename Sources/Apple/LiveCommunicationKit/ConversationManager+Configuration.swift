// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

extension ConversationManager {
    /// What a manager can do and how its conversations look.
    public struct Configuration: Hashable, Sendable {
        /// The file name of the ring tone in the app's bundle; nil for the phone's own.
        public var ringtoneName: String?
        /// The PNG of the icon on the call screen.
        public var iconTemplateImageData: Data?
        /// How many groups of conversations may live at once.
        public var maximumConversationGroups: Int
        /// How many conversations a group may have.
        public var maximumConversationsPerConversationGroup: Int
        /// Whether conversations appear in Recents.
        public var includesConversationInRecents: Bool
        /// Whether conversations can have video.
        public var supportsVideo: Bool
        /// The kinds of addresses that conversations can go to.
        public var supportedHandleTypes: Set<Handle.Kind>
        /// Whether conversations can be translated (G8).
        public var supportsAudioTranslation: Bool

        /// Describes a manager without translation.
        public init(
            ringtoneName: String?, iconTemplateImageData: Data?, maximumConversationGroups: Int,
            maximumConversationsPerConversationGroup: Int, includesConversationInRecents: Bool, supportsVideo: Bool,
            supportedHandleTypes: Set<Handle.Kind>
        ) {
            self.init(
                ringtoneName: ringtoneName, iconTemplateImageData: iconTemplateImageData,
                maximumConversationGroups: maximumConversationGroups,
                maximumConversationsPerConversationGroup: maximumConversationsPerConversationGroup,
                includesConversationInRecents: includesConversationInRecents, supportsVideo: supportsVideo,
                supportedHandleTypes: supportedHandleTypes, supportsAudioTranslation: false)
        }

        /// Describes a manager.
        public init(
            ringtoneName: String?, iconTemplateImageData: Data?, maximumConversationGroups: Int,
            maximumConversationsPerConversationGroup: Int, includesConversationInRecents: Bool, supportsVideo: Bool,
            supportedHandleTypes: Set<Handle.Kind>, supportsAudioTranslation: Bool
        ) {
            self.ringtoneName = ringtoneName
            self.iconTemplateImageData = iconTemplateImageData
            self.maximumConversationGroups = maximumConversationGroups
            self.maximumConversationsPerConversationGroup = maximumConversationsPerConversationGroup
            self.includesConversationInRecents = includesConversationInRecents
            self.supportsVideo = supportsVideo
            self.supportedHandleTypes = supportedHandleTypes
            self.supportsAudioTranslation = supportsAudioTranslation
        }

        var boundaryValue: ProviderConfigurationValue {
            var value = ProviderConfigurationValue()
            value.framework = .liveCommunicationKit
            value.ringtoneSound = ringtoneName
            value.iconTemplateImageData = iconTemplateImageData
            value.maximumCallGroups = maximumConversationGroups
            value.maximumCallsPerCallGroup = maximumConversationsPerConversationGroup
            value.includesCallsInRecents = includesConversationInRecents
            value.supportsVideo = supportsVideo
            value.supportsAudioTranslation = supportsAudioTranslation
            value.supportedHandleTypes = supportedHandleTypes.map(\.rawValue).sorted()
            return value
        }
    }
}
