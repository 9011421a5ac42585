// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import Testing

@testable import OffhookMedia

@Suite struct SoundTests {
    @Test(arguments: [-30_000, -4_801, -1, 0, 1, 4_800, 31_313])
    func aShiftIsFoundToTheSample(shift: Int) {
        let voice = syntheticVoice(.seconds(2))
        let heard =
            shift >= 0
            ? PCM(samples: [Int16](repeating: 0, count: shift) + voice.samples)
            : PCM(samples: Array(voice.samples.dropFirst(-shift)))
        let found = bestCorrelation(of: voice, in: heard, maximumLag: .seconds(1))
        #expect(found.value > 0.999)
        #expect(found.lag == Duration.samples(shift, rate: 48_000))
    }

    @Test func noiseAndLevelDoNotHideAVoice() {
        let voice = syntheticVoice(.seconds(2))
        var random: UInt64 = 88_172_645_463_325_252
        let heard = ([Int16](repeating: 0, count: 9_600) + voice.samples).map { sample in
            random ^= random << 13
            random ^= random >> 7
            random ^= random << 17
            return sample / 4 + Int16(truncatingIfNeeded: random) / 64
        }
        let found = bestCorrelation(of: voice, in: PCM(samples: heard))
        #expect(found.value > 0.95)
        #expect(found.lag == .milliseconds(200))
    }

    @Test func anotherVoiceIsNotRecognised() {
        let found = bestCorrelation(
            of: syntheticVoice(.seconds(2), pitch: 120), in: syntheticVoice(.seconds(3), pitch: 233))
        #expect(found.value < 0.6)
    }

    @Test func silenceIsLikeNothing() {
        let voice = syntheticVoice(.milliseconds(100))
        let silence = PCM(samples: [Int16](repeating: 0, count: 4_800))
        #expect(bestCorrelation(of: voice, in: silence).value == 0)
        #expect(bestCorrelation(of: PCM(samples: []), in: voice).value == 0)
        #expect(bestCorrelation(of: voice, in: PCM(samples: [])).value == 0)
        #expect(silence.level == -120)
    }

    @Test func levelsAreInDecibelsOfFullScale() {
        #expect(abs(PCM(samples: [Int16](repeating: -32_768, count: 100)).level) < 0.01)
        let tone = ToneSource(frequency: 1_000, level: -20)
        #expect(abs(PCM(samples: tone.nextFrame()).level - -23.01) < 0.05)
    }

    @Test func theDelayComesFromBothStartTimes() throws {
        let voice = syntheticVoice(.seconds(1))
        let start = SoundTime(monotonicNanoseconds: 5_000_000_000, wallMilliseconds: 1_000)
        let said = PCM(samples: voice.samples, start: start)
        let heard = PCM(
            samples: [Int16](repeating: 0, count: 4_800) + voice.samples, start: start + .milliseconds(-30))
        let found = try #require(voiceDelay(from: said, to: heard))
        #expect(found.value > 0.999)
        #expect(found.delay == .milliseconds(70))
        #expect(voiceDelay(from: voice, to: heard) == nil)
    }

    @Test(arguments: [8_000, 16_000, 22_050, 44_100, 96_000])
    func resamplingKeepsTheSound(rate: Int) {
        let voice = syntheticVoice(.seconds(1)).resampled(to: 8_000).resampled(to: 48_000)
        let there = voice.resampled(to: rate)
        #expect(there.samples.count == rate)
        let found = bestCorrelation(of: voice, in: there.resampled(to: 48_000), maximumLag: .milliseconds(50))
        #expect(found.value > 0.99)
        #expect(abs(found.lag.nanoseconds) <= 21_000)
    }

    @Test func aPartMovesItsStart() {
        let start = SoundTime(monotonicNanoseconds: 0, wallMilliseconds: 0)
        let sound = PCM(sampleRate: 1_000, samples: (0..<100).map { Int16($0) }, start: start)
        let part = sound.part(from: .milliseconds(10), length: .milliseconds(5))
        #expect(part.samples == [10, 11, 12, 13, 14])
        #expect(part.start?.monotonicNanoseconds == 10_000_000)
        #expect(sound.part(from: .seconds(9)).samples.isEmpty)
        #expect(sound.part(from: .milliseconds(-9), length: .milliseconds(2)).samples == [0, 1])
    }
}

@Suite struct WAVTests {
    @Test func whatIsWrittenIsReadBack() throws {
        let file = Scratch()
        let sound = PCM(
            sampleRate: 16_000, samples: [0, 1, -1, 32_767, -32_768],
            start: SoundTime(monotonicNanoseconds: 123_456_789, wallMilliseconds: 987))
        try sound.write(wav: file.path)
        #expect(try PCM(wav: file.path) == sound)
    }

