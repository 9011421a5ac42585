// SPDX-License-Identifier: MIT

public import OffhookCore

extension CallCenter {
    /// What a call center can do on this phone, with this media engine and this configuration (R13).
    public struct Capabilities: Hashable, Sendable {
        /// Whether calls go through the phone's own call screen; false before ``CallCenter/start()`` and where there is no
        /// CallKit.
        public var nativeCalling: Bool
        /// Whether operations and events outlive the process.
        public var storage: StorageState
        /// Whether the media engine carries video.
        public var video: Bool
        /// Whether the media engine sends DTMF.
        public var tones: Bool
        /// How many calls, or groups of calls, may live at once.
        public var maximumCalls: Int
        /// How many calls one group may have; 1 offers no merging.
        public var maximumCallsPerGroup: Int
        /// Whose calls they are (R90).
        public var generation: AccountGeneration

        /// Makes capabilities.
        public init(
            nativeCalling: Bool, storage: StorageState, video: Bool, tones: Bool, maximumCalls: Int,
            maximumCallsPerGroup: Int, generation: AccountGeneration
        ) {
            self.nativeCalling = nativeCalling
            self.storage = storage
            self.video = video
            self.tones = tones
            self.maximumCalls = maximumCalls
            self.maximumCallsPerGroup = maximumCallsPerGroup
            self.generation = generation
        }
    }
}
