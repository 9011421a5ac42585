// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookWire
import Testing

@testable import Offhook

/// What the connection's rules do with close codes, refused hellos and an outbox that is out of date.
@Suite struct ConnectionCloseTests {
    private let start = Instant(milliseconds: 1_000_000)
    private let call = CallID(high: 1, low: 1)
    private let other = CallID(high: 1, low: 2)
    private let bob = Handle(value: "bob")

    private func welcome(_ machine: inout ConnectionMachine) -> [ConnectionMachine.Effect] {
        var attempt = 0
        for effect in machine.handle(.wanted, at: start) {
            if case .connect(let number) = effect { attempt = number }
        }
        _ = machine.handle(.opened(attempt, asking: []), at: start)
        let welcome = Welcome(session: "s", resumed: true, user: "bob", now: Instant(milliseconds: 0), calls: [])
        return machine.handle(.received(attempt, ServerMessage(body: .welcome(welcome))), at: start)
    }

    private func online() -> ConnectionMachine {
        var machine = ConnectionMachine(device: "phone", prefix: "p")
        _ = welcome(&machine)
        return machine
    }

    private func bodies(_ effects: [ConnectionMachine.Effect]) -> [ClientMessage.Body] {
        effects.compactMap { effect in
            if case .send(let message) = effect { message.body } else { nil }
        }
    }

    @Test("race 24: a device with a newer connection stays away until it is wanted") func replaced() {
        var machine = online()
        _ = machine.handle(.send(.ringing(call: call)), at: start)
        #expect(machine.handle(.closed(1, code: 4000, jitter: 0), at: start) == [.show(.replaced)])
        #expect(machine.deadline == nil)
        #expect(machine.handle(.tick, at: start + .seconds(3600)) == [])
        #expect(machine.handle(.wanted, at: start) == [.connect(3), .show(.connecting)])
        #expect(machine.outbox.count == 1)
    }

    @Test("race 29: a device that was signed out stays away and takes nothing of its session along") func signedOut() {
        var machine = online()
        _ = machine.handle(.send(.ringing(call: call)), at: start)
        #expect(machine.handle(.closed(1, code: 4003, jitter: 0), at: start) == [.show(.signedOut)])
        #expect(machine.deadline == nil)
        #expect(machine.outbox.isEmpty)
        #expect(machine.session == nil)
    }

    @Test("A token whose time is over is shown, and asked for again at the next attempt") func tokenExpired() {
        var machine = online()
        #expect(machine.handle(.closed(1, code: 4001, jitter: 500), at: start) == [.show(.unauthorized)])
        #expect(machine.deadline == start + .milliseconds(250))
    }

    @Test("Messages that the server cannot read are not repeated") func malformed() {
        var machine = online()
        _ = machine.handle(.send(.ringing(call: call)), at: start)
        #expect(machine.handle(.closed(1, code: 4400, jitter: 500), at: start) == [.show(.offline)])
        #expect(bodies(welcome(&machine)) == [])
    }

    @Test("After too many messages the pause is the longest") func tooMany() {
        var machine = online()
        _ = machine.handle(.closed(1, code: 4429, jitter: 500), at: start)
        #expect(machine.deadline == start + ConnectionMachine.longestPause)
    }

    @Test("Every other end is followed by another attempt", arguments: [nil, 1000, 1001, 1006, 1009, 1013, 4008])
    func others(_ code: Int?) {
        var machine = online()
        #expect(machine.handle(.closed(1, code: code, jitter: 500), at: start) == [.show(.offline)])
        #expect(machine.deadline == start + .milliseconds(250))
    }

    @Test("A refused hello is told, not kept silent until the patience ends") func refusedHello() {
        var machine = ConnectionMachine(device: "phone", prefix: "p")
        _ = machine.handle(.wanted, at: start)
        _ = machine.handle(.opened(1, asking: []), at: start)
        let failure = WireFailure(
            code: .unauthorized, message: "the token is for another device", retryable: false, replyTo: "p-1")
        let message = ServerMessage(body: .error(failure))
        #expect(
            machine.handle(.received(1, message), at: start)
                == [.deliver(message.body), .close, .show(.unauthorized)])
    }

    @Test("A full outbox goes out in windows, so that the server does not hang up on it") func window() {
        var machine = ConnectionMachine(device: "phone", prefix: "p")
        for _ in 0..<250 { _ = machine.handle(.send(.ringing(call: call)), at: start) }
        #expect(bodies(welcome(&machine)).count == ConnectionMachine.window)
        let first = machine.outbox[0].id
        let ack = ServerMessage(body: .ack(replyTo: first))
        #expect(bodies(machine.handle(.received(1, ack), at: start)).count == 1)
        #expect(machine.outbox.count == 249)
        #expect(bodies(machine.handle(.send(.ringing(call: call)), at: start)) == [])
    }

    @Test("One ack is for many messages") func acks() {
        var machine = online()
        var acks: [ClientMessage.Body] = []
        for number in 1...40 {
            let message = ServerMessage(sequence: number, body: .ringing(call: call))
            acks += bodies(machine.handle(.received(1, message), at: start))
        }
        #expect(acks == [.ack(sequence: 16), .ack(sequence: 32)])
    }

    @Test("A call that was given up before the server heard of it never rings") func cancelledUnheard() {
        var machine = ConnectionMachine(device: "phone", prefix: "p")
        _ = machine.handle(.send(.invite(call: call, to: bob, video: false)), at: start)
        _ = machine.handle(.send(.ringing(call: other)), at: start)
        _ = machine.handle(.send(.cancel(call: call)), at: start)
        #expect(bodies(welcome(&machine)) == [.ringing(call: other)])
    }

    @Test("A call that the server may know is cancelled without being offered again") func cancelledUnanswered() {
        var machine = online()
        _ = machine.handle(.send(.invite(call: call, to: bob, video: false)), at: start)
        _ = machine.handle(.closed(1, jitter: 0), at: start)
        _ = machine.handle(.send(.cancel(call: call)), at: start)
        #expect(bodies(welcome(&machine)) == [.cancel(call: call)])
    }

    @Test("C1: an answer that was given up offline is not claimed later") func answerGivenUp() {
        var machine = ConnectionMachine(device: "phone", prefix: "p")
        _ = machine.handle(.send(.answer(call: call)), at: start)
        _ = machine.handle(.send(.hangup(call: call, reason: .failed)), at: start)
        #expect(bodies(welcome(&machine)) == [.hangup(call: call, reason: .failed)])
    }

    @Test("R103: that voice was heard is told even when the call is over by then") func connectedIsKept() {
        var machine = ConnectionMachine(device: "phone", prefix: "p")
        _ = machine.handle(.send(.connected(call: call)), at: start)
        _ = machine.handle(.send(.update(call: call, update: CallUpdate(muted: true))), at: start)
        let end = ClientMessage.Body.hangup(call: call, reason: .localHangup)
        _ = machine.handle(.send(end), at: start)
        #expect(bodies(welcome(&machine)) == [.connected(call: call), end])
    }

    @Test("What is on its way already is ended in order") func endedOnline() {
        var machine = online()
        _ = machine.handle(.send(.invite(call: call, to: bob, video: false)), at: start)
        #expect(bodies(machine.handle(.send(.cancel(call: call)), at: start)) == [.cancel(call: call)])
        #expect(machine.outbox.count == 2)
    }
}
