// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookTesting
import OffhookWire
import Testing
import VirtualPhone

/// Outgoing calls on the virtual phone.
@Suite(.timeLimit(.minutes(2))) struct OutgoingCallTests {
    private let bob = Handle(value: "bob")

    private func dial(_ bench: Bench) async throws -> CallID {
        await bench.open()
        let app = try #require(bench.app)
        return try await app.calls.startCall(to: bob, displayName: "Bob").get()
    }

    @Test("R40-R44, O2: server, phone, ring, answer, voice, end") func wholeCall() async throws {
        let bench = Bench()
        defer { bench.close() }
        let id = try await dial(bench)
        await bench.until("the server hears it") { bench.heard(.invite(call: id, to: bob, video: false)) }
        #expect(bench.phone.screen.inCall.first?.callerName == "Bob")
        #expect(bench.phone.screen.inCall.first?.canHold == true)  // O4
        bench.server.say(.ringing(call: id))
        await bench.until("it rings there") { bench.app?.last(id)?.remoteRinging == true }
        await bench.advance(by: .seconds(1))
        #expect(bench.media.entries(id).isEmpty)
        bench.server.say(.answered(call: id))
        await bench.until("media starts") { bench.media.entries(id) == [.made(.offerer), .audioOpen(true)] }
        #expect(bench.phone.screen.inCall.first?.status != .timer)  // C10
        bench.media.say(.signal(MediaSignal(kind: .offer, body: "offer")), for: id)
        await bench.until("the offer goes out") {
            bench.heard(.media(call: id, signal: MediaSignal(kind: .offer, body: "offer")))
        }
        bench.server.say(.media(call: id, signal: MediaSignal(kind: .answer, body: "answer")))
        await bench.until("the answer comes in") {
            bench.media.entries(id).last == .received(MediaSignal(kind: .answer, body: "answer"))
        }
        bench.media.say(.remoteMedia, for: id)
        await bench.until("the timer runs") { bench.phone.screen.inCall.first?.status == .timer }
        try await bench.app?.calls.end(id).get()
        await bench.until("the server hears it") { bench.heard(.hangup(call: id, reason: .localHangup)) }
        await bench.advance(by: .seconds(1))
        await bench.until("the app is told every state") {
            bench.app?.states(id) == [.outgoing, .connecting, .active, .ended(.localHangup)]
        }
        #expect(bench.phone.recents.map(\.outcome) == [.answered])
        bench.expectClean()
    }

    @Test("R42: an unknown user: no call UI, and a clear error") func unknownUser() async throws {
        let bench = Bench()
        defer { bench.close() }
        bench.server.refuse(WireFailure(code: .unknownUser, message: "No such user.")) {
            if case .invite = $0 { true } else { false }
        }
        await #expect { try await dial(bench) } throws: { error in
            (error as? OffhookError)?.code == .refusedByServer && (error as? OffhookError)?.message == "No such user."
        }
        #expect(bench.phone.screen.inCall.isEmpty)
        #expect(bench.app?.calls.currentCalls == [])
        bench.expectClean()
    }

    @Test("R42, R83: no server: no call UI, an error after ten seconds") func noServer() async throws {
        let bench = Bench()
        defer { bench.close() }
        await bench.open()
        bench.server.goAway()
        let app = try #require(bench.app)
        let attempt = Task { try await app.calls.startCall(to: bob).get() }
        await bench.until("the call is tried") { !app.calls.currentCalls.isEmpty }
        await bench.advance(by: .seconds(11))
        let result = await attempt.result
        #expect(throws: OffhookError.self) { try result.get() }
        if case .failure(let error as OffhookError) = result { #expect(error.code == .serverUnreachable) }
        #expect(bench.phone.screen.inCall.isEmpty)
        bench.expectClean()
    }

    @Test("R45: the callee declines") func declined() async throws {
        let bench = Bench()
        defer { bench.close() }
        let id = try await dial(bench)
        bench.server.say(.ended(call: id, reason: .declined))
        await bench.until("the phone is at rest") { bench.phone.screen.inCall.isEmpty }
        await bench.until("the app is told the end") { bench.app?.last(id)?.state == .ended(.declined) }
        await bench.advance(by: .seconds(1))
        bench.expectClean()
    }

    @Test("R43: a second call is busy") func busy() async throws {
        let bench = Bench()
        defer { bench.close() }
        _ = try await dial(bench)
        await #expect { try await bench.app?.calls.startCall(to: Handle(value: "carol")).get() } throws: { error in
            (error as? OffhookError)?.code == .busy
        }
        try bench.phone.user.hangUp()
        await bench.until("the phone is at rest") { bench.phone.screen.inCall.isEmpty }
        bench.expectClean()
    }

    @Test("R31: the user cancels on the call screen") func cancel() async throws {
        let bench = Bench()
        defer { bench.close() }
        let id = try await dial(bench)
        try bench.phone.user.hangUp()
        await bench.until("the server hears it") { bench.heard(.cancel(call: id)) }
        await bench.advance(by: .seconds(1))
        await bench.until("the app is told the end") { bench.app?.last(id)?.state == .ended(.localHangup) }
        bench.expectClean()
    }

    @Test("Media that cannot be made ends the call and says why") func brokenMedia() async throws {
        let bench = Bench()
        defer { bench.close() }
        let id = try await dial(bench)
        bench.media.fail(MediaFailure(.engine, "The plug-in opus is missing."))
        bench.server.say(.answered(call: id))
        await bench.until("the call failed") { bench.app?.last(id)?.state == .ended(.failed) }
        #expect(bench.app?.last(id)?.failure == CallFailure(.mediaFailed, "The plug-in opus is missing."))
        await bench.until("the server hears it") { bench.heard(.hangup(call: id, reason: .failed)) }
        await bench.advance(by: .seconds(1))
        bench.expectClean()
    }

    @Test("A handle that is empty or too long is refused at once") func badHandle() async throws {
        let bench = Bench()
        defer { bench.close() }
        await bench.open()
        for handle in [Handle(value: ""), Handle(value: String(repeating: "x", count: 257))] {
            await #expect { try await bench.app?.calls.startCall(to: handle).get() } throws: { error in
                (error as? OffhookError)?.code == .invalidArgument
            }
        }
        #expect(bench.app?.calls.currentCalls == [])
    }
}
