// SPDX-License-Identifier: MIT

extension AVAudioSession {
    /// How the app uses sound.
    public struct Category: RawRepresentable, Hashable, Sendable {
        /// Apple's name of the value.
        public let rawValue: String

        /// Takes any name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Sound that others may mix with and the ring switch silences.
        public static let ambient: AVAudioSession.Category = .init(rawValue: "AVAudioSessionCategoryAmbient")
        /// Sound that silences others and that the ring switch silences; what an app has at first.
        public static let soloAmbient: AVAudioSession.Category = .init(rawValue: "AVAudioSessionCategorySoloAmbient")
        /// Sound that is the point of the app.
        public static let playback: AVAudioSession.Category = .init(rawValue: "AVAudioSessionCategoryPlayback")
        /// The microphone alone.
        public static let record: AVAudioSession.Category = .init(rawValue: "AVAudioSessionCategoryRecord")
        /// Microphone and sound, as calls need it (S1).
        public static let playAndRecord: AVAudioSession.Category = .init(
            rawValue: "AVAudioSessionCategoryPlayAndRecord")
        /// Work on audio without sound; of old systems.
        public static let audioProcessing: AVAudioSession.Category = .init(
            rawValue: "AVAudioSessionCategoryAudioProcessing")
        /// Several inputs and outputs at once.
        public static let multiRoute: AVAudioSession.Category = .init(rawValue: "AVAudioSessionCategoryMultiRoute")
    }
}
