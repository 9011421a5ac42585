// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookWire

/// The messages that are measured: short ones, and a media offer in two sizes.
enum WireSamples {
    static let client: [(name: String, message: ClientMessage)] = [
        (
            "hello",
            ClientMessage(
                id: "m1",
                body: .hello(Hello(device: "phone-7f3a", session: "s-0123456789", sequence: 41, calls: [call])))
        ),
        ("invite", ClientMessage(id: "m2", body: .invite(call: call, to: Handle(value: "bob"), video: true))),
        ("answer", ClientMessage(id: "m3", body: .answer(call: call))),
        ("media offer", ClientMessage(id: "m4", body: .media(call: call, signal: offer(lines: 36)))),
        ("media offer", ClientMessage(id: "m5", body: .media(call: call, signal: offer(lines: 576)))),
    ]

    static let server: [(name: String, message: ServerMessage)] = [
        ("ack", ServerMessage(sequence: nil, body: .ack(replyTo: "m2"))),
        ("ringing", ServerMessage(sequence: 5, body: .ringing(call: call))),
        (
            "invited",
            ServerMessage(
                sequence: 4,
                body: .invited(
                    Invitation(
                        call: call, callerName: "Alice", callerHandle: Handle(value: "alice"), issuedAt: start,
                        expiresAt: start + .seconds(45))))
        ),
        ("media offer", ServerMessage(sequence: 6, body: .media(call: call, signal: offer(lines: 36)))),
        ("media offer", ServerMessage(sequence: 7, body: .media(call: call, signal: offer(lines: 576)))),
    ]

    private static let call = CallID(high: 0x0123_4567_89AB_4DEF, low: 0x8123_4567_89AB_CDEF)
    private static let start = Instant(milliseconds: 1_700_000_000_000)

    /// A session description's lines, about 55 bytes each.
    private static func offer(lines: Int) -> MediaSignal {
        let body = (0..<lines).map { "a=candidate:\($0) 1 udp 2130706431 192.0.2.1 50000 typ host\r\n" }.joined()
        return MediaSignal(kind: .offer, generation: 1, body: body)
    }
}

/// The fields of the measured messages as Foundation's coders would have them.
struct CodableFrame: Codable {
    /// A user's address.
    struct Address: Codable {
        var kind: String?
        var value: String
    }

    /// A media signal.
    struct Signal: Codable {
        var kind: String
        var generation: Int
        var body: String
    }

    var v: Int
    var id: String?
    var seq: Int?
    var type: String
    var call: String?
    var device: String?
    var session: String?
    var calls: [String]?
    var to: Address?
    var video: Bool?
    var signal: Signal?
    var replyTo: String?
    var name: String?
    var handle: Address?
    var issuedAt: Int64?
    var expiresAt: Int64?
}
