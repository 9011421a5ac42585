// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@Suite struct PhoneOperationTests {
    private let id = Fixture.call
    private let operation = OperationID(1)

    @Test("R82: the same command again has the stored result, another is a conflict") func replay() {
        var phone = PhoneMachine.talking()
        phone.run(.command(operation, .setMuted(id, true)), .mutePerformed(Fixture.action, id, true))
        let later = Fixture.at(500)
        #expect(phone.run(.command(operation, .setMuted(id, true)), at: later) == [.applied(operation)])
        let other = phone.run(.command(operation, .setMuted(id, false)), at: later)
        #expect(other.map(\.failure?.code) == [.conflict])
        #expect(
            phone.operation(operation, of: phone.generation)
                == .completed(.init(operation, call: id, .applied, at: Fixture.start)))
    }

    @Test("R82: the same command while it is on its way waits for the one result") func onTheWay() {
        var phone = PhoneMachine.talking()
        phone.run(.command(operation, .setMuted(id, true)))
        #expect(phone.run(.command(operation, .setMuted(id, true))) == [])
        #expect(phone.standing(of: operation, for: .setMuted(id, true)) == .pending)
        #expect(phone.run(.command(operation, .end(id))).map(\.failure?.code) == [.conflict])
        #expect(phone.run(.mutePerformed(Fixture.action, id, true)).last == .applied(operation))
    }

    @Test("R82: a rejected command stays rejected") func rejection() {
        var phone = PhoneMachine.ringing()
        let first = phone.run(.command(operation, .setHeld(id, true)))
        #expect(first.map(\.failure?.code) == [.invalidState])
        #expect(phone.run(.command(operation, .setHeld(id, true)), at: Fixture.at(9)) == first)
    }

    @Test("R83: a start has 10 s, others 4 s; a wish is kept between 250 ms and 30 s") func limits() {
        let limits: [(PhoneMachine.Command, TimeSpan?, Int64)] = [
            (.start(Fixture.call, Fixture.bob), nil, 10_000), (.start(Fixture.call, Fixture.bob), .seconds(31), 30_000),
            (.start(Fixture.call, Fixture.bob), .seconds(3), 3000),
        ]
        for (command, limit, milliseconds) in limits {
            var phone = PhoneMachine()
            _ = phone.handle(.command(operation, command, within: limit), at: Fixture.start)
            #expect(phone.deadline == Fixture.at(milliseconds))
        }
        for (limit, milliseconds): (TimeSpan?, Int64) in [(nil, 4000), (.milliseconds(1), 250), (.zero, 250)] {
            var phone = PhoneMachine.talking()
            phone.run(.command(operation, .setMuted(id, true), within: limit))
            #expect(phone.deadline == Fixture.at(milliseconds))
            #expect(phone.run(.tick, at: Fixture.at(milliseconds - 1)) == [])
            #expect(phone.run(.tick, at: Fixture.at(milliseconds)).last?.failure?.code == .deadlineExceeded)
        }
    }

    @Test("R84: an expired deadline beats a late success") func lateSuccess() {
        var phone = PhoneMachine.talking()
        phone.run(.command(operation, .setMuted(id, true)))
        let effects = phone.run(.mutePerformed(Fixture.action, id, true), at: Fixture.at(4000))
        #expect(
            effects.last
                == .finish(
                    OperationResult(
                        operation, call: id, .timedOut,
                        failure: CallFailure(.deadlineExceeded, "It was not done in time."), at: Fixture.at(4000))))
        #expect(phone.snapshots.first?.muted == true)
    }

    @Test("R84: an end of the other side beats a command, even past its deadline") func remoteEnd() {
        var phone = PhoneMachine.talking()
        phone.run(.command(operation, .setMuted(id, true)))
        let effects = phone.run(.server(id, .ended(.remoteEnded)), at: Fixture.at(4000))
        #expect(effects.last?.failure?.code == .callEnded)
    }

    @Test("R90: nothing is told of an operation of another generation") func generations() {
        let phone = PhoneMachine(checkpoint: Fixture.checkpoint)
        var other = Fixture.generation
        other.number += 1
        #expect(phone.operation(OperationID(3), of: other) == .generationMismatch)
        #expect(phone.operation(OperationID(1), of: Fixture.generation) == .pending)
        #expect(phone.operation(OperationID(99), of: Fixture.generation) == .unavailable)
    }
}
