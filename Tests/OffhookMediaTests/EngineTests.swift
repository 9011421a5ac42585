// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookCore
import Testing

@testable import OffhookMedia

extension RealMediaTests {
    @Suite struct EngineTests {
        @Test func preparationMakesNoTrouble() async throws {
            let engine = GStreamerMediaEngine { _ in AudioPort() }
            try await engine.prepare()
            try await engine.prepare()
            #expect(engine.capabilities == MediaCapabilities(video: false, dtmf: false))
        }

        @Test func aMissingElementIsNamedWithItsPackage() async throws {
            var options = MediaOptions()
            options.furtherElements = ["nosuchelement": "gstreamer1.0-nosuch"]
            let engine = GStreamerMediaEngine(options: options) { _ in AudioPort() }
            let failure = await #expect(throws: MediaFailure.self) { try await engine.prepare() }
            #expect(failure?.code == .engine)
            #expect(failure?.message.contains("nosuchelement") == true)
            #expect(failure?.message.contains("install gstreamer1.0-nosuch") == true)
            #expect(throws: MediaFailure.self) {
                try engine.makeSession(
                    MediaSessionConfiguration(call: CallID(high: 0, low: 1), role: .offerer)
                ) { _ in }
            }
        }

        @Test func whatThePortThrowsComesThrough() throws {
            let engine = GStreamerMediaEngine { _ in
                AudioPort(microphone: try WAVSource(path: "/dev/null/voice.wav"))
            }
            let failure = #expect(throws: MediaFailure.self) {
                try engine.makeSession(
                    MediaSessionConfiguration(call: CallID(high: 0, low: 1), role: .offerer)
                ) { _ in }
            }
            #expect(failure?.code == .device)
        }

        @Test func closingTwiceAndUsingAClosedSessionDoNothing() async throws {
            let call = try TestCall()
            try await call.connected()
            await call.close()
            let events = call.caller.events.count
            call.caller.session?.close()
            call.caller.session?.setHeld(true)
            call.caller.session?.setMuted(true)
            call.caller.session?.setAudioOpen(true)
            call.caller.session?.receive(MediaSignal(kind: .offer, generation: 3, body: "late"))
            await call.close()
            #expect(call.caller.events.count == events)
            #expect(call.callee.failure == nil)
        }

        @Test func theOtherSidesEndIsNoFailure() async throws {
            let call = try TestCall(callerSays: ToneSource(), calleeSays: ToneSource())
            try await call.connected()
            call.openAudio()
            try await call.callee.wait(for: .remoteMedia)
            await call.caller.end()
            let goal = call.callee.sent.recording.samples.count + 24_000
            try await eventually("the callee goes on") { call.callee.sent.recording.samples.count > goal }
            #expect(call.callee.failure == nil)
            await call.close()
        }

        @Test func withoutAnyCandidateTheTransportFails() async throws {
            let options = MediaOptions(connectLimit: .milliseconds(500))
            let call = try TestCall(options: options) { _, signal in signal.kind == .candidate ? nil : signal }
            let failures = try await [call.caller.waitForFailure(), call.callee.waitForFailure()]
            #expect(failures.allSatisfy { $0.code == .connectivity })
            await call.close()
        }

        @Test func aSessionClosedAtAnyMomentIsFreed() async throws {
            for step in 0..<8 {
                let call = try TestCall(callerSays: ToneSource(), calleeSays: ToneSource())
                call.openAudio()
                try await eventually("\(step) events: \(call.story)") {
                    call.caller.events.count + call.callee.events.count >= step || call.caller.failure != nil
                }
                await call.close()
            }
        }

        @Test func callsLeaveNoDescriptorBehind() async throws {
            func oneCall() async throws {
                let call = try TestCall(callerSays: ToneSource(), calleeSays: ToneSource())
                try await call.connected()
                call.openAudio()
                try await call.callee.wait(for: .remoteMedia)
                await call.close()
            }
            try await oneCall()
            let before = try Self.entries("/proc/self/fd")
            let threads = Self.mediaThreads()
            for _ in 1...5 { try await oneCall() }
            try await eventually("the descriptors are closed") {
                (try? Self.entries("/proc/self/fd")) ?? .max <= before
            }
            // GLib keeps idle threads for a while to use them again.
            try await eventually("the threads end") { Self.mediaThreads() <= threads + 12 }
        }

        private static func entries(_ directory: String) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: directory).count
        }

        /// Threads of elements and of the ICE agent.
        private static func mediaThreads() -> Int {
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            return tasks.count { task in
                let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
                return ["audiotestsrc", "rtp", "queue", "nice", "webrtc", "dtls"].contains {
                    name?.hasPrefix($0) == true
                }
            }
        }
    }
}
