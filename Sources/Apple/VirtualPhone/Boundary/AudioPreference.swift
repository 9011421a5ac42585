// SPDX-License-Identifier: MIT

/// One thing that an app wishes of its audio session (V6); raw values of Apple's types.
public enum AudioPreference: Hashable, Sendable, Codable {
    /// A sample rate in Hz; 0 takes the wish back.
    case sampleRate(Double)
    /// A duration of the audio buffer in seconds; 0 takes the wish back.
    case bufferDuration(Double)
    /// A number of input channels.
    case inputChannels(Int)
    /// A number of output channels.
    case outputChannels(Int)
    /// An input, by its port's uid; nil takes the wish back.
    case input(uid: String?)
    /// The orientation of stereo input.
    case inputOrientation(Int)
    /// No interruption by a call that rings in a banner (V10).
    case noInterruptionsFromSystemAlerts(Bool)
    /// An interruption when the device in use is disconnected (V7).
    case interruptionOnRouteDisconnect(Bool)
    /// Vibration and system sounds while the app records.
    case hapticsDuringRecording(Bool)
    /// One clock for input and output.
    case ioType(UInt)
    /// The app plays sound of several channels.
    case multichannelContent(Bool)
    /// Input without echo outside of calls.
    case echoCancelledInput(Bool)
    /// The output is muted.
    case outputMuted(Bool)
    /// What is added to the microphone of another app.
    case microphoneInjection(Int)
}

/// All that an app wishes of its audio session (V6); a restart of the media daemon takes it back (R53).
public struct AudioPreferencesValue: Hashable, Sendable, Codable {
    /// A sample rate in Hz; 0 when there is none.
    public var sampleRate = 0.0
    /// A duration of the audio buffer in seconds; 0 when there is none.
    public var bufferDuration = 0.0
    /// A number of input channels; 0 when there is none.
    public var inputChannels = 0
    /// A number of output channels; 0 when there is none.
    public var outputChannels = 0
    /// The uid of an input; nil when there is none.
    public var input: String?
    /// The orientation of stereo input.
    public var inputOrientation = 0
    /// No interruption by a call that rings in a banner (V10).
    public var noInterruptionsFromSystemAlerts = false
    /// An interruption when the device in use is disconnected.
    public var interruptionOnRouteDisconnect = true
    /// Vibration and system sounds while the app records.
    public var hapticsDuringRecording = false
    /// One clock for input and output.
    public var ioType: UInt = 0
    /// The app plays sound of several channels.
    public var multichannelContent = false
    /// Input without echo outside of calls.
    public var echoCancelledInput = false
    /// The output is muted.
    public var outputMuted = false
    /// What is added to the microphone of another app.
    public var microphoneInjection = 0

    /// Makes the defaults.
    public init() {}
}
