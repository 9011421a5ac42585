// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@Suite struct BrokerGlareTests {
    private let back = CallID(high: 8, low: 8)

    @Test("races 7, 8: the later call goes on in the first; the device that made it has answered, the others stop")
    func crossed() {
        var fixture = BrokerFixture.twoDevices
        #expect(fixture.broker.isCrossed(by: fixture.bob, calling: "alice"))
        #expect(
            fixture.handle(.crossed(by: back, from: fixture.bob)) == [
                .tell(fixture.bob, .joined(from: back)), .tell(fixture.bob, .answered), .tell(fixture.alice, .answered),
                .tell(fixture.bobTablet, .ended(.answeredElsewhere)),
            ])
        #expect(fixture.broker.hasJoined(back, of: fixture.bob))
        #expect(!fixture.broker.hasJoined(back, of: fixture.bobTablet))
        #expect(!fixture.broker.isCrossed(by: fixture.bob, calling: "alice"))
        #expect(fixture.handle(.crossed(by: back, from: fixture.bobTablet)) == [])
    }

    @Test("race 7: a cancel of the joined call hangs the other one up") func cancelJoined() {
        var fixture = BrokerFixture()
        _ = fixture.handle(.crossed(by: back, from: fixture.bob))
        #expect(BrokerCommand.cancel.ofJoined == .hangup(.localHangup))
        #expect(BrokerCommand.connected.ofJoined == .connected)
        #expect(
            fixture.send(BrokerCommand.cancel.ofJoined, from: fixture.bob)
                == [.tell(fixture.alice, .ended(.remoteEnded)), .tell(fixture.bob, .ended(.localHangup))])
    }

    @Test("race 7: only the callee's call to the caller crosses, and only in the ring") func nothingCrosses() {
        var fixture = BrokerFixture()
        #expect(!fixture.broker.isCrossed(by: fixture.bob, calling: "mallory"))
        #expect(!fixture.broker.isCrossed(by: fixture.mallory, calling: "alice"))
        #expect(!fixture.broker.isCrossed(by: fixture.aliceTablet, calling: "bob"))
        fixture.now = BrokerFixture.deadline + .milliseconds(1)
        #expect(
            fixture.handle(.crossed(by: back, from: fixture.bob))
                == [.tell(fixture.alice, .ended(.unanswered)), .tell(fixture.bob, .ended(.unanswered))])
        #expect(fixture.broker.joined == nil)
    }
}
