// SPDX-License-Identifier: MIT

import Offhook
import OffhookCore
import Testing

@testable import OffhookMedia

extension RealMediaTests {
    @Suite struct HoldTests {
        @Test(
            "R47: hold stops audio both ways, resume brings it back, from either side",
            arguments: [MediaSessionConfiguration.Role.offerer, .answerer])
        func holdAndResume(by role: MediaSessionConfiguration.Role) async throws {
            let pauses = try await Pauses()
            // A pause is longer than the silence that would be an interruption.
            let call = try TestCall(
                callerSays: ToneSource(), calleeSays: ToneSource(frequency: 600),
                options: MediaOptions(silenceLimit: .milliseconds(100)))
            try await call.connected()
            call.openAudio()
            try await call.caller.hears(.milliseconds(200))
            try await call.callee.hears(.milliseconds(200))
            let holder = role == .offerer ? call.caller : call.callee
            let other = role == .offerer ? call.callee : call.caller
            var paused = Duration.zero
            for _ in 1...2 {
                holder.session?.setHeld(true)
                let told = holder.lastDirection
                try await eventually("the other side is told") { holder.lastDirection == "inactive" }
                #expect(told == "sendrecv" || told == "inactive")
                try await eventually("the other side agrees") { other.lastDirection == "inactive" }
                let before = (call.caller.counts, call.callee.counts)
                let interruptions = (call.caller.interruptions, call.callee.interruptions)
                let start = SoundTime.now()
                try await pauses.pass(.milliseconds(300))  // Audio that went on would have come as this did.
                paused += SoundTime.now() - start
                #expect(call.caller.counts.sent <= before.0.sent + 960)
                #expect(call.callee.counts.sent <= before.1.sent + 960)
                #expect(holder.counts.heard <= (role == .offerer ? before.0 : before.1).heard + 960)
                #expect((call.caller.interruptions, call.callee.interruptions) == interruptions)
                holder.session?.setHeld(false)
                try await eventually("both agree to go on") {
                    holder.lastDirection == "sendrecv" && other.lastDirection == "sendrecv"
                }
                try await call.caller.hears(.milliseconds(400))
                try await call.callee.hears(.milliseconds(400))
            }
            for side in [call.caller, call.callee] {
                try await eventually("the tone is back") {
                    PCM(samples: Array(side.heard.recording.samples.suffix(4_800))).level > -20
                }
            }
            await call.close()
            await pauses.end()
            for side in [call.caller, call.callee] {
                #expect(side.failure == nil)
                // Said and heard are on one time line: the pause is in the recording.
                let silence = side.heard.recording.samples.count { $0 == 0 }
                #expect(silence >= paused.samples(rate: 48_000) - 4 * AudioFormat.frameSamples)
            }
            // The DTLS role stays what it was in the first negotiation.
            #expect(Set(call.callee.setups(of: .answer)).count <= 1)
        }

        @Test func theVoiceKeepsItsDelayThroughAHold() async throws {
            let pauses = try await Pauses()
            try await measured { try await delaysAroundAHold(pauses) }
            await pauses.end()
        }

        private func delaysAroundAHold(_ pauses: Pauses) async throws -> Findings {
            let call = try TestCall(callerSays: WAVSource(syntheticVoice(.seconds(2)), repeats: true))
            try await call.connected()
            call.openAudio()
            try await call.callee.hears(.seconds(1))
            call.callee.session?.setHeld(true)
            try await eventually("the caller agrees") { call.caller.lastDirection == "inactive" }
            try await pauses.pass(.milliseconds(500))
            call.callee.session?.setHeld(false)
            try await call.callee.hears(.milliseconds(1_700))
            await call.close()
            let sent = call.caller.sent.recording
            let heard = call.callee.heard.recording
            let before = try #require(
                voiceDelay(from: sent.part(from: .zero, length: .milliseconds(800)), to: heard))
            let tail = sent.part(from: sent.duration - .milliseconds(1_000), length: .milliseconds(600))
            let after = try #require(voiceDelay(from: tail, to: heard))
            var findings = Findings()
            findings.require(before.value >= 0.8 && after.value >= 0.8, "\(before) \(after)")
            findings.require(abs((after.delay - before.delay).nanoseconds) < 100_000_000, "\(before) \(after)")
            return findings
        }

