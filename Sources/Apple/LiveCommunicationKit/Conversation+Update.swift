// SPDX-License-Identifier: MIT

import VirtualPhone

extension Conversation {
    /// What is new about a conversation; what is nil stays as it was (I7).
    public struct Update: Hashable, Codable, Sendable {
        /// Who this phone's user is in the conversation.
        public var localMember: Handle?
        /// Everybody who was invited, besides this phone's user.
        public var members: Set<Handle>?
        /// The members whose media flow.
        public var activeRemoteMembers: Set<Handle>?
        /// What the conversation can do.
        public var capabilities: Conversation.Capabilities?

        /// Describes what is new; what is left out changes nothing.
        public init(
            localMember: Handle? = nil, members: Set<Handle>? = nil, activeRemoteMembers: Set<Handle>? = nil,
            capabilities: Conversation.Capabilities? = nil
        ) {
            self.localMember = localMember
            self.members = members
            self.activeRemoteMembers = activeRemoteMembers
            self.capabilities = capabilities
        }

        /// The update for the phone; the first of the members, by address, is the caller.
        var boundaryValue: CallUpdateValue {
            var value = CallUpdateValue()
            value.members = members?.boundaryValues
            value.activeMembers = activeRemoteMembers?.boundaryValues
            value.localMember = localMember?.boundaryValue
            value.remoteHandle = (value.members ?? value.activeMembers)?.first?.handle
            guard let capabilities else { return value }
            value.supportsHolding = capabilities.contains(.pausing)
            value.supportsGrouping = capabilities.contains(.merging)
            value.supportsUngrouping = capabilities.contains(.unmerging)
            value.supportsDTMF = capabilities.contains(.playingTones)
            value.hasVideo = capabilities.contains(.video)
            return value
        }
    }

    /// What a conversation can do; the phone offers the user nothing else.
    public struct Capabilities: OptionSet, Hashable, Codable, Sendable {
        /// The bits; Apple documents neither them nor their type.
        public let rawValue: Int

        /// Makes a set of bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// It can be merged with another one.
        public static let merging: Conversation.Capabilities = Capabilities(rawValue: 1 << 0)
        /// It can be held.
        public static let pausing: Conversation.Capabilities = Capabilities(rawValue: 1 << 1)
        /// It takes digits of the keypad.
        public static let playingTones: Conversation.Capabilities = Capabilities(rawValue: 1 << 2)
        /// It can leave those it is merged with.
        public static let unmerging: Conversation.Capabilities = Capabilities(rawValue: 1 << 3)
        /// It has video.
        public static let video: Conversation.Capabilities = Capabilities(rawValue: 1 << 4)
    }
}
