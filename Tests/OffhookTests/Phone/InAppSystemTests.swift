// SPDX-License-Identifier: MIT

import Foundation
import OffhookCore
import OffhookTesting
import OffhookWire
import Testing
import VirtualPhone

@testable import Offhook

/// Calls where CallKit must not be used.
@Suite(.timeLimit(.minutes(2))) struct InAppSystemTests {
    private let call = Bench.call

    @Test("R132, P47: off in mainland China alone, unless the app says otherwise") func decision() {
        #expect(!CallCenter.CallKitUse.automatic.isOn(in: "CN"))
        for region in ["HK", "MO", "TW", "US", nil] { #expect(CallCenter.CallKitUse.automatic.isOn(in: region)) }
        #expect(CallCenter.CallKitUse.on.isOn(in: "CN"))
        #expect(!CallCenter.CallKitUse.off.isOn(in: "US"))
    }

    private func bench(_ region: String = "CN") -> Bench {
        let bench = Bench { $0.region = { region } }
        bench.phone.setRegion(region)
        return bench
    }

    private func open(_ bench: Bench) async {
        bench.phone.open(Bench.bundle)
        await bench.until("the app is online") { bench.app?.connection == .online }
    }

    @Test("R132, C13, P47: not one object of CallKit or PushKit is made") func noObjects() async throws {
        let bench = bench()
        defer { bench.close() }
        await open(bench)
        #expect(bench.phone.pushToken(for: Bench.bundle) == nil)
        #expect(!bench.phone.violations.contains { $0.rule == "R132" }, "\(bench.phone.violations)")
        bench.expectClean()
    }

    @Test("R132: elsewhere CallKit is used, and in China it would be seen") func elsewhere() async throws {
        let bench = Bench { $0.region = { "US" } }
        defer { bench.close() }
        bench.phone.setRegion("CN")
        await bench.open()
        #expect(bench.phone.violations.contains { $0.rule == "R132" })
    }

    @Test("R132, R70, S1: a call by the app alone: it rings, is answered, has its audio window, and ends")
    func wholeCall() async throws {
        let bench = bench()
        defer { bench.close() }
        await open(bench)
        bench.server.say(.invited(bench.invitation()))
        await bench.until("it rings in the app") { bench.app?.calls.currentCalls.map(\.state) == [.incoming] }
        #expect(bench.phone.screen.incoming.isEmpty)
        let calls = try #require(bench.app?.calls)
        let answer = Task { await calls.answer(call) }
        await bench.until("the answer is claimed") { bench.heard(.answer(call: call)) }
        #expect(bench.phone.audioSession(of: Bench.bundle)?.isActive == false)
        bench.server.say(.answered(call: call))
        await bench.until("the audio window opens") { bench.media.entries(call).contains(.audioOpen(true)) }
        _ = await answer.value
        let session = bench.phone.audioSession(of: Bench.bundle)
        #expect(session?.isActive == true)
        #expect(session?.category == "AVAudioSessionCategoryPlayAndRecord")
        bench.media.say(.connected, for: call)
        bench.media.say(.remoteMedia, for: call)
        await bench.until("the call is active") { bench.app?.last(call)?.state == .active }
        _ = await calls.setHeld(true, for: call)
        await bench.until("the session is given back while held") {
            bench.phone.audioSession(of: Bench.bundle)?.isActive == false
        }
        _ = await calls.setHeld(false, for: call)
        await bench.until("and taken again") { bench.phone.audioSession(of: Bench.bundle)?.isActive == true }
        bench.server.say(.ended(call: call, reason: .remoteEnded))
        await bench.until("the call is over") { bench.app?.last(call)?.state == .ended(.remoteEnded) }
        await bench.until("the session is given back") {
            bench.phone.audioSession(of: Bench.bundle)?.isActive == false
        }
        bench.expectClean()
    }

    @Test("R132: an outgoing call is made without a transaction") func outgoing() async throws {
        let bench = bench()
        defer { bench.close() }
        await open(bench)
        let calls = try #require(bench.app?.calls)
        _ = await calls.startCall(to: Handle(value: "bob"))
        let call = try #require(calls.currentCalls.first?.id)
        await bench.until("it is on its way") { calls.currentCalls.first?.state == .outgoing }
        _ = await calls.end(call)
        await bench.until("the server hears the end") { bench.heard(.cancel(call: call)) }
        #expect(calls.currentCalls.isEmpty)
        bench.expectClean()
    }

    @Test("R132, R121: in the background an ordinary notification's call rings by a local one, which goes with it")
    func notification() async throws {
        let bench = bench()
        defer { bench.close() }
        bench.phone.user.setAllowsNotifications(true, of: Bench.bundle)
        await open(bench)
        let calls = try #require(bench.app?.calls)
        let permissions = try await calls.requestPermissions()
        #expect(permissions.microphone == .granted)
        let payload = try JSONSerialization.jsonObject(
            with: Data(try PushPayload(invitation: bench.invitation()).encoded()))
        bench.phone.user.goHome()
        await bench.settle()
        await bench.settle()
        #expect(calls.receiveNotification(try #require(payload as? [AnyHashable: Any])))
        #expect(!calls.receiveNotification(["aps": ["alert": "hello"]]))
        await bench.until("it rings on the lock screen") { bench.phone.notifications.map(\.title) == ["Alice"] }
        #expect(bench.phone.notifications.first?.category == CallCenter.incomingCallCategory)
        _ = await calls.end(call)
        await bench.until("the notification is gone") { bench.phone.notifications.isEmpty }
        bench.expectClean()
    }

    @Test("R53, V7: another sound closes the window, and it opens again afterwards") func interruption() async throws {
        let bench = bench()
        defer { bench.close() }
        await open(bench)
        bench.server.say(.invited(bench.invitation()))
        await bench.until("it rings in the app") { bench.app?.calls.currentCalls.map(\.state) == [.incoming] }
        let calls = try #require(bench.app?.calls)
        let answer = Task { await calls.answer(call) }
        await bench.until("the answer is claimed") { bench.heard(.answer(call: call)) }
        bench.server.say(.answered(call: call))
        _ = await answer.value
        await bench.until("the window opens") { bench.app?.windows == [true] }
        try bench.phone.interruptAudio(by: .alarm)
        await bench.until("the window closes") { bench.app?.windows == [true, false] }
        try bench.phone.endAudioInterruption()
        await bench.until("the window opens again") { bench.app?.windows == [true, false, true] }
    }
}
