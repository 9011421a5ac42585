// SPDX-License-Identifier: MIT

import OffhookPush
import Testing

@Suite struct ConnectionMachineTests {
    func open() -> ConnectionMachine {
        var machine = ConnectionMachine()
        _ = machine.handle(.needed, at: 0)
        _ = machine.handle(.opened(1), at: 0)
        _ = machine.handle(.answered(1), at: 0)
        return machine
    }

    @Test func theFirstPushConnectsAndTheOthersWait() {
        var machine = ConnectionMachine()
        #expect(machine.handle(.needed, at: 0) == [.connect(1)])
        #expect(machine.handle(.needed, at: 0) == [])
        #expect(machine.state == .connecting(1))
        #expect(machine.handle(.opened(1), at: 5) == [])
        #expect(machine.state == .open(1))
        #expect(machine.deadline == nil)
    }

    @Test func aConnectionThatEndsIsReplacedWhenItIsNeeded() {
        var machine = open()
        #expect(machine.handle(.closed(1), at: 10) == [])
        #expect(machine.state == .idle)
        #expect(machine.handle(.needed, at: 11) == [.connect(2)])
    }

    @Test func aGoAwayClosesTheConnectionAndTheNextPushOpensAnother() {
        var machine = open()
        #expect(machine.handle(.retired(1), at: 10) == [.close(1)])
        #expect(machine.handle(.needed, at: 10) == [.connect(2)])
        #expect(machine.handle(.retired(1), at: 11) == [])
        #expect(machine.handle(.closed(1), at: 12) == [])
        #expect(machine.state == .connecting(2))
    }

    @Test func attemptsThatFailRestLongerEachTime() {
        var machine = ConnectionMachine()
        var now: Int64 = 0
        var rests: [Int64] = []
        #expect(machine.handle(.needed, at: now) == [.connect(1)])
        // The first failure is followed at once, since a push still waits.
        #expect(machine.handle(.closed(1), at: now) == [.connect(2)])
        for number in 2..<14 {
            #expect(machine.handle(.closed(number), at: now) == [.wake])
            let until = machine.deadline ?? 0
            rests.append(until - now)
            #expect(machine.handle(.needed, at: now) == [])
            #expect(machine.handle(.tick, at: until - 1) == [.wake])
            now = until
            #expect(machine.handle(.tick, at: now) == [.connect(number + 1)])
        }
        #expect(rests == [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000, 10_000, 10_000])
    }

    @Test func anAnswerMakesTheFailuresForgotten() {
        var machine = ConnectionMachine()
        _ = machine.handle(.needed, at: 0)
        _ = machine.handle(.closed(1), at: 0)
        _ = machine.handle(.opened(2), at: 0)
        _ = machine.handle(.answered(2), at: 0)
        #expect(machine.handle(.closed(2), at: 0) == [])
        #expect(machine.handle(.needed, at: 0) == [.connect(3)])
    }

    @Test func aConnectionThatOpensAndNeverAnswersCountsAsFailed() {
        var machine = ConnectionMachine()
        _ = machine.handle(.needed, at: 0)
        _ = machine.handle(.opened(1), at: 0)
        _ = machine.handle(.closed(1), at: 0)
        _ = machine.handle(.needed, at: 0)
        _ = machine.handle(.opened(2), at: 0)
        #expect(machine.handle(.closed(2), at: 0) == [.wake])
    }

    @Test func aGatewayThatSendsEachConnectionAwayIsNotHailedWithConnections() {
        var machine = ConnectionMachine()
        #expect(machine.handle(.needed, at: 0) == [.connect(1)])
        #expect(machine.handle(.retired(1), at: 0) == [.close(1), .connect(2)])
        _ = machine.handle(.opened(2), at: 0)
        #expect(machine.handle(.retired(2), at: 0) == [.close(2), .wake])
        #expect(machine.handle(.needed, at: 0) == [])
        #expect(machine.handle(.tick, at: 100) == [.connect(3)])
        #expect(machine.handle(.retired(3), at: 100) == [.close(3), .wake])
        #expect(machine.deadline == 300)
    }

    @Test func aStoppedMachineConnectsNoMore() {
        var machine = open()
        #expect(machine.handle(.stopped, at: 0) == [.close(1)])
        #expect(machine.handle(.needed, at: 0) == [])
        #expect(machine.handle(.closed(1), at: 0) == [])
        #expect(machine.handle(.tick, at: 0) == [])
        #expect(machine.handle(.stopped, at: 0) == [])
        #expect(machine.state == .stopped)
    }

    @Test func anyOrderOfEventsOpensOneConnectionAtATime() {
        var random = SplitMix(seed: 3)
        for _ in 0..<500 {
            var machine = ConnectionMachine()
            var now: Int64 = 0
            var latest = 0
            for _ in 0..<200 {
                now += Int64(random.next() % 3_000)
                let number = max(1, latest - Int(random.next() % 2))
                let event: ConnectionMachine.Event =
                    switch random.next() % 7 {
                    case 0: .opened(number)
                    case 1: .answered(number)
                    case 2: .retired(number)
                    case 3: .closed(number)
                    case 4: .tick
                    default: .needed
                    }
                let before = machine.state
                for case .connect(let number) in machine.handle(event, at: now) {
                    #expect(number == latest + 1)
                    #expect(machine.state == .connecting(number))
                    if case .open(let old) = before { #expect(event == .retired(old) || event == .closed(old)) }
                    latest = number
                }
            }
        }
    }
}
