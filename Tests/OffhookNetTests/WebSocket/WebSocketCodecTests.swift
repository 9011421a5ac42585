// SPDX-License-Identifier: MIT

import OffhookNet
import Testing

/// Everything a decoder makes of bytes given in pieces.
func decodeFrames(
    _ pieces: [ArraySlice<UInt8>], role: WebSocketRole = .server, messageBytes: Int = 65_536, frameBytes: Int? = nil
) -> [WebSocketEvent] {
    var decoder = WebSocketDecoder(role: role, messageBytes: messageBytes, frameBytes: frameBytes)
    return pieces.flatMap { piece in piece.withUnsafeBytes { decoder.receive($0) } }
}

@Suite
struct WebSocketCodecTests {
    static let pairs: [(sender: WebSocketRole, receiver: WebSocketRole)] = [(.client, .server), (.server, .client)]

    @Test("messages of every length class are read back", arguments: pairs)
    func lengths(_ pair: (sender: WebSocketRole, receiver: WebSocketRole)) {
        let encoder = WebSocketEncoder(role: pair.sender)
        for length in [0, 1, 2, 7, 8, 9, 124, 125, 126, 127, 200, 1000, 65_535, 65_536] {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let text = String(repeating: "é", count: length / 2) + String(repeating: "z", count: length % 2)
            #expect(decodeFrames([encoder.binary(bytes)[...]], role: pair.receiver) == [.binary(bytes)])
            #expect(decodeFrames([encoder.text(text)[...]], role: pair.receiver) == [.text(text)])
        }
    }

    @Test("a stream with fragments, pings between them and a close is the same cut at every place", arguments: pairs)
    func cuts(_ pair: (sender: WebSocketRole, receiver: WebSocketRole)) {
        let encoder = WebSocketEncoder(role: pair.sender)
        let euro = Array("€".utf8)
        let long = [UInt8](repeating: 7, count: 130)
        let stream: [[UInt8]] = [
            encoder.text("hello"), encoder.binary(long), encoder.text(""),
            encoder.frame(.text, isFinal: false, [euro[0]]), encoder.ping([1, 2, 3]),
            encoder.frame(.continuation, isFinal: false, []), encoder.pong([]),
            encoder.frame(.continuation, isFinal: true, Array(euro[1...])),
            encoder.frame(.binary, isFinal: false, []), encoder.frame(.continuation, isFinal: true, [9]),
            encoder.close(code: 1000, reason: "bye"), encoder.text("after the close"),
        ]
        let expected: [WebSocketEvent] = [
            .text("hello"), .binary(long), .text(""), .ping([1, 2, 3]), .pong([]), .text("€"), .binary([9]),
            .close(code: 1000, reason: "bye"),
        ]
        let bytes = stream.flatMap { $0 }
        for cut in 0...bytes.count {
            #expect(decodeFrames([bytes[..<cut], bytes[cut...]], role: pair.receiver) == expected, "cut at \(cut)")
        }
        #expect(decodeFrames(bytes.indices.map { bytes[$0...$0] }, role: pair.receiver) == expected, "byte by byte")
    }

    @Test("the examples of RFC 6455 §5.7 are read and written")
    func examples() {
        let server = WebSocketEncoder(role: .server)
        let hello: [UInt8] = [0x48, 0x65, 0x6c, 0x6c, 0x6f]
        #expect(server.text("Hello") == [0x81, 0x05] + hello)
        let masked: [UInt8] = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]
        #expect(decodeFrames([masked[...]]) == [.text("Hello")])
        let fragments: [UInt8] = [0x01, 0x03, 0x48, 0x65, 0x6c, 0x80, 0x02, 0x6c, 0x6f]
        #expect(decodeFrames([fragments[...]], role: .client) == [.text("Hello")])
        #expect(server.ping(hello) == [0x89, 0x05] + hello)
        #expect(server.binary([UInt8](repeating: 0, count: 256)).prefix(4) == [0x82, 0x7e, 0x01, 0x00])
        #expect(
            server.binary([UInt8](repeating: 0, count: 65_536)).prefix(10) == [0x82, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0])
    }

    @Test("a client masks every frame anew, a server none")
    func masks() {
        let client = WebSocketEncoder(role: .client)
        let frames = Set((0..<64).map { _ in Array(client.text("same")[2..<6]) })
        #expect(frames.count > 60)
        #expect(client.close(code: nil)[1] == 0x80)
        #expect(WebSocketEncoder(role: .server).close(code: nil) == [0x88, 0x00])
    }

    @Test("a close frame carries its code and as much of the reason as fits")
    func closes() {
        let encoder = WebSocketEncoder(role: .client)
        #expect(decodeFrames([encoder.close(code: nil)[...]]) == [.close(code: nil, reason: "")])
        #expect(decodeFrames([encoder.close(code: 4999)[...]]) == [.close(code: 4999, reason: "")])
        let long = String(repeating: "€", count: 50)
        #expect(
            decodeFrames([encoder.close(code: 1001, reason: long)[...]])
                == [.close(code: 1001, reason: String(repeating: "€", count: 41))])
    }
}
