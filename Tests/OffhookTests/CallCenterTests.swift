// SPDX-License-Identifier: MIT

import Dispatch
import Offhook
import OffhookTesting
import OffhookWire
import Testing
import VirtualPhone

/// The call center's own promises: start, streams, errors.
@Suite(.timeLimit(.minutes(2))) struct CallCenterTests {
    @Test("R8: a second start does nothing") func startTwice() async throws {
        let bench = Bench()
        defer { bench.close() }
        await bench.open()
        bench.app?.calls.start()
        bench.app?.calls.start()
        await bench.advance(by: .seconds(1))
        #expect(bench.phone.timeline.entries.count { $0.text == "created a provider" } == 1)
        #expect(bench.server.messages.count { if case .hello = $0.body { true } else { false } } == 1)
        bench.expectClean()
    }

    @Test("A command before start() says what to do") func notStarted() async throws {
        let configuration = CallCenter.Configuration(
            serverURL: "ws://server", sessionToken: { "token" }, deviceID: "device", bundleIdentifier: "bundle")
        let calls = CallCenter(
            configuration: configuration, media: RecordingMedia(), transport: ScriptedServer(),
            clock: ManualClock(now: Instant(milliseconds: 0)))
        await #expect { try await calls.startCall(to: Handle(value: "bob")).get() } throws: { error in
            (error as? OffhookError)?.code == .notStarted
        }
        #expect(calls.currentCalls == [])
    }

    @Test("Every stream is new and begins with the state of now") func streams() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.ring()
        let calls = try #require(bench.app?.calls)
        for _ in 0..<2 {
            var states = calls.calls.makeAsyncIterator()
            #expect(await states.next()?.map(\.state) == [.incoming])
            var events = calls.events.makeAsyncIterator()
            guard case .snapshot(let first)? = await events.next() else {
                Issue.record("the first event is no snapshot")
                return
            }
            #expect(first.map(\.id) == [Bench.call])
        }
    }

    @Test("Streams end when the call center stops, and commands on their way fail") func stop() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.ring()
        let calls = try #require(bench.app?.calls)
        let events = calls.events
        let ended = Task { for await _ in events {} }
        calls.stop()
        await ended.value
        await #expect { try await calls.end(Bench.call).get() } throws: { error in
            (error as? OffhookError)?.code == .notStarted
        }
        await bench.until("the server is left") { !bench.server.isConnected }
        await bench.until("the phone shows nothing") { bench.phone.snapshot.calls.isEmpty }  // P3
    }

    @Test("Streams of a call center that is stopped before it was started end") func stopBeforeStart() async throws {
        let configuration = CallCenter.Configuration(
            serverURL: "ws://server", sessionToken: { "token" }, deviceID: "device", bundleIdentifier: "bundle")
        let calls = CallCenter(
            configuration: configuration, media: RecordingMedia(), transport: ScriptedServer(),
            clock: ManualClock(now: Instant(milliseconds: 0)))
        let (states, events) = (calls.calls, calls.events)
        calls.stop()
        calls.start()
        for await _ in states {}
        for await _ in events {}
        await #expect { try await calls.end(Bench.call).get() } throws: { error in
            (error as? OffhookError)?.message == "It was stopped; make a new call center."
        }
    }

    @Test("The system's clock wakes its timer, and again after it was set anew") func systemTimer() async throws {
        let clock = SystemClock()
        let (fired, continuation) = AsyncStream.makeStream(of: Void.self)
        let timer = clock.makeTimer(queue: DispatchQueue(label: "timer")) { continuation.yield() }
        var wakes = fired.makeAsyncIterator()
        for delay in [20, 0] {
            timer.set(clock.now + .milliseconds(delay))
            _ = try #require(await wakes.next())
        }
        timer.set(nil)
    }

    @Test("A token that cannot be had is a warning, and is asked for again") func noToken() async throws {
        let bench = Bench { configuration in
            configuration.sessionToken = { throw OffhookError(.unauthorized, "signed out") }
        }
        defer { bench.close() }
        bench.phone.open(Bench.bundle)
        await bench.until("the app runs") { bench.app != nil }
        let calls = try #require(bench.app?.calls)
        let events = calls.events
        let warning = Task { () -> OffhookError.Code? in
            for await event in events {
                if case .warning(let error) = event { return error.code }
            }
            return nil
        }
        await bench.advance(by: .seconds(5))
        #expect(await warning.value == .unauthorized)
        #expect(bench.server.headers.isEmpty)
    }

    @Test("Media is warmed up once at launch") func warmUp() async throws {
        let bench = Bench()
        defer { bench.close() }
        await bench.open()
        await bench.until("the engine is prepared") { bench.media.preparations == 1 }
    }

    @Test("An answer in the app goes through CallKit") func answerInApp() async throws {
        let bench = Bench(media: RecordingMedia(negotiates: false))
        defer { bench.close() }
        try await bench.ring()
        let calls = try #require(bench.app?.calls)
        let answer = Task { await calls.answer(Bench.call) }
        await bench.until("the answer is claimed") { bench.heard(.answer(call: Bench.call)) }
        bench.server.say(.answered(call: Bench.call))
        #expect(await answer.value.status == .applied)
        #expect(bench.phone.snapshot.calls.first?.phase == .connected)
        bench.expectClean()
    }
}
