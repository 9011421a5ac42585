// SPDX-License-Identifier: MIT

extension AVAudioSession {
    /// How the category is changed.
    ///
    /// Setting a category sets all options anew (V2).
    public struct CategoryOptions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Takes any bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Others may sound at the same time (V5).
        public static var mixWithOthers: AVAudioSession.CategoryOptions { .init(rawValue: 0x1) }
        /// Others get quieter; sets ``mixWithOthers`` too (V5).
        public static var duckOthers: AVAudioSession.CategoryOptions { .init(rawValue: 0x2) }
        /// The older name of ``allowBluetoothHFP`` (V4).
        public static var allowBluetooth: AVAudioSession.CategoryOptions { .init(rawValue: 0x4) }
        /// Bluetooth hands-free devices may be used (V4).
        public static var allowBluetoothHFP: AVAudioSession.CategoryOptions { .init(rawValue: 0x4) }
        /// Speaker instead of earpiece, for as long as the category lasts (V3).
        public static var defaultToSpeaker: AVAudioSession.CategoryOptions { .init(rawValue: 0x8) }
        /// Spoken sound of others pauses; sets ``mixWithOthers`` too (V5).
        public static var interruptSpokenAudioAndMixWithOthers: AVAudioSession.CategoryOptions { .init(rawValue: 0x11) }
        /// Bluetooth devices for music may be used.
        public static var allowBluetoothA2DP: AVAudioSession.CategoryOptions { .init(rawValue: 0x20) }
        /// AirPlay devices may be used.
        public static var allowAirPlay: AVAudioSession.CategoryOptions { .init(rawValue: 0x40) }
        /// A muted microphone does not interrupt.
        public static var overrideMutedMicrophoneInterruption: AVAudioSession.CategoryOptions { .init(rawValue: 0x80) }
        /// The microphone listens to a whole room (V4).
        public static var farFieldInput: AVAudioSession.CategoryOptions { .init(rawValue: 1 << 18) }
        /// Bluetooth devices record in high quality (V4).
        public static var bluetoothHighQualityRecording: AVAudioSession.CategoryOptions { .init(rawValue: 1 << 19) }
    }
}

extension AVAudioSession {
    /// What an interruption's end says.
    public struct InterruptionOptions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Takes any bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The app may go on (V7).
        public static var shouldResume: AVAudioSession.InterruptionOptions { .init(rawValue: 1) }
    }
}

extension AVAudioSession {
    /// How a session is activated or deactivated.
    public struct SetActiveOptions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Takes any bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Other apps are told that they may go on.
        public static var notifyOthersOnDeactivation: AVAudioSession.SetActiveOptions { .init(rawValue: 1) }
    }
}

/// How a session is activated.
public struct AVAudioSessionActivationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Takes any bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }
}

/// How a session is deactivated.
public struct AVAudioSessionDeactivationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Takes any bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Other apps are told that they may go on.
    public static var notifyOthersOnDeactivation: AVAudioSessionDeactivationOptions { .init(rawValue: 1) }
}
