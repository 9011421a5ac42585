// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookWire
import Testing

@testable import Offhook

@Suite struct ConnectionMachineTests {
    private let start = Instant(milliseconds: 1_000_000)
    private let call = CallID(high: 1, low: 1)
    private let bob = Handle(value: "bob")

    private func at(_ milliseconds: Int64) -> Instant {
        Instant(milliseconds: start.milliseconds + milliseconds)
    }

    private func fresh() -> ConnectionMachine {
        ConnectionMachine(device: "phone", prefix: "p")
    }

    private func welcome(resumed: Bool = false) -> ServerMessage {
        ServerMessage(
            body: .welcome(
                Welcome(session: "s", resumed: resumed, user: "bob", now: Instant(milliseconds: 0), calls: [])))
    }

    /// A machine whose first attempt is welcomed.
    private func online() -> ConnectionMachine {
        var machine = fresh()
        _ = machine.handle(.wanted, at: start)
        _ = machine.handle(.opened(1, asking: []), at: start)
        _ = machine.handle(.received(1, welcome()), at: start)
        return machine
    }

    @Test("The first connection says hello and is welcomed") func hello() {
        var machine = fresh()
        #expect(machine.handle(.wanted, at: start) == [.connect(1), .show(.connecting)])
        #expect(machine.handle(.wanted, at: start) == [])
        #expect(
            machine.handle(.opened(1, asking: [call]), at: start)
                == [.send(ClientMessage(id: "p-1", body: .hello(Hello(device: "phone", calls: [call]))))])
        #expect(
            machine.handle(.received(1, welcome()), at: start)
                == [.show(.online), .deliver(welcome().body)])
        #expect(machine.deadline == nil)
    }

    @Test("R100: a lost connection resumes from the last number, and unanswered messages go again with their ids")
    func resumes() {
        var machine = online()
        let ringing = ServerMessage(sequence: 4, body: .ringing(call: call))
        #expect(machine.handle(.received(1, ringing), at: start) == [.deliver(ringing.body)])
        let message = ClientMessage(id: "p-2", body: .answer(call: call))
        #expect(machine.handle(.send(.answer(call: call)), at: start) == [.send(message)])
        #expect(machine.handle(.closed(1, status: nil, jitter: 0), at: start) == [.show(.offline)])
        #expect(machine.handle(.wanted, at: start) == [.connect(3), .show(.connecting)])
        #expect(
            machine.handle(.opened(3, asking: []), at: start)
                == [.send(ClientMessage(id: "p-3", body: .hello(Hello(device: "phone", session: "s", sequence: 4))))])
        #expect(
            machine.handle(.received(3, welcome(resumed: true)), at: start)
                == [.show(.online), .deliver(welcome(resumed: true).body), .send(message)])
        #expect(
            machine.handle(.received(3, ServerMessage(body: .ack(replyTo: "p-2"))), at: start) == [.done(message)])
        #expect(machine.outbox.isEmpty)
    }

    @Test("race 19: a message that comes twice is delivered once") func duplicates() {
        var machine = online()
        let message = ServerMessage(sequence: 1, body: .answered(call: call))
        #expect(machine.handle(.received(1, message), at: start).contains(.deliver(message.body)))
        #expect(machine.handle(.received(1, message), at: start) == [])
    }

    @Test("A session that cannot be resumed begins to count again") func newSession() {
        var machine = online()
        _ = machine.handle(.received(1, ServerMessage(sequence: 9, body: .ringing(call: call))), at: start)
        _ = machine.handle(.closed(1, status: nil, jitter: 0), at: start)
        _ = machine.handle(.wanted, at: start)
        _ = machine.handle(.opened(3, asking: []), at: start)
        _ = machine.handle(.received(3, welcome(resumed: false)), at: start)
        let first = ServerMessage(sequence: 1, body: .answered(call: call))
        #expect(machine.handle(.received(3, first), at: start).contains(.deliver(first.body)))
    }

    @Test("R59: a push ends the pause at once") func wantedEndsPause() {
        var machine = fresh()
        _ = machine.handle(.wanted, at: start)
        #expect(machine.handle(.closed(1, status: nil, jitter: 999), at: start) == [.show(.offline)])
        #expect(machine.handle(.wanted, at: start) == [.connect(3), .show(.connecting)])
    }

    @Test("Pauses grow to their limit, and begin small again after a welcome") func pauses() {
        var machine = fresh()
        var now = start
        var pauses: [Int64] = []
        for _ in 0..<10 {
            for effect in machine.handle(.wanted, at: now) {
                guard case .connect(let attempt) = effect else { continue }
                _ = machine.handle(.closed(attempt, status: nil, jitter: 500), at: now)
            }
            guard let deadline = machine.deadline else {
                Issue.record("no next attempt")
                return
            }
            pauses.append((deadline - now).milliseconds)
            now = deadline
        }
        #expect(pauses == [250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
        #expect(machine.handle(.tick, at: now).first == .connect(21))
        _ = machine.handle(.opened(21, asking: []), at: now)
        _ = machine.handle(.received(21, welcome()), at: now)
        _ = machine.handle(.closed(21, status: nil, jitter: 500), at: now)
        #expect(machine.deadline == now + .milliseconds(250))
    }

    @Test("A refused token is shown as such", arguments: [401, 403]) func unauthorized(_ status: Int) {
        var machine = fresh()
        _ = machine.handle(.wanted, at: start)
        #expect(machine.handle(.closed(1, status: status, jitter: 0), at: start) == [.show(.unauthorized)])
    }

    @Test("A handshake, a welcome or an answer that does not come ends the connection") func patience() {
        var opening = fresh()
        _ = opening.handle(.wanted, at: start)
        #expect(opening.handle(.tick, at: at(9_999)) == [])
        #expect(opening.handle(.tick, at: at(10_000)) == [.close, .show(.offline)])
        var greeting = fresh()
        _ = greeting.handle(.wanted, at: start)
        _ = greeting.handle(.opened(1, asking: []), at: start)
        #expect(greeting.handle(.tick, at: at(10_000)) == [.close, .show(.offline)])
        var silent = online()
        _ = silent.handle(.send(.ringing(call: call)), at: at(5))
        #expect(silent.deadline == at(10_005))
        #expect(silent.handle(.tick, at: at(10_005)) == [.close, .show(.offline)])
        #expect(silent.outbox.count == 1)
    }

    @Test("A frame that is no message ends the connection, not the app") func garbled() {
        var machine = online()
        #expect(machine.handle(.garbled(1), at: start) == [.close, .show(.offline)])
    }

    @Test("What an earlier connection says changes nothing") func stale() {
        var machine = online()
        _ = machine.handle(.closed(1, status: nil, jitter: 0), at: start)
        _ = machine.handle(.wanted, at: start)
        let before = machine.state
        for event: ConnectionMachine.Event in [
            .opened(1, asking: []), .received(1, welcome()), .garbled(1), .closed(1, status: 401, jitter: 0),
        ] {
            #expect(machine.handle(event, at: start) == [])
        }
        #expect(machine.state == before)
    }

    @Test("A refusal reaches whoever sent the message; a retryable one is tried again") func refusals() {
        var machine = online()
        let message = ClientMessage(id: "p-2", body: .answer(call: call))
        _ = machine.handle(.send(message.body), at: start)
        let retry = WireFailure(code: .internal, message: "again", retryable: true, replyTo: "p-2")
        #expect(machine.handle(.received(1, ServerMessage(body: .error(retry))), at: start) == [])
        #expect(machine.deadline == at(1000))
        #expect(machine.handle(.tick, at: at(1000)) == [.send(message)])
        let final = WireFailure(code: .unknownCall, message: "no such call", replyTo: "p-2")
        #expect(
            machine.handle(.received(1, ServerMessage(body: .error(final))), at: start)
                == [.refused(message, final)])
    }

    @Test("Messages before the welcome wait for it, in order") func outboxWaits() {
        var machine = fresh()
        #expect(machine.handle(.send(.unregister), at: start) == [])
        _ = machine.handle(.wanted, at: start)
        #expect(machine.handle(.send(.ringing(call: call)), at: start) == [])
        _ = machine.handle(.opened(1, asking: []), at: start)
        #expect(
            machine.handle(.received(1, welcome()), at: start).suffix(2) == [
                .send(ClientMessage(id: "p-1", body: .unregister)),
                .send(ClientMessage(id: "p-2", body: .ringing(call: call))),
            ])
    }

    @Test("Stopping closes, and nothing starts it again by itself") func stopped() {
        var machine = online()
        #expect(machine.handle(.stopped, at: start) == [.close, .show(.offline)])
        #expect(machine.deadline == nil)
        #expect(machine.handle(.closed(1, status: nil, jitter: 0), at: start) == [])
        #expect(machine.handle(.tick, at: at(100_000)) == [])
    }

    @Test("Random events never trap, and the outbox keeps its order", arguments: 0..<20) func walk(_ seed: UInt64) {
        var random = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15
        func roll(_ sides: UInt64) -> UInt64 {
            random ^= random << 13
            random ^= random >> 7
            random ^= random << 17
            return random % sides
        }
        let sayings: [ClientMessage.Body] = [
            .ringing(call: call), .invite(call: call, to: bob, video: false), .cancel(call: call),
        ]
        var machine = fresh()
        var now = start
        var attempt = 0
        for _ in 0..<3000 {
            now = now + .milliseconds(Int64(roll(2000)))
            let number = roll(8) == 0 ? max(0, attempt - 1) : attempt
            let event: ConnectionMachine.Event =
                switch roll(10) {
                case 0: .wanted
                case 1: roll(20) == 0 ? .stopped : .wanted
                case 2: .opened(number, asking: [call])
                case 3: .received(number, welcome(resumed: roll(2) == 0))
                case 4: .received(number, ServerMessage(sequence: Int(roll(50)), body: .ringing(call: call)))
                case 5: .received(number, ServerMessage(body: .ack(replyTo: machine.outbox.first?.id ?? "none")))
                case 6:
                    .closed(
                        number, code: roll(3) == 0 ? CloseCode.allCases[Int(roll(9))].rawValue : nil,
                        jitter: Int(roll(1000)))
                case 7: .send(sayings[Int(roll(3))])
                case 8: roll(10) == 0 ? .garbled(number) : .tick
                default: .tick
                }
            var sent = 0
            for effect in machine.handle(event, at: now) {
                if case .connect(let next) = effect { attempt = next }
                if case .send = effect { sent += 1 }
            }
            if sent > ConnectionMachine.window + 2 {
                Issue.record("\(sent) messages at once; seed \(seed)")
                return
            }
            let ids = machine.outbox.compactMap { Int($0.id.dropFirst(2)) }
            if ids != ids.sorted() {
                Issue.record("the outbox lost its order; seed \(seed)")
                return
            }
        }
    }
}