        @Test func aHoldThatTheOtherSideNeverLearnsOfStillStopsBothWays() async throws {
            let isLossy = Locked(false)
            let call = try TestCall(callerSays: ToneSource(), calleeSays: ToneSource()) { _, signal in
                isLossy.withLock { $0 } ? nil : signal
            }
            try await call.connected()
            call.openAudio()
            try await call.caller.hears(.milliseconds(100))
            isLossy.withLock { $0 = true }
            call.caller.session?.setHeld(true)
            let before = call.caller.counts
            let goal = call.callee.counts.sent + 24_000
            try await eventually("the callee goes on") { call.callee.counts.sent > goal }
            #expect(call.caller.counts.sent <= before.sent + 960)
            #expect(call.caller.counts.heard <= before.heard + 960)
            await call.close()
        }

        @Test func aCallMayBeginOnHold() async throws {
            let call = try TestCall(callerSays: ToneSource(), calleeSays: ToneSource())
            call.caller.session?.setHeld(true)
            try await call.connected()
            call.openAudio()
            try await eventually("the hold is told") { call.callee.lastDirection == "inactive" }
            call.caller.session?.setHeld(false)
            try await call.caller.hears(.milliseconds(100))
            try await call.callee.hears(.milliseconds(100))
            #expect(call.caller.failure == nil && call.callee.failure == nil)
            await call.close()
        }

        @Test func bothSidesMayHoldAtOnce() async throws {
            let call = try TestCall(callerSays: ToneSource(), calleeSays: ToneSource())
            try await call.connected()
            call.openAudio()
            try await call.callee.hears(.milliseconds(100))
            call.caller.session?.setHeld(true)
            call.callee.session?.setHeld(true)
            try await eventually("both are held") {
                call.caller.lastDirection == "inactive" && call.callee.lastDirection == "inactive"
            }
            call.caller.session?.setHeld(false)
            call.callee.session?.setHeld(false)
            try await call.caller.hears(.milliseconds(300))
            try await call.callee.hears(.milliseconds(300))
            #expect(call.caller.failure == nil && call.callee.failure == nil)
            await call.close()
        }

        @Test("R93: media that stops arriving is reported, and its return")
        func interruptionAndReturn() async throws {
            let options = MediaOptions(silenceLimit: .milliseconds(400))
            let call = try TestCall(callerSays: ToneSource(), calleeSays: ToneSource(), options: options)
            try await call.connected()
            call.openAudio()
            try await call.callee.wait(for: .remoteMedia)
            call.caller.session?.setAudioOpen(false)
            try await call.callee.wait(for: .interrupted)
            call.caller.session?.setAudioOpen(true)
            try await call.callee.wait(for: .restored)
            await call.close()
        }
    }
}

/// Measures pauses by a call beside the one that is held: what it carries meanwhile, the held one could have carried.
private final class Pauses: Sendable {
    private let call: TestCall

    init() async throws {
        call = try TestCall(callerSays: ToneSource())
        try await call.connected()
        call.openAudio()
        try await call.callee.hears(.milliseconds(100))
    }

    /// Waits until so much has been heard in the other call.
    func pass(_ duration: Duration) async throws {
        try await call.callee.hears(duration)
    }

    func end() async {
        await call.close()
    }
}

extension Side {
    var interruptions: Int { events.count { $0 == .interrupted } }

    var counts: (sent: Int, heard: Int) { (sent.recording.samples.count, heard.recording.samples.count) }

    /// The direction of the latest description this side sent.
    var lastDirection: String {
        let last = signals.last { $0.kind != .candidate }
        return (last.flatMap { try? AudioDescription(parsing: $0.body) })?.direction.rawValue ?? ""
    }

    func setups(of kind: MediaSignal.Kind) -> [String] {
        signals.filter { $0.kind == kind }.compactMap { try? AudioDescription(parsing: $0.body).setup.rawValue }
    }
}
