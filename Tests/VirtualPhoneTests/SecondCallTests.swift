// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// Two calls of an app or of two apps: what the end of one does to the other, swapping and grouping.
@Suite(.timeLimit(.minutes(1)))
struct SecondCallTests {
    private let start = ActionValue.Kind.start(handle: Calls.alice, contactIdentifier: nil, isVideo: false)

    private func answers(_ bench: PhoneBench) -> [String] {
        bench.probe.events.filter { $0.hasPrefix("request") }
    }

    @Test("G3: of two calls of an app, the user's end of one takes the other off hold")
    func otherCallEnds() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let app = try #require(bench.probe.app)
        app.report(Calls.second)
        await bench.phone.settle()
        try bench.phone.user.choose(.holdAndAccept)
        await bench.phone.settle()
        bench.probe.forgetEvents()
        try bench.phone.user.hangUp(Calls.second)
        await bench.phone.settle()
        await bench.phone.advance(by: .milliseconds(100))
        #expect(bench.probe.events.filter { $0.hasPrefix("perform") } == ["perform end", "perform unhold"])
        #expect(bench.probe.events.last == "didActivate")
        #expect(bench.phone.snapshot.calls.map(\.isOnHold) == [false])
    }

    @Test("G3: of two calls of an app, the far end of one leaves the other held")
    func otherCallEndsRemotely() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let app = try #require(bench.probe.app)
        app.report(Calls.second)
        await bench.phone.settle()
        try bench.phone.user.choose(.holdAndAccept)
        await bench.phone.settle()
        app.end(Calls.second, reason: 2)
        await bench.phone.settle()
        #expect(bench.phone.snapshot.calls.map(\.isOnHold) == [true])
        try bench.phone.user.setHeld(false)
        await bench.phone.settle()
        await bench.phone.advance(by: .milliseconds(100))
        #expect(bench.phone.snapshot.isCallAudioActive)
    }

    @Test("G2: calls of two apps are swapped in two transactions, and audio follows")
    func twoApps() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        var behavior = RawApp.Behavior()
        behavior.call = Calls.second
        let other = RawApp.Probe(behavior)
        bench.phone.install(PhoneBench.app(other, bundle: "other.app"))
        try await bench.talk()
        bench.phone.open("other.app")
        await bench.phone.settle()
        try #require(other.app).report(Calls.second)
        await bench.phone.settle()
        try bench.phone.user.choose(.holdAndAccept)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.probe.events.suffix(2).contains("didDeactivate"))
        #expect(other.events.last == "didActivate")
        bench.probe.forgetEvents()
        try bench.phone.user.setHeld(false, call: Calls.first)
        await bench.phone.advance(by: .seconds(1))
        #expect(other.events.contains("didDeactivate"))
        #expect(bench.probe.events.contains("didActivate"))
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("G5: one call too many for a group answers 6")
    func fullGroup() async throws {
        var behavior = RawApp.Behavior()
        behavior.configuration.maximumCallsPerCallGroup = 1
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.talk()
        let app = try #require(bench.probe.app)
        app.request([(Calls.second, start)])
        await bench.phone.settle()
        app.supportsGroups(Calls.first)
        app.supportsGroups(Calls.second)
        app.request([(Calls.second, .setGroup(with: Calls.first))])
        await bench.phone.settle()
        #expect(answers(bench) == ["request nil", "request error 6"])
    }

    @Test("G2, G4: unholding a call while another is active swaps them")
    func swap() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        try #require(bench.probe.app).report(Calls.second)
        await bench.phone.settle()
        try bench.phone.user.choose(.holdAndAccept)
        await bench.phone.settle()
        bench.probe.forgetEvents()
        try bench.phone.user.setHeld(false, call: Calls.first)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.probe.events.filter { $0.hasPrefix("perform") } == ["perform hold", "perform unhold"])
        #expect(bench.phone.snapshot.calls.map(\.isOnHold) == [false, true])
        #expect(bench.phone.snapshot.isCallAudioActive)
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("G5: grouping joins the other call's group, ungrouping leaves it; a group counts once (T5)")
    func groups() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let app = try #require(bench.probe.app)
        app.request([(Calls.second, start)])
        await bench.phone.settle()
        app.supportsGroups(Calls.first)
        app.supportsGroups(Calls.second)
        app.request([(Calls.second, .setGroup(with: Calls.first))])
        await bench.phone.settle()
        app.request([(Calls.third, start)])
        await bench.phone.settle()
        #expect(answers(bench) == ["request nil", "request nil", "request nil"])
        #expect(bench.phone.snapshot.calls.count == 3)
    }
}