    @Test func theRecorderFillsGapsAndKeepsTheTime() throws {
        let file = Scratch()
        let recorder = try WAVRecorder(path: file.path)
        #expect(try PCM(wav: file.path).samples.isEmpty)
        let start = SoundTime.now()
        recorder.write([1, 2, 3], at: start)
        #expect(try PCM(wav: file.path).samples == [1, 2, 3])
        recorder.write([4], at: start + .milliseconds(100) + .samples(3, rate: 48_000))
        // Not finished: the file is whole all the same.
        let sound = try PCM(wav: file.path)
        #expect(sound.samples.count == 3 + 4_800 + 1)
        #expect(sound.samples.last == 4)
        #expect(sound.start == start)
        recorder.finish()
        recorder.write([5], at: start)
        #expect(try PCM(wav: file.path) == sound)
    }

    @Test func driftIsNoGap() {
        var timeline = Timeline()
        var time = SoundTime(monotonicNanoseconds: 0, wallMilliseconds: 0)
        var silence = 0
        for _ in 0..<1_000 {
            silence += timeline.append(960, at: time)
            time = time + .microseconds(20_200)
        }
        #expect(silence == 0)
        #expect(timeline.append(960, at: time + .seconds(1)) > 47_000)
        #expect(timeline.append(960, at: time) == 0)
    }

    @Test(arguments: [(1, 8), (1, 16), (1, 24), (1, 32), (3, 32)])
    func commonFormatsAreRead(code: Int, bits: Int) throws {
        // Two channels, one twice as loud as the other: their mean is three quarters of the louder one.
        var body: [UInt8] = []
        for _ in 0..<100 {
            for value in [0.5, 0.25] {
                switch (code, bits) {
                case (3, _): body += WAVFile.little(Float(value).bitPattern)
                case (_, 8): body.append(UInt8(128 + Int(value * 128)))
                default:
                    let full = Int64(value * Double(Int64(1) << Int64(bits - 1)))
                    body += WAVFile.little(full).prefix(bits / 8)
                }
            }
        }
        let file = Self.file(code: code, bits: bits, channels: 2, rate: 44_100, body: body)
        let sound = try PCM(wavBytes: file)
        #expect(sound.sampleRate == 44_100)
        #expect(sound.samples.count == 100)
        #expect(sound.samples.allSatisfy { abs(Int($0) - 12_288) <= 2 })
    }

    @Test func malformedFilesAreRefusedOrReadAsFarAsTheyGo() throws {
        let whole = Self.file(code: 1, bits: 16, channels: 1, rate: 8_000, body: [UInt8](repeating: 7, count: 64))
        for length in 0..<whole.count { _ = try? PCM(wavBytes: Array(whole[..<length])) }
        for offset in whole.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var bytes = whole
                bytes[offset] = value
                _ = try? PCM(wavBytes: bytes)
            }
        }
        #expect(throws: MediaFailure.self) { try PCM(wavBytes: Array("RIFF0000WAVE".utf8)) }
        #expect(throws: MediaFailure.self) { try PCM(wav: "/dev/null/sound.wav") }
        #expect(throws: MediaFailure.self) { try WAVRecorder(path: "/dev/null/sound.wav") }
        let adpcm = Self.file(code: 2, bits: 4, channels: 1, rate: 8_000, body: [1, 2])
        let failure = #expect(throws: MediaFailure.self) { try PCM(wavBytes: adpcm) }
        #expect(failure?.code == .device)
    }

    @Test func sourcesGiveFramesOf20Milliseconds() throws {
        let voice = syntheticVoice(.milliseconds(50)).resampled(to: 22_050)
        let source = WAVSource(voice)
        var samples: [Int16] = []
        for _ in 0..<3 {
            let frame = source.nextFrame()
            #expect(frame.count == 960)
            samples += frame
        }
        let found = bestCorrelation(of: voice, in: PCM(samples: samples), maximumLag: .milliseconds(10))
        #expect(found.value > 0.98)
        #expect(source.nextFrame().allSatisfy { $0 == 0 })
        let again = WAVSource(PCM(samples: (0..<960).map { Int16($0) }), repeats: true)
        #expect(again.nextFrame() == again.nextFrame())
        #expect(SilenceSource().nextFrame() == [Int16](repeating: 0, count: 960))
    }

    static func file(code: Int, bits: Int, channels: Int, rate: Int, body: [UInt8]) -> [UInt8] {
        var bytes = Array("RIFF".utf8) + WAVFile.little(UInt32(36 + body.count)) + Array("WAVEfmt ".utf8)
        bytes += WAVFile.little(UInt32(16)) + WAVFile.little(UInt16(code)) + WAVFile.little(UInt16(channels))
        bytes += WAVFile.little(UInt32(rate)) + WAVFile.little(UInt32(rate * channels * bits / 8))
        bytes += WAVFile.little(UInt16(channels * bits / 8)) + WAVFile.little(UInt16(bits))
        return bytes + Array("data".utf8) + WAVFile.little(UInt32(body.count)) + body
    }
}

/// A file that goes with its test.
final class Scratch {
    let path = FileManager.default.temporaryDirectory.appending(path: "offhook-\(UUID()).wav").path

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
