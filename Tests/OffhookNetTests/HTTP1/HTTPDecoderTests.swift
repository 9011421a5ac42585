// SPDX-License-Identifier: MIT

import OffhookNet
import Testing

/// Everything a decoder makes of bytes given in pieces; the violation if it ends in one.
func decodeHTTP(
    _ pieces: [ArraySlice<UInt8>], role: HTTPDecoder.Role = .server, limits: HTTPLimits = HTTPLimits(),
    thenEnd: Bool = false
) -> (parts: [HTTPDecoder.Part], violation: HTTPViolation?) {
    var decoder = HTTPDecoder(role: role, limits: limits)
    var parts: [HTTPDecoder.Part] = []
    do throws(HTTPViolation) {
        for piece in pieces {
            piece.withUnsafeBytes { decoder.receive($0) }
            while let part = try decoder.next() { parts.append(part) }
        }
        if thenEnd {
            decoder.receiveEnd()
            while let part = try decoder.next() { parts.append(part) }
        }
    } catch {
        return (joined(parts), error)
    }
    return (joined(parts), nil)
}

/// The parts with neighbouring pieces of a body made one, since their borders are the network's.
func joined(_ parts: [HTTPDecoder.Part]) -> [HTTPDecoder.Part] {
    parts.reduce(into: []) { result, part in
        if case .body(let more) = part, case .body(let bytes) = result.last {
            result[result.count - 1] = .body(bytes + more)
        } else {
            result.append(part)
        }
    }
}

@Suite
struct HTTPDecoderTests {
    static let messages: [(name: String, text: String, parts: [HTTPDecoder.Part])] = [
        (
            "a GET without fields but Host", "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
            [.request(HTTPRequestHead(method: "GET", target: "/", headers: ["Host": "a"])), .end]
        ),
        (
            "HTTP/1.0 without Host", "GET /x HTTP/1.0\r\n\r\n",
            [.request(HTTPRequestHead(method: "GET", target: "/x", minorVersion: 0)), .end]
        ),
        (
            "a counted body", "POST /p?q=1 HTTP/1.1\r\nHost:a\r\nContent-Length:\t5 \r\n\r\nhello",
            [
                .request(
                    HTTPRequestHead(method: "POST", target: "/p?q=1", headers: ["Host": "a", "Content-Length": "5"])),
                .body(Array("hello".utf8)), .end,
            ]
        ),
        (
            "a chunked body with extension and trailer",
            "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "5;x=1\r\nhello\r\nA\r\n, friends!\r\n0\r\nX-Sum: 1\r\n\r\n",
            [
                .request(
                    HTTPRequestHead(
                        method: "PUT", target: "/", headers: ["Host": "a", "Transfer-Encoding": "chunked"])),
                .body(Array("hello, friends!".utf8)), .end,
            ]
        ),
        (
            "two requests one after the other",
            "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: ä\r\nEmpty:\r\n\r\n",
            [
                .request(HTTPRequestHead(method: "GET", target: "/1", headers: ["Host": "a"])), .end,
                .request(HTTPRequestHead(method: "GET", target: "/2", headers: ["Host": "ä", "Empty": ""])), .end,
            ]
        ),
    ]

    @Test("a request is understood, whole and cut at every place", arguments: messages)
    func requests(_ message: (name: String, text: String, parts: [HTTPDecoder.Part])) {
        let bytes = Array(message.text.utf8)
        let whole = decodeHTTP([bytes[...]])
        #expect(whole.parts == message.parts)
        #expect(whole.violation == nil)
        for cut in 0...bytes.count {
            #expect(decodeHTTP([bytes[..<cut], bytes[cut...]]).parts == message.parts, "cut at \(cut)")
        }
        #expect(decodeHTTP(bytes.indices.map { bytes[$0...$0] }).parts == message.parts, "byte by byte")
    }

    @Test("a response is understood, whole and cut at every place")
    func responses() {
        let text =
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
            + "HTTP/1.1 204 \r\n\r\nHTTP/1.1 304 Not Modified\r\n\r\nHTTP/1.0 500 Oh no\r\n\r\nto the end"
        let parts: [HTTPDecoder.Part] = [
            .response(HTTPResponseHead(status: 100, reason: "Continue")),
            .response(HTTPResponseHead(status: 200, headers: ["Content-Length": "2"])), .body(Array("hi".utf8)), .end,
            .response(HTTPResponseHead(status: 204, reason: "")), .end,
            .response(HTTPResponseHead(status: 304)), .end,
            .response(HTTPResponseHead(status: 500, reason: "Oh no", minorVersion: 0)),
            .body(Array("to the end".utf8)), .end,
        ]
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            let result = decodeHTTP([bytes[..<cut], bytes[cut...]], role: .client, thenEnd: true)
            #expect(result.parts == parts, "cut at \(cut)")
        }
    }

    @Test("what follows a 101 is left for the next protocol")
    func upgrade() throws {
        var decoder = HTTPDecoder(role: .client)
        Array("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\u{1}\u{2}".utf8)
            .withUnsafeBytes { decoder.receive($0) }
        let head = HTTPResponseHead(status: 101, headers: ["Upgrade": "websocket"])
        #expect(try decoder.next() == .response(head))
        #expect(try decoder.next() == nil)
        #expect(decoder.takeRemainder() == [1, 2])
    }

    @Test("an answer to HEAD has no body, whatever its fields announce")
    func answersToHead() throws {
        for field in ["Content-Length: 99999999", "Transfer-Encoding: chunked", "X: y"] {
            var decoder = HTTPDecoder(role: .client)
            decoder.answersHead = true
            Array("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\(field)\r\n\r\n".utf8)
                .withUnsafeBytes { decoder.receive($0) }
            for status in [100, 200] {
                guard case .response(let head) = try decoder.next() else {
                    Issue.record("no head")
                    return
                }
                #expect(head.status == status)
            }
            #expect(try decoder.next() == .end && decoder.isIdle)
        }
    }

    @Test("heads that were written are read back as they were")
    func roundTrip() {
        let request = HTTPRequestHead(
            method: "DELETE", target: "/calls/1?a=b", headers: ["Host": "a:1", "X-Twice": "1", "X-Twice": "2"])
        #expect(decodeHTTP([request.encoded[...]]).parts == [.request(request), .end])
        #expect(request.path == "/calls/1" && request.query == "a=b")
        #expect(request.headers["x-twice"] == nil && request.headers.values(of: "x-twice") == ["1", "2"])
        let response = HTTPResponseHead(status: 404, headers: ["Content-Length": "0"])
        #expect(decodeHTTP([response.encoded[...]], role: .client).parts == [.response(response), .end])
    }

    @Test("a list of fields is split at commas and compared without case")
    func lists() {
        let headers: HTTPHeaders = ["Connection": "keep-alive, ,Upgrade", "connection": "\tx "]
        #expect(headers.list(of: "CONNECTION") == ["keep-alive", "Upgrade", "x"])
        #expect(headers.list(of: "connection", contains: "upgrade"))
        #expect(!headers.list(of: "connection", contains: "up"))
    }
}
