// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@Suite("Devices that wake, leave and come back on the server")
struct BrokerReachTests {
    @Test("A device with a connection is offered the call, one without is pushed")
    func pushDecision() {
        var call = BrokerFixture(unplaced: ())
        let effects = call.handle(
            .placed([
                BrokerTarget(device: "b1", connected: true, pushable: false),
                BrokerTarget(device: "b2", connected: false, pushable: true),
                BrokerTarget(device: "b3", connected: false, pushable: false),
            ]))
        #expect(effects == [.offer(device: "b1"), .push(device: "b2")])
        #expect(call.broker.legs.map(\.device) == ["b1", "b2"])
    }

    @Test("Race 13: a connected device that stays silent is also pushed, once")
    func silentDeviceIsPushed() {
        var call = BrokerFixture([BrokerTarget(device: "b1", connected: true, pushable: true)])
        #expect(call.broker.deadline == BrokerFixture.start + .seconds(2))
        #expect(call.tick() == [.push(device: "b1")])
        #expect(call.broker.deadline == BrokerFixture.deadline)
    }

    @Test("Race 13: a device that shows the call is not pushed")
    func ringingDeviceIsNotPushed() {
        var call = BrokerFixture([BrokerTarget(device: "b1", connected: true, pushable: true)])
        _ = call.send(.ringing, from: call.bob)
        #expect(call.broker.deadline == BrokerFixture.deadline)
    }

    @Test("Race 14: a device that connects three times has one leg")
    func joinIsIdempotent() {
        var call = BrokerFixture([BrokerTarget(device: "b1", connected: false, pushable: true)])
        for _ in 0..<3 {
            #expect(call.handle(.deviceConnected(call.bob)) == [])
            #expect(call.handle(.deviceConnected(call.bobWatch)) == [])
        }
        #expect(call.broker.legs.map(\.device) == ["b1", "b3"])
        #expect(call.broker.view(for: call.bobWatch) == .ringing)
    }

    @Test("Where a call is, as each device sees it")
    func views() {
        var call = BrokerFixture(unplaced: ())
        #expect(call.broker.view(for: call.alice) == .ringing)
        #expect(call.broker.view(for: call.bob) == nil)
        _ = call.handle(
            .placed([
                BrokerTarget(device: "b1", connected: true, pushable: false),
                BrokerTarget(device: "b2", connected: true, pushable: false),
            ]))
        #expect(call.broker.view(for: call.aliceTablet) == .ringing)
        #expect(call.broker.endReason == nil)
        _ = call.send(.answer, from: call.bob)
        #expect(call.broker.view(for: call.aliceTablet) == .answered)
        #expect(call.broker.view(for: call.bobTablet) == .ended(.answeredElsewhere))
        _ = call.send(.hangup(.localHangup), from: call.alice)
        #expect(call.broker.view(for: call.alice) == .ended(.localHangup))
        #expect(call.broker.view(for: call.bob) == .ended(.remoteEnded))
        #expect(call.broker.view(for: call.bobTablet) == .ended(.answeredElsewhere))
        #expect(call.broker.view(for: call.mallory) == nil)
    }

