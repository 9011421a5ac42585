// SPDX-License-Identifier: MIT

import Testing

@testable import OffhookMedia

@Suite struct ArrivalClockTests {
    @Test func packetsInARowAreInARow() {
        var clock = ArrivalClock()
        for index in 0..<5 {
            clock.arrive(timestamp: 7_000 + UInt32(index) * 960, source: 1)
            #expect(clock.decode(960) == index * 960)
        }
    }

    @Test func aPauseOfTheSenderIsAGap() {
        var clock = ArrivalClock()
        clock.arrive(timestamp: 0, source: 1)
        _ = clock.decode(960)
        clock.arrive(timestamp: 48_000, source: 1)
        #expect(clock.decode(960) == 48_000)
    }

    @Test func concealedSoundFollowsAndTheNextPacketIsInItsPlace() {
        var clock = ArrivalClock()
        clock.arrive(timestamp: 0, source: 1)
        _ = clock.decode(960)
        #expect(clock.decode(960) == 960)
        clock.arrive(timestamp: 1_920, source: 1)
        #expect(clock.decode(960) == 1_920)
    }

    @Test func timestampsWrap() {
        var clock = ArrivalClock()
        clock.arrive(timestamp: .max - 479, source: 1)
        _ = clock.decode(960)
        clock.arrive(timestamp: 480, source: 1)
        #expect(clock.decode(960) == 960)
    }

    @Test func anotherSourceGoesOnWhereTheLastOneWas() {
        var clock = ArrivalClock()
        clock.arrive(timestamp: 5, source: 1)
        _ = clock.decode(960)
        clock.arrive(timestamp: 900_000, source: 2)
        #expect(clock.decode(960) == 960)
        clock.arrive(timestamp: 900_960, source: 2)
        #expect(clock.decode(960) == 1_920)
    }
}
