// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

// The virtual phone's audio hardware: 48 kHz, one channel in, two out, no gain and no data sources to choose.
extension AVAudioSession {
    /// Wishes a sample rate in Hz.
    ///
    /// - Throws: ``ErrorCode/badParam`` when it is negative or no number.
    public func setPreferredSampleRate(_ sampleRate: Double) throws {
        guard sampleRate >= 0, sampleRate.isFinite else { throw ErrorCode.badParam.error }
        wishes.withLock { $0.sampleRate = sampleRate }
    }
    /// The wished sample rate in Hz; 0 when there is none.
    public var preferredSampleRate: Double { wishes.withLock { $0.sampleRate } }
    /// The sample rate in Hz: 48,000; while active, the wished one within 8,000 to 48,000 (V6).
    public var sampleRate: Double {
        let wish = preferredSampleRate
        return wish > 0 && phoneState.isActive ? min(max(wish, 8_000), 48_000) : 48_000
    }

    /// Wishes a duration of the audio buffer in seconds.
    ///
    /// - Throws: ``ErrorCode/badParam`` when it is negative or no number.
    public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        guard duration >= 0, duration.isFinite else { throw ErrorCode.badParam.error }
        wishes.withLock { $0.bufferDuration = duration }
    }
    /// The wished duration of the audio buffer in seconds; 0 when there is none.
    public var preferredIOBufferDuration: TimeInterval { wishes.withLock { $0.bufferDuration } }
    /// The duration of the audio buffer in seconds: 1,024 samples; while active, the wish within 5 to 93 ms (V6).
    public var ioBufferDuration: TimeInterval {
        let wish = preferredIOBufferDuration
        return wish > 0 && phoneState.isActive ? min(max(wish, 0.005), 0.093) : 1_024 / 48_000
    }

    /// Wishes a number of input channels.
    ///
    /// - Throws: ``ErrorCode/badParam`` when there are not as many.
    public func setPreferredInputNumberOfChannels(_ count: Int) throws {
        guard (0...maximumInputNumberOfChannels).contains(count) else { throw ErrorCode.badParam.error }
        wishes.withLock { $0.inputChannels = count }
    }
    /// The wished number of input channels; 0 when there is none.
    public var preferredInputNumberOfChannels: Int { wishes.withLock { $0.inputChannels } }
    /// Wishes a number of output channels.
    ///
    /// - Throws: ``ErrorCode/badParam`` when there are not as many.
    public func setPreferredOutputNumberOfChannels(_ count: Int) throws {
        guard (0...maximumOutputNumberOfChannels).contains(count) else { throw ErrorCode.badParam.error }
        wishes.withLock { $0.outputChannels = count }
    }
    /// The wished number of output channels; 0 when there is none.
    public var preferredOutputNumberOfChannels: Int { wishes.withLock { $0.outputChannels } }
    /// The number of input channels: none when the category has no input.
    public var inputNumberOfChannels: Int { phoneState.inputPort == nil ? 0 : 1 }
    /// The number of output channels: 1 in a call, else 2.
    public var outputNumberOfChannels: Int { phoneState.inputPort == nil ? 2 : 1 }
    /// The most input channels there can be.
    public var maximumInputNumberOfChannels: Int { 1 }
    /// The most output channels there can be.
    public var maximumOutputNumberOfChannels: Int { 2 }

    /// Wishes how stereo input is oriented.
    public func setPreferredInputOrientation(_ orientation: AVAudioSession.StereoOrientation) throws {
        wishes.withLock { $0.orientation = orientation }
    }
    /// The wished orientation of stereo input.
    public var preferredInputOrientation: AVAudioSession.StereoOrientation { wishes.withLock { $0.orientation } }
    /// The orientation of stereo input: none, as there is no stereo input.
    public var inputOrientation: AVAudioSession.StereoOrientation { .none }

    /// Wishes an input.
    ///
    /// - Throws: ``ErrorCode/badParam`` when it is not among ``availableInputs``.
    public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
        if let inPort, availableInputs?.contains(inPort) != true { throw ErrorCode.badParam.error }
        wishes.withLock { $0.input = inPort }
    }
    /// The wished input; nil when there is none.
    public var preferredInput: AVAudioSessionPortDescription? { wishes.withLock { $0.input } }
    /// Whether the phone has a microphone: it does.
    public var isInputAvailable: Bool { true }

    /// The delay of the input in seconds.
    public var inputLatency: TimeInterval { 0.01 }
    /// The delay of the output in seconds.
    public var outputLatency: TimeInterval { 0.01 }
    /// Whether another app sounds: no.
    public var isOtherAudioPlaying: Bool { false }
    /// Whether sound in the background should stop: no.
    public var secondaryAudioShouldBeSilencedHint: Bool { false }
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
