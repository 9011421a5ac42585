// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

// The virtual phone's audio hardware: 48 kHz (hands-free devices 16), one channel in, two out, no gain and no data
// sources to choose.
extension AVAudioSession {
    /// Wishes a sample rate in Hz.
    ///
    /// - Throws: ``ErrorCode/badParam`` when it is negative or no number.
    public func setPreferredSampleRate(_ sampleRate: Double) throws {
        guard sampleRate.isFinite else { throw ErrorCode.badParam.error }
        try prefer(.sampleRate(sampleRate))
    }
    /// The wished sample rate in Hz; 0 when there is none.
    public var preferredSampleRate: Double { phoneState.preferences.sampleRate }
    /// The sample rate in Hz: 48,000; while active the wished one within 8,000 to 48,000; 16,000 for hands-free
    /// devices that do not record in high quality (V6).
    public var sampleRate: Double { phoneState.sampleRate }

    /// Wishes a duration of the audio buffer in seconds.
    ///
    /// - Throws: ``ErrorCode/badParam`` when it is negative or no number.
    public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        guard duration.isFinite else { throw ErrorCode.badParam.error }
        try prefer(.bufferDuration(duration))
    }
    /// The wished duration of the audio buffer in seconds; 0 when there is none.
    public var preferredIOBufferDuration: TimeInterval { phoneState.preferences.bufferDuration }
    /// The duration of the audio buffer in seconds: 1,024 samples; while active, the wish within 5 to 93 ms (V6).
    public var ioBufferDuration: TimeInterval { phoneState.bufferDuration }

    /// Wishes a number of input channels.
    ///
    /// - Throws: ``ErrorCode/badParam`` when there are not as many.
    public func setPreferredInputNumberOfChannels(_ count: Int) throws {
        try prefer(.inputChannels(count))
    }
    /// The wished number of input channels; 0 when there is none.
    public var preferredInputNumberOfChannels: Int { phoneState.preferences.inputChannels }
    /// Wishes a number of output channels.
    ///
    /// - Throws: ``ErrorCode/badParam`` when there are not as many.
    public func setPreferredOutputNumberOfChannels(_ count: Int) throws {
        try prefer(.outputChannels(count))
    }
    /// The wished number of output channels; 0 when there is none.
    public var preferredOutputNumberOfChannels: Int { phoneState.preferences.outputChannels }
    /// The number of input channels: none when the category has no input.
    public var inputNumberOfChannels: Int { phoneState.route.inputs.isEmpty ? 0 : 1 }
    /// The number of output channels: 1 in a call, else 2.
    public var outputNumberOfChannels: Int { phoneState.route.inputs.isEmpty ? 2 : 1 }
    /// The most input channels there can be.
    public var maximumInputNumberOfChannels: Int { 1 }
    /// The most output channels there can be.
    public var maximumOutputNumberOfChannels: Int { 2 }

    /// Wishes how stereo input is oriented.
    public func setPreferredInputOrientation(_ orientation: AVAudioSession.StereoOrientation) throws {
        try prefer(.inputOrientation(orientation.rawValue))
    }
    /// The wished orientation of stereo input.
    public var preferredInputOrientation: AVAudioSession.StereoOrientation {
        .init(rawValue: phoneState.preferences.inputOrientation) ?? .none
    }
    /// The orientation of stereo input: none, as there is no stereo input.
    public var inputOrientation: AVAudioSession.StereoOrientation { .none }

    /// Wishes an input.
    ///
    /// - Throws: ``ErrorCode/badParam`` when it is not among ``availableInputs``.
    public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
        try prefer(.input(uid: inPort?.uid))
    }
    /// The wished input; nil when there is none.
    public var preferredInput: AVAudioSessionPortDescription? {
        let state = phoneState
        guard let uid = state.preferences.input else { return nil }
        return state.availableInputs.first { $0.uid == uid }.map(AVAudioSessionPortDescription.init)
    }
    /// Whether the phone has a microphone: it does.
    public var isInputAvailable: Bool { true }

    /// The delay of the input in seconds.
    public var inputLatency: TimeInterval { 0.01 }
    /// The delay of the output in seconds.
    public var outputLatency: TimeInterval { 0.01 }
    /// Whether audio of another app runs.
    public var isOtherAudioPlaying: Bool { phoneState.isOtherAudioPlaying }
    /// Whether sound in the background should stop: audio of another app runs that does not mix.
    public var secondaryAudioShouldBeSilencedHint: Bool { phoneState.shouldSilenceSecondaryAudio }
    /// The volume, 0 to 1: 0.5.
    public var outputVolume: Float { 0.5 }

    /// Sets the gain of the input.
    ///
    /// - Throws: ``ErrorCode/resourceNotAvailable``: the gain is fixed.
    public func setInputGain(_ gain: Float) throws {
        throw ErrorCode.resourceNotAvailable.error
    }
    /// The gain of the input, 0 to 1.
    public var inputGain: Float { 1 }
    /// Whether the gain of the input can be set: no.
    public var isInputGainSettable: Bool { false }

    /// The data sources of the input; nil as there is no choice.
    public var inputDataSources: [AVAudioSessionDataSourceDescription]? { nil }
    /// The data source of the input.
    public var inputDataSource: AVAudioSessionDataSourceDescription? { nil }
    /// Chooses the data source of the input.
    ///
    /// - Throws: ``ErrorCode/badParam`` for any.
    public func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        if dataSource != nil { throw ErrorCode.badParam.error }
    }
    /// The data sources of the output; nil as there is no choice.
    public var outputDataSources: [AVAudioSessionDataSourceDescription]? { nil }
    /// The data source of the output.
    public var outputDataSource: AVAudioSessionDataSourceDescription? { nil }
    /// Chooses the data source of the output.
    ///
    /// - Throws: ``ErrorCode/badParam`` for any.
    public func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        if dataSource != nil { throw ErrorCode.badParam.error }
    }
}
