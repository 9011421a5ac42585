// SPDX-License-Identifier: MIT

import OffhookNet
import Testing

@Suite
struct WebSocketRefusalTests {
    private static let client = WebSocketEncoder(role: .client)

    /// A masked frame with a zero mask, so that the payload can be read in the test.
    private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [first, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
    }

    static let refused: [(name: String, bytes: [UInt8], code: Int)] = [
        ("reserved bit 1", frame(0xc1, []), 1002),
        ("reserved bit 2", frame(0xa1, []), 1002),
        ("reserved bit 3", frame(0x91, []), 1002),
        ("a reserved bit in a ping", frame(0xc9, []), 1002),
        ("a client's frame without mask", [0x81, 0x00], 1002),
        ("a fragmented ping", frame(0x09, []), 1002),
        ("a fragmented close", frame(0x08, []), 1002),
        ("a ping of 126 bytes", [0x89, 0xfe], 1002),
        ("a close of 64-bit length", [0x88, 0xff], 1002),
        ("a continuation without start", frame(0x80, []), 1002),
        ("a continuation after a whole message", client.text("x") + frame(0x80, []), 1002),
        ("a text inside a fragmented text", frame(0x01, []) + frame(0x81, []), 1002),
        ("a binary inside a fragmented text", frame(0x01, []) + frame(0x02, []), 1002),
        ("16-bit length of 125", [0x82, 0xfe, 0, 125], 1002),
        ("64-bit length of 65535", [0x82, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 1002),
        ("64-bit length with the highest bit", [0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0], 1002),
        ("a frame over the limit", [0x82, 0xfe, 0x04, 0x01], 1009),
        ("a huge frame", [0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 1009),
        ("text that is not UTF-8", frame(0x81, [0xff]), 1007),
        ("an overlong slash", frame(0x81, [0xc0, 0xaf]), 1007),
        ("a surrogate", frame(0x81, [0xed, 0xa0, 0x80]), 1007),
        ("beyond U+10FFFF", frame(0x81, [0xf4, 0x90, 0x80, 0x80]), 1007),
        ("a character cut off at the end", frame(0x81, [0xe2, 0x82]), 1007),
        ("a character cut off over fragments", frame(0x01, [0xe2]) + frame(0x80, [0x82]), 1007),
        ("a close of one byte", frame(0x88, [3]), 1002),
        ("a close reason that is not UTF-8", frame(0x88, [0x03, 0xe8, 0xff]), 1007),
    ]

    @Test("bytes that break a rule are refused with its code, whole and byte by byte", arguments: refused)
    func refuses(_ input: (name: String, bytes: [UInt8], code: Int)) {
        for pieces in [[input.bytes[...]], input.bytes.indices.map { input.bytes[$0...$0] }] {
            let events = decodeFrames(pieces, messageBytes: 1_024)
            guard case .violation(let violation)? = events.last else {
                Issue.record("\(input.name) was accepted: \(events)")
                continue
            }
            #expect(violation.code == input.code, "\(input.name)")
        }
    }

    @Test("reserved opcodes are refused", arguments: [0x3, 0x4, 0x5, 0x6, 0x7, 0xb, 0xc, 0xd, 0xe, 0xf] as [UInt8])
    func reservedOpcode(_ opcode: UInt8) {
        let events = decodeFrames([Self.frame(0x80 | opcode, [])[...]])
        #expect(events.count == 1)
        guard case .violation(let violation)? = events.first else {
            Issue.record("accepted")
            return
        }
        #expect(violation.code == 1002)
    }

    @Test("a server's masked frame is refused by a client")
    func maskedByServer() {
        guard case .violation(let violation)? = decodeFrames([Self.client.text("x")[...]], role: .client).last else {
            Issue.record("accepted")
            return
        }
        #expect(violation.code == 1002)
    }

    @Test("a close code is accepted exactly when it may be sent")
    func closeCodes() {
        let allowed = Set(1000...1003).union(1007...1014).union(3000...4999)
        for code in 0...65_535 {
            let payload = [UInt8(code >> 8), UInt8(code & 0xff)]
            let accepted = decodeFrames([Self.frame(0x88, payload)[...]]) == [.close(code: code, reason: "")]
            #expect(accepted == allowed.contains(code), "code \(code)")
        }
    }

    @Test("fragments that together exceed the limit are refused before their bytes are kept")
    func fragmentsOverLimit() {
        let bytes = Self.frame(0x02, [UInt8](repeating: 0, count: 100)) + Self.frame(0x00, [])[..<1] + [0x80 | 29]
        #expect(
            decodeFrames([bytes[...]], messageBytes: 128)
                == [.violation(WebSocketViolation(code: 1009, message: "a message is longer than 128 bytes"))])
        let fits =
            Self.frame(0x02, [UInt8](repeating: 0, count: 100)) + Self.frame(0x80, [UInt8](repeating: 0, count: 28))
        #expect(decodeFrames([fits[...]], messageBytes: 128) == [.binary([UInt8](repeating: 0, count: 128))])
    }

    @Test("nothing is said after a refusal")
    func staysRefused() {
        let events = decodeFrames([[0xff], Self.client.text("x")[...]])
        #expect(events.count == 1)
    }

    @Test("every single changed byte of a stream is understood or refused, never trapped on")
    func sweep() {
        let stream =
            Self.client.text("héllo") + Self.frame(0x01, [65]) + Self.frame(0x89, [1]) + Self.frame(0x80, [66])
            + Self.client.binary([UInt8](repeating: 1, count: 130)) + Self.client.close(code: 1000, reason: "x")
        for position in stream.indices {
            for value in Array(stride(from: UInt8.min, to: .max, by: 7)) + [0x7e, 0x7f, 0x80, 0xfe, 0xff] {
                var changed = stream
                changed[position] = value
                #expect(decodeFrames([changed[...]]).count <= 60)
            }
        }
        for length in stream.indices { _ = decodeFrames([stream[..<length]]) }
    }

    @Test("random bytes never trap a decoder of either role")
    func noise() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let bytes = (0..<64).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            _ = decodeFrames([bytes[...]], role: .server)
            _ = decodeFrames([bytes[..<20], bytes[20...]], role: .client)
        }
    }
}
