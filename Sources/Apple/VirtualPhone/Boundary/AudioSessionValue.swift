// SPDX-License-Identifier: MIT

/// A port that sound comes from or goes to.
public struct AudioPortValue: Hashable, Sendable, Codable {
    /// Apple's port type, such as `Receiver`.
    public var type: String
    /// The name shown to users.
    public var name: String
    /// Names the port.
    public var uid: String
    /// A hands-free device's quality: nil for ports that are none (V4).
    public var bluetooth: BluetoothMicrophone?

    /// What a hands-free device can do, and does.
    public struct BluetoothMicrophone: Hashable, Sendable, Codable {
        /// Whether it can record in high quality.
        public var canRecordInHighQuality: Bool
        /// Whether it does.
        public var recordsInHighQuality: Bool
        /// Whether it can listen to a whole room.
        public var canHearFarField: Bool
        /// Whether it does.
        public var hearsFarField: Bool
    }

    /// Describes a port; its uid is the name unless given.
    public init(type: String, name: String, uid: String? = nil) {
        self.type = type
        self.name = name
        self.uid = uid ?? name
    }
}

/// Where an app's sound comes from and goes to (V8).
public struct AudioRouteValue: Hashable, Sendable, Codable {
    /// The inputs: none when the category has no input (V6).
    public var inputs: [AudioPortValue]
    /// The outputs: none when the category only records.
    public var outputs: [AudioPortValue]

    /// Describes a route.
    public init(inputs: [AudioPortValue], outputs: [AudioPortValue]) {
        self.inputs = inputs
        self.outputs = outputs
    }
}

/// An AVAudioSession's state; raw values of Apple's types.
public struct AudioSessionValue: Hashable, Sendable, Codable {
    /// The category.
    public var category = "AVAudioSessionCategorySoloAmbient"
    /// The mode.
    public var mode = "AVAudioSessionModeDefault"
    /// The category options, with those that others imply (V2, V5).
    public var options: UInt = 0
    /// The route sharing policy.
    public var policy: UInt = 0
    /// Whether the session is active, by the phone for a call or by the app.
    public var isActive = false
    /// Where sound comes from and goes to now.
    public var route = AudioRouteValue(inputs: [], outputs: [])
    /// The inputs that can be used with this category (V6).
    public var availableInputs: [AudioPortValue] = []
    /// The sample rate in Hz (V6).
    public var sampleRate = 48_000.0
    /// The duration of the audio buffer in seconds (V6).
    public var bufferDuration = 1_024 / 48_000.0
    /// The wishes.
    public var preferences = AudioPreferencesValue()
    /// Whether the user lets the app use the microphone (V9).
    public var permission = MicrophonePermission.undetermined
    /// Whether the app muted its input (V11).
    public var isInputMuted = false
    /// What comes out of the microphone.
    public var microphone = MicrophoneState.off
    /// Whether audio of the app's runs (R70).
    public var isRunning = false
    /// Whether another app sounds.
    public var isOtherAudioPlaying = false
    /// Whether another app sounds that does not mix.
    public var shouldSilenceSecondaryAudio = false
    /// The version of the phone's system, which newer parts of the API follow.
    public var system = SystemVersion(26, 4)

    /// Makes the state of an app that has not used its session.
    public init() {}

    /// The port type of the current output, such as `Receiver`; nil when the category only records.
    public var outputPort: String? { route.outputs.first?.type }
    /// The port type of the current input, such as `MicrophoneBuiltIn`; nil when the category has none (V6).
    public var inputPort: String? { route.inputs.first?.type }
}
