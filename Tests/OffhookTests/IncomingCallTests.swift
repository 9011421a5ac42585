// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookTesting
import OffhookWire
import Testing
import VirtualPhone

/// Incoming calls on the virtual phone, from the push to the end.
@Suite(.timeLimit(.minutes(2))) struct IncomingCallTests {
    private let id = Bench.call

    @Test(
        "K3, R8, R61, P08, P10, P26: a push to an app that does not run rings inside the callback",
        arguments: [true, false])
    func coldPush(_ hasMetadata: Bool) async throws {
        let bench = Bench(system: hasMetadata ? SystemVersion(26, 4) : SystemVersion(26, 3), locked: true)
        defer { bench.close() }
        try await bench.ring()
        #expect(bench.phone.screen.incoming.first?.callerName == "Alice")
        #expect(bench.phone.screen.incoming.first?.call == id.uuid)
        await bench.advance(by: .seconds(8))
        await bench.until("the outcome is told") { bench.app?.outcomes == [.accepted] }
        #expect(bench.app?.calls.currentCalls.map(\.state) == [.incoming])
        bench.expectClean()
    }

    @Test("C1, A1, R70: claim, fulfil, didActivate, audio, voice") func answer() async throws {
        let bench = Bench(locked: true)
        defer { bench.close() }
        try await bench.ring()
        try bench.phone.user.answer()
        await bench.until("the answer is claimed") { bench.heard(.answer(call: id)) }
        #expect(bench.phone.snapshot.calls.first?.phase == .answering)
        #expect(bench.phone.timeline.entries.count { $0.text == "set the audio category" } == 1)  // R69, C2
        #expect(bench.media.entries(id).isEmpty)
        bench.server.say(.answered(call: id))
        await bench.until("media starts") { bench.media.entries(id) == [.made(.answerer)] }
        #expect(!bench.phone.snapshot.isCallAudioActive)
        await bench.advance(by: .milliseconds(50))
        await bench.until("audio opens") { bench.media.entries(id) == [.made(.answerer), .audioOpen(true)] }
        #expect(bench.app?.calls.currentCalls.map(\.state) == [.connecting])  // R73
        bench.media.say(.connected, for: id)
        bench.media.say(.remoteMedia, for: id)
        await bench.until("the call is active") { bench.heard(.connected(call: id)) }
        #expect(bench.app?.calls.currentCalls.map(\.state) == [.active])
        try bench.phone.user.hangUp()
        await bench.until("the server hears the end") { bench.heard(.hangup(call: id, reason: .localHangup)) }
        await bench.advance(by: .seconds(1))
        await bench.until("the session closes") {
            bench.media.entries(id) == [.made(.answerer), .audioOpen(true), .closed]
        }
        #expect(bench.phone.recents.map(\.outcome) == [.answered])
        #expect(!bench.phone.snapshot.isCallAudioActive)
        bench.expectClean()
    }

    @Test("P27, R31: a decline with the app killed reaches the server") func decline() async throws {
        let bench = Bench(locked: true)
        defer { bench.close() }
        try await bench.ring()
        try bench.phone.user.decline()
        await bench.until("the server hears the decline") { bench.heard(.decline(call: id)) }
        await bench.advance(by: .seconds(1))
        #expect(bench.phone.recents.map(\.outcome) == [.declined])
        await bench.until("the app is told the end") { bench.app?.last(id)?.state == .ended(.declined) }
        bench.expectClean()
    }

    @Test("P19, R32: the caller gives up: the phone stops ringing") func cancelled() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.ring()
        bench.server.say(.ended(call: id, reason: .callerCancelled))
        await bench.until("the phone stops ringing") { bench.phone.screen.incoming.isEmpty }
        await bench.advance(by: .seconds(8))
        #expect(bench.phone.recents.map(\.outcome) == [.missed])
        bench.expectClean()
    }

    @Test("C11: the other side hangs up") func remoteEnd() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.talk()
        bench.server.say(.ended(call: id, reason: .remoteEnded))
        await bench.until("the phone is at rest") { bench.phone.screen.inCall.isEmpty }
        await bench.advance(by: .seconds(1))
        await bench.until("the session closes") { bench.media.entries(id).last == .closed }
        await bench.until("the app is told every state") {
            bench.app?.states(id) == [.incoming, .connecting, .active, .ended(.remoteEnded)]
        }
        bench.expectClean()
    }

    @Test("P21, race 2: another device answered") func answeredElsewhere() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.ring()
        try bench.phone.user.answer()
        await bench.until("the answer is claimed") { bench.heard(.answer(call: id)) }
        bench.server.say(.ended(call: id, reason: .answeredElsewhere))
        await bench.until("the phone is at rest") { bench.phone.snapshot.calls.isEmpty }
        await bench.advance(by: .seconds(1))
        #expect(bench.media.entries(id).isEmpty)
        await bench.until("the app is told the end") { bench.app?.last(id)?.state == .ended(.answeredElsewhere) }
        #expect(bench.phone.recents.map(\.outcome) == [.answeredElsewhere])
        bench.expectClean()
    }

    @Test("P03, R63: an invitation past its time is reported, ended as unanswered, and nothing rings")
    func expired() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.register()
        let invitation = bench.invitation(lasting: .seconds(5))
        await bench.advance(by: .seconds(6))
        try bench.push(try PushPayload(invitation: invitation).encoded())
        await bench.until("the outcome is told") { bench.app?.outcomes == [.expired] }
        await bench.until("nothing rings") { bench.phone.screen.incoming.isEmpty }
        await bench.advance(by: .seconds(8))
        #expect(bench.phone.snapshot.calls.isEmpty)
        bench.expectClean()
    }

    @Test("R33: a phone whose clock is set wrongly rings by the server's time", arguments: [-3600, 3600])
    func wrongClock(_ seconds: Int) async throws {
        let bench = Bench()
        defer { bench.close() }
        bench.server.setClock(ahead: .seconds(seconds))
        await bench.open()
        await bench.until("the app is online") { bench.app?.connection == .online }
        var invitation = bench.invitation()
        invitation.issuedAt = invitation.issuedAt + .seconds(seconds)
        invitation.expiresAt = invitation.expiresAt + .seconds(seconds)
        try bench.push(try PushPayload(invitation: invitation).encoded())
        await bench.until("the phone rings") { bench.phone.screen.incoming.first?.call == id.uuid }
        await bench.advance(by: .seconds(46))
        await bench.until("it stops in time") { bench.app?.last(id)?.state == .ended(.unanswered) }
        bench.expectClean()
    }

    @Test("P01, R63: payloads that cannot be read are reported and ended; the live call goes on")
    func undecodable() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.talk()
        let payloads = ["{}", "{\"aps\":{}}", "{\"offhook\":{\"v\":99}}", "{\"offhook\":\"{\"}", "{\"offhook\":[1]}"]
        for (index, payload) in payloads.enumerated() {
            try bench.push(Array(payload.utf8))
            await bench.until("push \(index) is told") {
                bench.app?.outcomes.count { $0 == .undecodable } == index + 1
            }
        }
        await bench.advance(by: .seconds(8))
        #expect(bench.app?.calls.currentCalls.map(\.state) == [.active])
        #expect(bench.phone.snapshot.calls.map(\.uuid) == [id.uuid])
        bench.expectClean()
    }

    @Test("P01, DTS1: an unreadable push to a killed app is reported, ended, and the next call rings")
    func undecodableCold() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.register()
        try bench.push(Array("{\"something\":\"else\"}".utf8))
        await bench.until("the outcome is told") { bench.app?.outcomes == [.undecodable] }
        await bench.advance(by: .seconds(8))
        #expect(bench.phone.snapshot.calls.isEmpty)
        try bench.push(try PushPayload(invitation: bench.invitation()).encoded())
        await bench.until("the phone rings") { bench.phone.screen.incoming.first?.call == id.uuid }
        bench.expectClean()
    }

    @Test("P05, R25: Do Not Disturb: no ring, no phantom, the push completed") func doNotDisturb() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.register()
        bench.phone.user.setDoNotDisturb(true)
        try bench.push(try PushPayload(invitation: bench.invitation()).encoded())
        await bench.until("the call ended") { bench.app?.last(id)?.state == .ended(.failed) }
        #expect(bench.app?.last(id)?.failure?.code == .filtered)
        await bench.advance(by: .seconds(8))
        #expect(bench.app?.calls.currentCalls == [])
        bench.expectClean()
    }

    @Test("R33: nobody answers: the phone stops at 45 seconds") func ringTimeout() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.ring()
        await bench.advance(by: .seconds(44))
        #expect(!bench.phone.screen.incoming.isEmpty)
        await bench.advance(by: .seconds(2))
        await bench.until("the phone stops ringing") { bench.phone.screen.incoming.isEmpty }
        await bench.until("the app is told the end") { bench.app?.last(id)?.state == .ended(.unanswered) }
        #expect(bench.phone.recents.map(\.outcome) == [.missed])
        bench.expectClean()
    }

    @Test("R48, P36: mute on the screen and in the app are one") func mute() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.talk()
        try bench.phone.user.setMuted(true)
        await bench.until("the gate turns") { bench.media.entries(id).last == .muted(true) }
        await bench.until("the app knows") { bench.app?.last(id)?.muted == true }
        try await bench.app?.calls.setMuted(false, for: id).get()
        await bench.until("the gate turns back") { bench.media.entries(id).last == .muted(false) }
        #expect(bench.phone.screen.inCall.first?.isMuted == false)
        let updates: [ClientMessage.Body] = [true, false].map { .update(call: id, update: CallUpdate(muted: $0)) }
        await bench.until("the other side is told") { bench.server.heard.suffix(2) == updates[...] }
        bench.expectClean()
    }

    @Test("R47: hold on the screen and resume in the app") func hold() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.talk()
        try bench.phone.user.setHeld(true)
        await bench.until("the call is held") { bench.app?.last(id)?.state == .held }
        await bench.advance(by: .seconds(1))
        let held = bench.media.entries(id)
        #expect(held.contains(.held(true)))
        async let resumed = bench.app?.calls.setHeld(false, for: id)
        await bench.until("the call waits for the sound") { bench.app?.last(id)?.isResuming == true }
        await bench.advance(by: .milliseconds(100))
        await bench.until("the call is resumed") { bench.app?.last(id)?.state == .active }
        #expect(await resumed?.status == .applied)
        await bench.advance(by: .seconds(1))
        await bench.until("the session goes on") { bench.media.entries(id).contains(.held(false)) }
        bench.expectClean()
    }

    @Test("A5: the server does not confirm: the call fails after the budget, the action is completed")
    func silentServer() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.ring()
        bench.server.setSilent(true)
        try bench.phone.user.answer()
        await bench.until("the answer is claimed") { bench.heard(.answer(call: id)) }
        await bench.advance(by: .seconds(11))
        await bench.until("the call failed") { bench.app?.last(id)?.state == .ended(.failed) }
        #expect(bench.app?.last(id)?.failure?.code == .serverUnreachable)
        await bench.advance(by: .seconds(60))
        #expect(bench.phone.snapshot.calls.isEmpty)
        bench.expectClean()
    }

    @Test("R22: the call daemon restarts: everything is dropped, nothing is left") func reset() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.talk()
        bench.phone.faults.restartDaemon()
        await bench.until("the call ended") { bench.app?.last(id)?.state == .ended(.failed) }
        await bench.until("media stopped") { bench.media.entries(id).last == .closed }
        #expect(bench.app?.last(id)?.failure?.code == .providerReset)
        await bench.advance(by: .seconds(1))
        bench.expectClean()
    }

    @Test("A media description too large for a frame ends its call, not the connection") func largeSignal() async throws
    {
        let bench = Bench()
        defer { bench.close() }
        try await bench.talk()
        let connections = bench.server.headers.count
        bench.media.say(.signal(MediaSignal(kind: .offer, body: String(repeating: "\n", count: 40_000))), for: id)
        await bench.until("the call failed") { bench.app?.last(id)?.failure?.code == .mediaFailed }
        await bench.until("the server hears it") { bench.heard(.hangup(call: id, reason: .failed)) }
        #expect(bench.server.headers.count == connections)
        await bench.advance(by: .seconds(1))
        bench.expectClean()
    }

    @Test("S1, S2: the app is told when the audio window opens and closes") func audioWindow() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.talk()
        #expect(bench.app?.windows == [true])
        try bench.phone.user.hangUp()
        await bench.advance(by: .seconds(1))
        await bench.until("the window is closed") { bench.app?.windows == [true, false] }
        bench.expectClean()
    }

    @Test("A tampered peer: the call fails and says why") func peerIdentity() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.talk()
        bench.media.say(.failed(MediaFailure(.peerIdentity, "The peer's certificate is another.")), for: id)
        await bench.until("the call failed") { bench.app?.last(id)?.state == .ended(.failed) }
        #expect(bench.app?.last(id)?.failure == CallFailure(.peerIdentity, "The peer's certificate is another."))
        await bench.until("the server hears it") { bench.heard(.hangup(call: id, reason: .failed)) }
        await bench.advance(by: .seconds(1))
        bench.expectClean()
    }
}
