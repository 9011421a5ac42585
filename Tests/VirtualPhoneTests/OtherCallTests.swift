// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// Cellular and FaceTime calls beside those of an app.
@Suite(.timeLimit(.minutes(1)))
struct OtherCallTests {
    private func inCall() async throws -> PhoneBench {
        let bench = PhoneBench()
        try await bench.talk()
        bench.probe.forgetEvents()
        return bench
    }

    private func settle(_ bench: PhoneBench) async {
        await bench.phone.advance(by: .milliseconds(100))
    }

    @Test("C1, C2: observers see calls of the network appear, connect and end, without a handle")
    func observers() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        _ = try await bench.open()
        let call = bench.phone.cellular.incoming(from: "+1 555 0100")
        await settle(bench)
        try bench.phone.user.answer()
        await settle(bench)
        bench.phone.faceTime.outgoing(to: "+1 555 0101")
        await settle(bench)
        #expect(bench.phone.snapshot.calls.map(\.other) == [.cellular, .faceTime])
        try bench.phone.cellular.endRemotely(call)
        await settle(bench)
        #expect(
            bench.probe.events == [
                "observer ringing", "observer connected", "observer outgoing", "observer held", "observer ended",
            ])
        #expect(!bench.probe.events.joined().contains("555"))
        #expect(!bench.phone.timeline.description.contains("555"))
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("C1, R46: a call of the network is a call of the phone: card, timer, indicator, Recents")
    func screen() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let number = HandleValue(type: 2, value: "+15550100")
        bench.phone.user.setContacts([Contact(name: "Bob", handles: [number], photo: Data([1]))])
        bench.phone.cellular.incoming(from: "+1 (555) 0100")
        let card = try #require(bench.phone.screen.incoming.first)
        #expect(card.appName == "Phone" && card.callerName == "Bob" && card.photo == Data([1]))
        #expect(card.address == "+1 (555) 0100")
        #expect(bench.phone.screen.showsCallIndicator)
        try bench.phone.user.answer()
        await bench.phone.advance(by: .seconds(5))
        let entry = try #require(bench.phone.screen.inCall.first)
        #expect(entry.timer == .seconds(5) && entry.status == .timer)
        try bench.phone.user.hangUp()
        #expect(bench.phone.screen.isHome && !bench.phone.screen.showsCallIndicator)
        let recent = try #require(bench.phone.recents.first)
        #expect(recent.app == OtherCallKind.cellular.app && recent.outcome == .answered)
        #expect(recent.duration == .seconds(5) && recent.name == "Bob")
    }

    @Test("I4: calls of the network obey Do Not Disturb with its exceptions, and the block list")
    func quiet() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let friend = HandleValue(type: 2, value: "15550100")
        bench.phone.user.setDoNotDisturb(true, exceptions: [friend])
        bench.phone.cellular.incoming(from: "+1 555 0199")
        #expect(bench.phone.screen.isHome)
        #expect(bench.phone.recents.map(\.outcome) == [.missed])
        let call = bench.phone.cellular.incoming(from: "+1 555 0100")
        #expect(bench.phone.screen.incoming.map(\.call) == [call])
        try bench.phone.cellular.endRemotely()
        bench.phone.user.setDoNotDisturb(false)
        bench.phone.user.block([friend])
        bench.phone.cellular.incoming(from: "+1-555-0100")
        bench.phone.faceTime.incoming(from: "+1-555-0100")
        #expect(bench.phone.screen.isHome)
        #expect(bench.phone.recents.count == 2)
    }

    @Test("R113, I4: a blocked caller of an app does not ring, in whatever way the number is written")
    func blockedCaller() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        bench.phone.user.block([
            HandleValue(type: 2, value: "+15550100"), HandleValue(type: 3, value: "eve@example.org"),
        ])
        var update = CallUpdateValue()
        update.remoteHandle = HandleValue(type: 2, value: "1 (555) 01-00")
        app.report(Calls.first, update: update)
        update.remoteHandle = HandleValue(type: 3, value: "Eve@Example.org")
        app.report(Calls.second, update: update)
        await bench.phone.settle()
        #expect(bench.probe.events == ["report error 4", "report error 4"])
        bench.phone.change { $0.handleMatching = .exact }
        app.report(Calls.third, update: update)
        await bench.phone.settle()
        #expect(bench.phone.screen.incoming.map(\.call) == [Calls.third])
        #expect(bench.phone.screen.incoming.first?.callerName == "Eve@Example.org")
    }

    @Test("T4: an app can do nothing to a call of the network", arguments: [false, true])
    func notOfTheApp(_ isAnswered: Bool) async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        let call = bench.phone.cellular.incoming(from: "1")
        if isAnswered { try bench.phone.user.answer() }
        await bench.phone.settle()
        app.request([(call, .end)])
        app.request([(call, .setHeld(true))])
        app.request([(call, .setGroup(with: nil))])
        app.end(call, reason: 2)
        await bench.phone.settle()
        #expect(bench.probe.events.filter { $0.hasPrefix("request") } == Array(repeating: "request error 4", count: 3))
        #expect(bench.phone.snapshot.calls.map(\.uuid) == [call])
    }

    @Test(
        "G2: a cellular call during an app's call: hold, then answered; end, then answered; declined",
        arguments: [AnswerChoice.holdAndAccept, .endAndAccept, .decline])
    func waitingCall(_ choice: AnswerChoice) async throws {
        let bench = try await inCall()
        defer { bench.close() }
        let call = bench.phone.cellular.incoming(from: "1")
        #expect(bench.phone.screen.incoming.first?.choices == [.holdAndAccept, .endAndAccept, .decline])
        let start = bench.lineCount
        try bench.phone.user.choose(choice)
        await settle(bench)
        let performed = bench.probe.events.filter { $0.hasPrefix("perform") }
        let calls = bench.phone.snapshot.calls
        switch choice {
        case .holdAndAccept:
            #expect(performed == ["perform hold"])
            #expect(calls.map(\.isOnHold) == [true, false])
            let lines = bench.lines(from: start)
            let held = try #require(lines.firstIndex { $0.contains("fulfilled CXSetHeldCallAction") })
            let connected = try #require(lines.firstIndex { $0.contains("call connected") })
            #expect(held < connected)
        case .endAndAccept:
            #expect(performed == ["perform end"])
            #expect(calls.map(\.uuid) == [call])
        case .decline, .answer:
            #expect(performed.isEmpty)
            #expect(calls.map(\.uuid) == [Calls.first])
            #expect(bench.phone.snapshot.isCallAudioActive)
        }
        if choice != .decline {
            #expect(bench.probe.events.contains("didDeactivate"))
            #expect(!bench.phone.snapshot.isCallAudioActive)
        }
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("G2, R39: an app's call during a cellular call: Hold & Accept holds the cellular one at once")
    func appCallWaits() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        let token = try await bench.register()
        let call = bench.phone.cellular.incoming(from: "1")
        try bench.phone.user.answer()
        bench.phone.receivePush(token: token, payload: Data("{}".utf8))
        await settle(bench)
        #expect(bench.phone.screen.incoming.first?.choices == [.holdAndAccept, .endAndAccept, .decline])
        try bench.phone.user.choose(.holdAndAccept)
        await settle(bench)
        #expect(bench.phone.snapshot.calls.map(\.isOnHold) == [true, false])
        #expect(bench.phone.snapshot.isCallAudioActive)
        try bench.phone.user.swap()
        await settle(bench)
        #expect(bench.phone.snapshot.calls.map(\.isOnHold) == [false, true])
        #expect(!bench.phone.snapshot.isCallAudioActive)
        #expect(bench.phone.snapshot.calls.first?.uuid == call)
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("G3: order 6: the user ends the cellular call: the held call is taken off hold, and its audio comes back")
    func endedHere() async throws {
        let bench = try await inCall()
        defer { bench.close() }
        bench.phone.cellular.incoming(from: "1")
        try bench.phone.user.choose(.holdAndAccept)
        await settle(bench)
        bench.probe.forgetEvents()
        let start = bench.lineCount
        try bench.phone.user.hangUp()
        await settle(bench)
        #expect(
            bench.timedLines(from: start) == [
                "0.000 user: tapped End [E1]",
                "0.000 phone: call ended [E1]",
                "0.000 phone: takes the held call off hold [G3]",
                "0.000 phone: asks provider(_:execute:) [T9]",
                "0.000 phone: performs CXSetHeldCallAction [G2]",
                "0.000 app: fulfilled CXSetHeldCallAction [G2]",
                "0.020 phone: activated the audio session [S1]",
                "0.020 app: started audio [S1]",
            ])
        #expect(bench.probe.events.filter { $0.hasPrefix("perform") } == ["perform unhold"])
        #expect(bench.probe.events.last == "didActivate")
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("G3, P33: order 6: the other side ends the cellular call: held until the user unholds; the app gets no audio")
    func endedThere() async throws {
        let bench = try await inCall()
        defer { bench.close() }
        let app = try #require(bench.probe.app)
        bench.phone.cellular.incoming(from: "1")
        try bench.phone.user.choose(.holdAndAccept)
        await settle(bench)
        await bench.phone.advance(by: .seconds(10))
        bench.probe.forgetEvents()
        let start = bench.lineCount
        try bench.phone.cellular.endRemotely()
        await bench.phone.advance(by: .seconds(60))
        #expect(
            bench.timedLines(from: start) == [
                "0.000 network: a cellular call was ended by its remote side [G3]",
                "0.000 phone: call ended [C2]",
                "0.000 phone: the call stays held until the user takes it off hold [G3]",
            ])
        #expect(bench.phone.screen.inCall.map(\.status) == [.onHold])
        #expect(!bench.probe.events.contains { $0.hasPrefix("perform") })
        // The app unholds by itself: fulfilled, yet without audio, and its session is refused.
        app.request([(Calls.first, .setHeld(false))])
        await bench.phone.advance(by: .seconds(5))
        #expect(bench.phone.snapshot.calls.map(\.isOnHold) == [false])
        #expect(!bench.probe.events.contains("didActivate"))
        #expect(
            app.process.send(.setAudioActive(active: true, options: 0))
                == .failure(PhoneError(domain: "NSOSStatusErrorDomain", code: 561_017_449)))
        // The user's buttons bring it back.
        try bench.phone.user.setHeld(true)
        await settle(bench)
        let unheld = bench.lineCount
        try bench.phone.user.setHeld(false)
        await settle(bench)
        #expect(
            bench.timedLines(from: unheld) == [
                "0.000 user: tapped Unhold [G2]",
                "0.000 phone: asks provider(_:execute:) [T9]",
                "0.000 phone: performs CXSetHeldCallAction [G2]",
                "0.000 app: fulfilled CXSetHeldCallAction [G2]",
                "0.020 phone: activated the audio session [S1]",
                "0.020 app: started audio [S1]",
            ])
        #expect(bench.probe.events.last == "didActivate")
    }

    @Test("G3: a cellular call that gave up ringing changes nothing for the active call")
    func gaveUp() async throws {
        let bench = try await inCall()
        defer { bench.close() }
        bench.phone.cellular.incoming(from: "1")
        try bench.phone.cellular.endRemotely()
        await settle(bench)
        #expect(bench.phone.snapshot.calls.map(\.isOnHold) == [false])
        #expect(bench.phone.snapshot.isCallAudioActive)
        #expect(bench.phone.recents.map(\.outcome) == [.missed])
        #expect(!bench.probe.events.contains { $0.hasPrefix("perform") })
    }

    @Test("G2: a cellular call that the user places holds the app's call first, and ends one that cannot be held")
    func placed() async throws {
        for canHold in [true, false] {
            let bench = try await inCall()
            defer { bench.close() }
            try #require(bench.probe.app).update(Calls.first) { $0.supportsHolding = canHold }
            bench.phone.cellular.outgoing(to: "2")
            await settle(bench)
            #expect(
                bench.probe.events.filter { $0.hasPrefix("perform") } == [canHold ? "perform hold" : "perform end"])
            try bench.phone.cellular.connect()
            #expect(bench.phone.screen.inCall.last?.status == .timer)
            #expect(bench.phone.screen.inCall.count == (canHold ? 2 : 1))
            #expect(bench.phone.violations.isEmpty)
        }
    }

    @Test("C1: what the network does to a call that is not there is an error of the test's")
    func notThere() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        #expect(throws: PhoneUserError.noCall) { try bench.phone.cellular.endRemotely() }
        let call = bench.phone.cellular.incoming(from: nil as HandleValue?)
        #expect(bench.phone.screen.incoming.first?.callerName == "")
        #expect(throws: PhoneUserError.unknownCall(call)) { try bench.phone.cellular.connect(call) }
        #expect(throws: PhoneUserError.unknownCall(call)) { try bench.phone.faceTime.endRemotely(call) }
    }

    @Test("P23: a call reported during one of another app, and ended as busy, leaves that one alone")
    func busy() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        let token = try await bench.register()
        bench.phone.cellular.incoming(from: "1")
        try bench.phone.user.answer()
        bench.phone.receivePush(token: token, payload: Data("{}".utf8))
        await settle(bench)
        #expect(bench.probe.events.filter { $0 == "observer ringing" }.count == 1)
        try #require(bench.probe.app).end(Calls.first, reason: 1)
        await settle(bench)
        #expect(bench.phone.snapshot.calls.map(\.other) == [.cellular])
        #expect(bench.phone.snapshot.calls.map(\.isOnHold) == [false])
        #expect(bench.phone.recents.map(\.outcome) == [.failed])
        #expect(bench.phone.deaths.filter { $0.rule != nil }.isEmpty)
    }

    @Test("P2: a restart of the call daemon leaves the calls of the network alone")
    func daemonRestart() async throws {
        let bench = try await inCall()
        defer { bench.close() }
        let call = bench.phone.cellular.incoming(from: "1")
        try bench.phone.user.choose(.holdAndAccept)
        await settle(bench)
        bench.phone.faults.restartDaemon()
        await settle(bench)
        #expect(bench.phone.snapshot.calls.map(\.uuid) == [call])
    }
}
