// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookTesting
import OffhookWire
import Testing
import VirtualPhone

/// Media engines that break the contract: the phone's rules hold all the same.
@Suite(.timeLimit(.minutes(3))) struct HostileMediaTests {
    /// Answers a pushed call, so that media starts.
    private func answer(_ bench: Bench, _ media: HostileMedia) async throws {
        try await bench.ring()
        try bench.phone.user.answer()
        await bench.until("the answer is claimed") { bench.heard(.answer(call: Bench.call)) }
        bench.server.say(.answered(call: Bench.call))
        await bench.until("the engine is asked for a session") { !media.calls.isEmpty }
        await bench.advance(by: .milliseconds(50))
    }

    private func end(_ bench: Bench) async throws -> Call {
        await bench.until("the call ends") { bench.app?.last(Bench.call)?.hasEnded == true }
        return try #require(bench.app?.last(Bench.call))
    }

    @Test("K3, R92: a push is reported in time while the engine hangs in makeSession")
    func pushWhileBlocked() async throws {
        let media = HostileMedia(.blocks("makeSession"))
        let bench = Bench(engine: media)
        defer {
            media.release()
            bench.close()
        }
        try await answer(bench, media)
        await bench.until("the engine hangs") { media.blocked == 1 }
        let second = CallID(high: 0xC, low: 0xD)
        try bench.push(try PushPayload(invitation: bench.invitation(second)).encoded())
        await bench.until("the second push is dealt with") { bench.app?.outcomes.count == 2 }
        #expect(media.blocked == 1)
        #expect(bench.app?.last(Bench.call)?.state == .connecting)
        bench.expectClean()
    }

    @Test(
        "R92: a method that does not return ends the call with a message that names engine and method",
        arguments: [
            ("makeSession", "makeSession(_:events:)"), ("receive", "receive(_:)"),
            ("setAudioOpen", "setAudioOpen(_:)"),
        ])
    func blockedMethod(method: String, name: String) async throws {
        let media = HostileMedia(.blocks(method))
        let bench = Bench(engine: media)
        defer {
            media.release()
            bench.close()
        }
        try await answer(bench, media)
        bench.server.say(.media(call: Bench.call, signal: MediaSignal(kind: .offer, body: "offer")))
        await bench.until("the engine hangs") { media.blocked == 1 }
        await bench.advance(by: .milliseconds(4900))
        #expect(bench.app?.last(Bench.call)?.hasEnded == false)
        await bench.advance(by: .milliseconds(200))
        let call = try await end(bench)
        #expect(call.state == .ended(.failed))
        #expect(call.failure?.code == .mediaFailed)
        #expect(call.failure?.message.contains("HostileMedia did not return from \(name)") == true)
        #expect(bench.phone.screen.inCall.isEmpty)
        bench.expectClean()
    }

    @Test("R92: a close that does not return is a warning; the call has ended all the same")
    func blockedClose() async throws {
        let media = HostileMedia(.blocks("close"))
        let bench = Bench(engine: media)
        defer {
            media.release()
            bench.close()
        }
        try await answer(bench, media)
        try bench.phone.user.hangUp()
        _ = try await end(bench)
        await bench.until("the engine hangs") { media.blocked == 1 }
        await bench.advance(by: .seconds(6))
        await bench.until("the app is warned") {
            bench.app?.warnings.contains { $0.message.contains("did not return from close()") } == true
        }
        bench.expectClean()
    }

    @Test("R92: an engine that throws an error of its own fails the call, and is named")
    func throwing() async throws {
        let media = HostileMedia(.throwsError)
        let bench = Bench(engine: media)
        defer { bench.close() }
        try await answer(bench, media)
        let call = try await end(bench)
        #expect(call.failure?.code == .mediaFailed)
        #expect(call.failure?.message.contains("HostileMedia made no session") == true)
        bench.expectClean()
    }

    @Test("R92, R94: everything said inside makeSession, from many threads: one connected call, nothing else")
    func shouting() async throws {
        let media = HostileMedia(.shouts)
        let bench = Bench(engine: media)
        defer { bench.close() }
        try await answer(bench, media)
        await bench.until("the call is active") { bench.app?.last(Bench.call)?.state == .active }
        #expect(bench.app?.states(Bench.call) == [.incoming, .connecting, .active])
        #expect(!bench.server.heard.contains { if case .media = $0 { true } else { false } })
        bench.expectClean()
    }

    @Test("K3, R92: an engine that floods fails its call; pushes are reported meanwhile")
    func flooding() async throws {
        let media = HostileMedia(.floods)
        let bench = Bench(engine: media)
        defer { bench.close() }
        try await answer(bench, media)
        let call = try await end(bench)
        #expect(call.failure?.code == .mediaFailed)
        #expect(call.failure?.message.contains("HostileMedia sent more than 1000 events") == true)
        let second = CallID(high: 0xC, low: 0xD)
        try bench.push(try PushPayload(invitation: bench.invitation(second)).encoded())
        await bench.until("the next call rings") { !bench.phone.screen.incoming.isEmpty }
        bench.expectClean()
    }

    @Test("M3: what an engine says after close counts for nothing")
    func talkingAfterClose() async throws {
        let media = HostileMedia(.talksAfterClose)
        let bench = Bench(engine: media)
        defer { bench.close() }
        try await answer(bench, media)
        try bench.phone.user.hangUp()
        let call = try await end(bench)
        await bench.until("the session is closed") { media.calls.last == "close" }
        await bench.settle()
        #expect(call.state == .ended(.localHangup) && call.failure == nil)
        #expect(bench.app?.warnings.isEmpty == true)
        bench.expectClean()
    }

    @Test("R94: an engine that never answers: the call ends at its deadline")
    func silence() async throws {
        let media = HostileMedia(.isSilent)
        let bench = Bench(engine: media)
        defer { bench.close() }
        try await answer(bench, media)
        await bench.advance(by: .seconds(31))
        let call = try await end(bench)
        #expect(call.failure?.code == .mediaFailed)
        bench.expectClean()
    }
}
