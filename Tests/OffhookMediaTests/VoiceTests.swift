// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookCore
import Testing

@testable import OffhookMedia

extension RealMediaTests {
    @Suite struct VoiceTests {
        @Test("R94: voice goes both ways and is recognised at the other end")
        func voiceGoesBothWays() async throws {
            let said = syntheticVoice(.seconds(3))
            let replied = syntheticVoice(.seconds(3), pitch: 190)
            try await measured {
                let call = try TestCall(callerSays: WAVSource(said), calleeSays: WAVSource(replied))
                try await call.connected()
                call.openAudio()
                for side in [call.caller, call.callee] {
                    try await eventually("3 s heard") { side.heard.recording.duration > .milliseconds(3_200) }
                }
                await call.close()
                for side in [call.caller, call.callee] {
                    let steps = side.events.filter { $0 == .connected || $0 == .remoteMedia }
                    #expect(steps == [.connected, .remoteMedia])
                    #expect(side.failure == nil)
                }
                let there = bestCorrelation(of: said, in: call.callee.heard.recording)
                let back = bestCorrelation(of: replied, in: call.caller.heard.recording)
                let found = try #require(voiceDelay(from: call.caller.sent.recording, to: call.callee.heard.recording))
                var findings = Findings()
                findings.require(there.value >= 0.8 && back.value >= 0.8, "\(there) \(back)")
                findings.require(
                    found.value >= 0.8 && found.delay > .zero && found.delay < .seconds(1), "\(found)")
                return findings
            }
        }

        @Test func aSpokenSentenceIsRecognised() async throws {
            let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).wav")
            defer { try? FileManager.default.removeItem(at: file) }
            guard let speech = try Speech.make("The quick brown fox jumps over the lazy dog.", at: file) else {
                return  // Speech synthesis is not installed; the synthetic voice has been heard above.
            }
            try await measured {
                let call = try TestCall(callerSays: WAVSource(path: file.path))
                try await call.connected()
                call.openAudio()
                try await call.callee.hears(speech.duration + .milliseconds(300))
                await call.close()
                let found = bestCorrelation(of: speech, in: call.callee.heard.recording)
                return found.value >= 0.8 ? [] : ["\(found)"]
            }
        }

        @Test func aToneArrivesAtItsLevel() async throws {
            let source = ToneSource(frequency: 440)
            let tone = PCM(samples: (0..<25).flatMap { _ in source.nextFrame() })
            try await measured {
                let call = try TestCall(callerSays: ToneSource(frequency: 440, level: -12))
                try await call.connected()
                call.openAudio()
                try await call.callee.hears(.seconds(1))
                await call.close()
                let heard = call.callee.heard.recording.part(from: .milliseconds(400), length: .milliseconds(500))
                let found = bestCorrelation(of: tone, in: heard, maximumLag: .milliseconds(20))
                var findings = Findings()
                findings.require(abs(heard.level - -15) < 1.5, "\(heard.level)")
                findings.require(found.value >= 0.8, "\(found)")
                return findings
            }
        }

        @Test("S1, R70: no audio before the switch is open, none after it is shut")
        func theSwitchGatesAudio() async throws {
            let call = try TestCall(callerSays: ToneSource(), calleeSays: ToneSource())
            try await call.connected()
            call.callee.session?.setAudioOpen(true)
            try await call.caller.wait(for: .remoteMedia)
            #expect(call.caller.heard.recording.samples.isEmpty)
            #expect(call.caller.sent.recording.samples.isEmpty)
            #expect(call.callee.heard.recording.samples.isEmpty)
            call.caller.session?.setAudioOpen(true)
            try await call.caller.hears(.milliseconds(200))
            try await call.callee.hears(.milliseconds(200))
            call.caller.session?.setAudioOpen(false)
            let sent = call.caller.sent.recording.samples.count
            let heard = call.caller.heard.recording.samples.count
            // The other side goes on speaking meanwhile.
            let goal = call.callee.sent.recording.samples.count + 24_000
            try await eventually("the callee speaks") { call.callee.sent.recording.samples.count > goal }
            // A frame that was on its way through the gate is allowed.
            #expect(call.caller.sent.recording.samples.count <= sent + 960)
            #expect(call.caller.heard.recording.samples.count <= heard + 960)
            await call.close()
        }

        @Test("G6: mute sends silence, the microphone goes on, the other side is still heard")
        func muteSendsSilence() async throws {
            let call = try TestCall(callerSays: ToneSource(), calleeSays: ToneSource(frequency: 600))
            try await call.connected()
            call.openAudio()
            try await call.callee.hears(.milliseconds(400))
            call.caller.session?.setMuted(true)
            let mutedAt = call.caller.sent.recording.samples.count + 960
            try await call.callee.hears(.milliseconds(800))
            try await call.caller.hears(.milliseconds(800))
            let sent = call.caller.sent.recording.samples
            #expect(sent.count > mutedAt)
            #expect(sent.dropFirst(mutedAt).allSatisfy { $0 == 0 })
            // What was on its way at the mute is heard first.
            try await eventually("silence") {
                PCM(samples: Array(call.callee.heard.recording.samples.suffix(9_600))).level < -60
            }
            try await eventually("the other side's tone") {
                PCM(samples: Array(call.caller.heard.recording.samples.suffix(9_600))).level > -25
            }
            call.caller.session?.setMuted(false)
            try await eventually("the tone is back") {
                PCM(samples: Array(call.callee.heard.recording.samples.suffix(4_800))).level > -20
            }
            await call.close()
        }
    }
}

/// Speech of a synthesiser, if one is installed.
enum Speech {
    static func make(_ text: String, at file: URL) throws -> PCM? {
        let program = "/usr/bin/espeak-ng"
        guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["-w", file.path, text]
        try process.run()
        process.waitUntilExit()
        return try PCM(wav: file.path).resampled(to: 48_000)
    }
}
