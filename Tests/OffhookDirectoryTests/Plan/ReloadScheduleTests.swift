// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookDirectory
import Testing

@Suite struct ReloadScheduleTests {
    @Test("Bug 11: wishes that come together become one reload, and the next comes after the interval")
    func coalesces() {
        var schedule = ReloadSchedule()
        #expect(schedule.handle(.wanted, at: .seconds(0)) == [.reload])
        #expect(schedule.handle(.wanted, at: .seconds(1)) == [])
        #expect(schedule.handle(.wanted, at: .seconds(2)) == [])
        #expect(schedule.handle(.finished(.stored, isComplete: true), at: .seconds(3)) == [])
        #expect(schedule.deadline == .seconds(63))
        #expect(schedule.handle(.tick, at: .seconds(62)) == [])
        #expect(schedule.handle(.tick, at: .seconds(63)) == [.reload])
        #expect(schedule.handle(.finished(.stored, isComplete: true), at: .seconds(64)) == [])
        #expect(schedule.state == .idle)
        #expect(schedule.handle(.wanted, at: .seconds(65)) == [])
        #expect(schedule.deadline == .seconds(124))
    }

    @Test("Parts of one load follow each other at once; failures double the wait up to an hour, then it stops")
    func backsOff() {
        var schedule = ReloadSchedule()
        _ = schedule.handle(.wanted, at: .zero)
        #expect(schedule.handle(.finished(.stored, isComplete: false), at: .zero) == [.reload])
        var now = TimeSpan.zero
        var waits: [Int64] = []
        for _ in 0..<7 {
            #expect(schedule.handle(.finished(.interrupted, isComplete: false), at: now) == [])
            let until = schedule.deadline ?? .zero
            waits.append((until - now).milliseconds / 1000)
            now = until
            #expect(schedule.handle(.tick, at: now) == [.reload])
        }
        #expect(waits == [5, 10, 20, 40, 80, 160, 320])
        #expect(schedule.handle(.finished(.busy, isComplete: false), at: now) == [.giveUp(.busy)])
        #expect(schedule.handle(.wanted, at: now) == [.reload])
        #expect(schedule.handle(.finished(.interrupted, isComplete: false), at: now) == [])
        #expect(schedule.deadline == now + .seconds(5))
    }

    @Test("P49, P50: a damaged database and a wrong identifier are no reason to try again")
    func givesUp() {
        for result in [LoadResult.databaseDamaged, .noSuchExtension] {
            var schedule = ReloadSchedule()
            _ = schedule.handle(.wanted, at: .zero)
            #expect(schedule.handle(.finished(result, isComplete: false), at: .zero) == [.giveUp(result)])
            #expect(schedule.deadline == nil)
        }
    }

    @Test("R112: a disabled extension waits for the user, and loads when it is switched on")
    func disabled() {
        var schedule = ReloadSchedule()
        _ = schedule.handle(.wanted, at: .zero)
        #expect(schedule.handle(.finished(.disabled, isComplete: false), at: .zero) == [.askToEnable])
        #expect(schedule.handle(.wanted, at: .seconds(9)) == [.askToEnable])
        #expect(schedule.handle(.enabled(false), at: .seconds(10)) == [])
        #expect(schedule.handle(.enabled(true), at: .seconds(11)) == [.reload])
    }
}