    @Test("Race 17: a user without a device that can be reached is unreachable at once")
    func nobodyToRing() {
        var call = BrokerFixture(unplaced: ())
        let effects = call.raw(.placed([BrokerTarget(device: "b1", connected: false, pushable: false)]))
        #expect(
            effects == [
                .persist, .decided(.placed), .decided(.unreachable), .tell(call.alice, .ended(.unreachable)), .finished,
            ])
    }

    @Test("Race 17: when all pushes fail the caller hears it early")
    func allPushesFail() {
        var call = BrokerFixture([
            BrokerTarget(device: "b1", connected: false, pushable: true),
            BrokerTarget(device: "b2", connected: false, pushable: true),
        ])
        #expect(call.handle(.pushFailed(device: "b1")) == [])
        #expect(call.handle(.pushFailed(device: "b2")).first == .tell(call.alice, .ended(.unreachable)))
    }

    @Test("Race 17: a failed push does not matter once the device has spoken", arguments: [true, false])
    func pushFailsAfterTheDeviceCame(connects: Bool) {
        var call = BrokerFixture([BrokerTarget(device: "b1", connected: false, pushable: true)])
        if connects {
            _ = call.handle(.deviceConnected(call.bob))
        } else {
            _ = call.send(.ringing, from: call.bob)
        }
        #expect(call.handle(.pushFailed(device: "b1")) == [])
        #expect(!call.broker.isEnded)
    }

    @Test("Race 17: one device is busy, the other unreachable: the caller hears busy")
    func busyBeatsUnreachable() {
        var call = BrokerFixture([
            BrokerTarget(device: "b1", connected: true, pushable: false),
            BrokerTarget(device: "b2", connected: false, pushable: true),
        ])
        _ = call.send(.busy, from: call.bob)
        #expect(call.handle(.pushFailed(device: "b2")).first == .tell(call.alice, .ended(.busy)))
    }

    @Test("Race 21: the callee's connection drops while it rings, the leg stays until the deadline")
    func calleeDropsWhileRinging() {
        var call = BrokerFixture()
        _ = call.send(.ringing, from: call.bob)
        #expect(call.raw(.deviceDisconnected(call.bob)) == [])
        #expect(call.broker.deadline == BrokerFixture.deadline)
        _ = call.handle(.deviceConnected(call.bob))
        #expect(call.send(.answer, from: call.bob).contains(.tell(call.alice, .answered)))
    }

    @Test("Race 21: an offer that may not have arrived goes by push when the connection drops")
    func dropBeforeRinging() {
        var call = BrokerFixture([BrokerTarget(device: "b1", connected: true, pushable: true)])
        #expect(call.handle(.deviceDisconnected(call.bob)) == [.push(device: "b1")])
        #expect(call.handle(.deviceDisconnected(call.bob)) == [])
    }

    @Test("Race 21: the caller stays away while it rings: cancelled after ten seconds")
    func callerStaysAwayWhileRinging() {
        var call = BrokerFixture()
        _ = call.handle(.deviceDisconnected(call.alice))
        #expect(call.broker.deadline == BrokerFixture.start + .seconds(10))
        #expect(call.tick().last == .tell(call.bob, .ended(.callerCancelled)))
    }

    @Test("Race 21: the caller comes back in time: it rings on")
    func callerComesBack() {
        var call = BrokerFixture()
        _ = call.handle(.deviceDisconnected(call.alice))
        call.now = call.now + .seconds(9)
        _ = call.handle(.deviceConnected(call.alice))
        #expect(call.broker.deadline == BrokerFixture.deadline)
    }

    @Test("Race 22: a side of an answered call stays away: failed after thirty seconds", arguments: [true, false])
    func staysAwayInCall(caller: Bool) {
        var call = BrokerFixture()
        _ = call.send(.answer, from: call.bob)
        let party = caller ? call.alice : call.bob
        _ = call.handle(.deviceDisconnected(party))
        #expect(call.broker.deadline == BrokerFixture.start + .seconds(30))
        // Away twice is away since the first time.
        call.now = call.now + .seconds(1)
        _ = call.handle(.deviceDisconnected(party))
        #expect(call.tick() == [.tell(call.alice, .ended(.failed)), .tell(call.bob, .ended(.failed))])
    }

    @Test("Race 22: a side of an answered call comes back: the call goes on", arguments: [true, false])
    func comesBackInCall(caller: Bool) {
        var call = BrokerFixture()
        _ = call.send(.answer, from: call.bob)
        let party = caller ? call.alice : call.bob
        _ = call.handle(.deviceDisconnected(party))
        _ = call.handle(.deviceConnected(party))
        #expect(call.broker.deadline == nil)
    }

    @Test("Race 29: a signed-out device leaves the ringing, a signed-out caller ends it")
    func signedOut() {
        var call = BrokerFixture.twoDevices
        #expect(call.handle(.deviceRemoved(call.bob)) == [.tell(call.bob, .ended(.failed))])
        #expect(
            call.handle(.deviceRemoved(call.alice))
                == [.tell(call.alice, .ended(.callerCancelled)), .tell(call.bobTablet, .ended(.callerCancelled))])
    }
}
