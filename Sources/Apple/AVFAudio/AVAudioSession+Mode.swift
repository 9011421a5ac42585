// SPDX-License-Identifier: MIT

extension AVAudioSession {
    /// What the app does within its category.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        /// Apple's name of the value.
        public let rawValue: String

        /// Takes any name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Nothing special.
        public static let `default`: AVAudioSession.Mode = .init(rawValue: "AVAudioSessionModeDefault")
        /// A voice call; implies Bluetooth hands-free (V2).
        public static let voiceChat: AVAudioSession.Mode = .init(rawValue: "AVAudioSessionModeVoiceChat")
        /// Voice chat in a game.
        public static let gameChat: AVAudioSession.Mode = .init(rawValue: "AVAudioSessionModeGameChat")
        /// Recording video.
        public static let videoRecording: AVAudioSession.Mode = .init(rawValue: "AVAudioSessionModeVideoRecording")
        /// Measuring sound.
        public static let measurement: AVAudioSession.Mode = .init(rawValue: "AVAudioSessionModeMeasurement")
        /// Playing films.
        public static let moviePlayback: AVAudioSession.Mode = .init(rawValue: "AVAudioSessionModeMoviePlayback")
        /// A video call; implies Bluetooth hands-free and the speaker (V2).
        public static let videoChat: AVAudioSession.Mode = .init(rawValue: "AVAudioSessionModeVideoChat")
        /// Spoken sound, which pauses instead of getting quieter.
        public static let spokenAudio: AVAudioSession.Mode = .init(rawValue: "AVAudioSessionModeSpokenAudio")
        /// Spoken prompts, as in navigation.
        public static let voicePrompt: AVAudioSession.Mode = .init(rawValue: "AVAudioSessionModeVoicePrompt")
        /// Playing short videos.
        public static let shortFormVideo: AVAudioSession.Mode = .init(rawValue: "AVAudioSessionModeShortFormVideo")
        /// Two routes at once.
        public static let dualRoute: AVAudioSession.Mode = .init(rawValue: "AVAudioSessionModeDualRoute")
    }
}
