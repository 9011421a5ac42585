// SPDX-License-Identifier: MIT

import Foundation
import OffhookCore
import Testing

/// Identifiers, times, and the promise that everything can be written down and read back.
@Suite struct ValueTests {
    @Test("A call id reads both cases and writes lower case") func callID() throws {
        let text = "0123ABCD-4567-89ef-0011-223344556677"
        let id = try #require(CallID(text))
        #expect(id.high == 0x0123_ABCD_4567_89EF && id.low == 0x0011_2233_4455_6677)
        #expect(id.description == text.lowercased())
        #expect(CallID(id.description) == id)
        #expect(id < CallID(high: id.high, low: id.low + 1))
    }

    @Test(
        "What is no UUID is no call id",
        arguments: [
            "", "0123abcd", "0123abcd-4567-89ef-0011-22334455667", "0123abcd-4567-89ef-0011-2233445566778",
            "0123abcd4567-89ef-0011-2233445566778", "0123abcd-4567-89eg-0011-223344556677",
            "{123abcd-4567-89ef-0011-223344556677", "0123abcd-4567-89ef-0011-22334455667é",
            "------------------------------------",
        ])
    func noCallID(_ text: String) throws {
        #expect(CallID(text) == nil)
        let json = try JSONEncoder().encode([text])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([CallID].self, from: json) }
    }

    @Test("Instants count in whole milliseconds") func instants() {
        let instant = Instant(milliseconds: 1000)
        #expect(instant + .milliseconds(5) == Instant(milliseconds: 1005))
        #expect(Instant(milliseconds: 2500) - instant == .milliseconds(1500))
    }

    @Test("Time spans count in whole milliseconds, and are the standard library's durations where those exist")
    func timeSpans() throws {
        #expect(TimeSpan.seconds(-2).milliseconds == -2000)
        #expect(TimeSpan.seconds(1.5) == .milliseconds(1500))
        #expect(TimeSpan.seconds(2) * 3 - .seconds(1) == .seconds(5))
        #expect(TimeSpan.seconds(7) / 2 == .milliseconds(3500))
        #expect(TimeSpan(Duration.microseconds(1500)) == .milliseconds(1))
        #expect(Duration(TimeSpan.milliseconds(1500)) == .seconds(1.5))
        #expect(
            try JSONDecoder().decode([TimeSpan].self, from: JSONEncoder().encode([TimeSpan.seconds(3)])) == [
                .seconds(3)
            ])
        #expect("\(TimeSpan.milliseconds(1500))" == "1.5 s")
    }

    @Test("A call can be written down and read back in every state, and goes on the same") func callsAreCodable() throws
    {
        for state in CallMachine.everyState {
            var call = state
            let data = try JSONEncoder().encode(call)
            var copy = try JSONDecoder().decode(CallMachine.self, from: data)
            #expect(copy == call)
            #expect(copy.run(.answered, .mediaArrived) == call.run(.answered, .mediaArrived))
        }
    }

    @Test("A phone, its events and its effects can be written down and read back") func phonesAreCodable() throws {
        let events: [PhoneMachine.Event] = [
            .pushArrived(PushID(1), .invitation(Fixture.invitation()), mustReport: true, spare: Fixture.spare),
            .pushArrived(PushID(2), .undecodable, mustReport: true, spare: Fixture.other),
            .reportCompleted(Fixture.call, nil), .reportCompleted(Fixture.other, Fixture.broken),
            .answerPerformed(Fixture.action, Fixture.call), .server(Fixture.call, .answered), .audioActivated,
            .media(Fixture.call, .arrived), .media(Fixture.call, .interrupted(true)),
            .media(Fixture.call, .signal(Fixture.signal("x"))), .server(Fixture.call, .update(PeerUpdate(held: true))),
            .command(OperationID(1), .setMuted(Fixture.call, true)), .mutePerformed(Fixture.second, Fixture.call, true),
            .command(OperationID(2), .start(Fixture.spare, Fixture.bob)), .server(Fixture.call, .ended(.remoteEnded)),
        ]
        var phone = PhoneMachine()
        for event in events {
            let read = try JSONDecoder().decode(PhoneMachine.Event.self, from: try JSONEncoder().encode(event))
            #expect(read == event)
            var copy = try JSONDecoder().decode(PhoneMachine.self, from: try JSONEncoder().encode(phone))
            let effects = phone.handle(event, at: Fixture.start)
            #expect(copy.handle(read, at: Fixture.start) == effects)
            #expect(copy == phone)
            #expect(try JSONDecoder().decode([PhoneEffect].self, from: try JSONEncoder().encode(effects)) == effects)
        }
    }
}
