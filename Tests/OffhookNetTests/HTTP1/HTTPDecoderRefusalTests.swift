// SPDX-License-Identifier: MIT

import OffhookNet
import Testing

@Suite
struct HTTPDecoderRefusalTests {
    private static func get(_ lines: String) -> String { "GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n" }

    static let refused: [(text: String, status: Int)] = [
        // Two readers could see two different bodies: request smuggling (RFC 9112 §11.2).
        (get("Content-Length: 5\r\nContent-Length: 6\r\n"), 400),
        (get("Content-Length: 5\r\nContent-Length: 5\r\n"), 400),
        (get("Content-Length: 5, 5\r\n"), 400),
        (get("Content-Length: +5\r\n"), 400),
        (get("Content-Length: -1\r\n"), 400),
        (get("Content-Length: 0x5\r\n"), 400),
        (get("Content-Length: 5 5\r\n"), 400),
        (get("Content-Length:\r\n"), 400),
        (get("Content-Length: 9223372036854775808\r\n"), 400),
        (get("Content-Length: 99999999999999999999\r\n"), 400),
        (get("Content-Length: ٥\r\n"), 400),
        (get("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"), 400),
        (get("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"), 400),
        (get("Transfer-Encoding: gzip, chunked\r\n"), 501),
        (get("Transfer-Encoding: chunked, chunked\r\n"), 501),
        (get("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 501),
        (get("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n"), 501),
        (get("Transfer-Encoding: xchunked\r\n"), 501),
        (get("Transfer-Encoding: \u{b}chunked\r\n"), 400),
        (get("Transfer-Encoding : chunked\r\n"), 400),
        ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        // Lines.
        ("GET / HTTP/1.1\nHost: a\n\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\n\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\r\n\r\n", 400),
        (get(" folded\r\n"), 400),
        (get("X: 1\r\n\tfolded\r\n"), 400),
        ("GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400),
        (get("no colon\r\n"), 400),
        (get(": no name\r\n"), 400),
        (get("Na me: x\r\n"), 400),
        (get("N\u{e4}me: x\r\n"), 400),
        (get("X: \u{0}\r\n"), 400),
        (get("X: \u{7f}\r\n"), 400),
        ("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        // Request line.
        ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400),
        (" GET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /\u{e4} HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET / http/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.2\r\nHost: a\r\n\r\n", 505),
        ("PRI * HTTP/2.0\r\n\r\n", 505),
        // Host.
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        // Chunks.
        (get("Transfer-Encoding: chunked\r\n") + "\r\n", 400),
        (get("Transfer-Encoding: chunked\r\n") + "g\r\n", 400),
        (get("Transfer-Encoding: chunked\r\n") + "0x5\r\nhello\r\n", 400),
        (get("Transfer-Encoding: chunked\r\n") + " 5\r\nhello\r\n", 400),
        (get("Transfer-Encoding: chunked\r\n") + "5 \r\nhello\r\n", 400),
        (get("Transfer-Encoding: chunked\r\n") + "-5\r\nhello\r\n", 400),
        (get("Transfer-Encoding: chunked\r\n") + "000000005\r\nhello\r\n", 400),
        (get("Transfer-Encoding: chunked\r\n") + "5\nhello\r\n", 400),
        (get("Transfer-Encoding: chunked\r\n") + "5\r\nhelloX\r\n", 400),
        (get("Transfer-Encoding: chunked\r\n") + "5\r\nhello\n", 400),
        (get("Transfer-Encoding: chunked\r\n") + "5;\u{0}\r\nhello\r\n", 400),
        (get("Transfer-Encoding: chunked\r\n") + "5;" + String(repeating: "x", count: 300), 400),
        (get("Transfer-Encoding: chunked\r\n") + "0\r\nno colon\r\n\r\n", 400),
        (get("Transfer-Encoding: chunked\r\n") + "ffffffff\r\n", 413),
        // Sizes.
        (get("Content-Length: 101\r\n"), 413),
        (get("Transfer-Encoding: chunked\r\n") + "40\r\n" + String(repeating: "x", count: 64) + "\r\n40\r\n", 413),
        (get("X: " + String(repeating: "x", count: 2_000) + "\r\n"), 431),
        ("GET /" + String(repeating: "x", count: 2_000), 431),
        (get(String(repeating: "X: 1\r\n", count: 20)), 431),
    ]

    @Test("a request that breaks a rule is refused, whole and byte by byte", arguments: refused)
    func refuses(_ request: (text: String, status: Int)) {
        let limits = HTTPLimits(headBytes: 1_024, headerCount: 10, bodyBytes: 100)
        let bytes = Array(request.text.utf8)
        let whole = decodeHTTP([bytes[...]], limits: limits)
        #expect(whole.violation?.status == request.status)
        #expect(!whole.parts.contains(.end))
        let slow = decodeHTTP(bytes.indices.map { bytes[$0...$0] }, limits: limits)
        #expect(slow.violation?.status == request.status, "byte by byte")
    }

    @Test(
        "a response that breaks a rule is refused",
        arguments: [
            "HTTP/1.1 200\r\n\r\n", "HTTP/1.1  200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n",
            "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.1 600 OK\r\n\r\n", "HTTP/2 200 OK\r\n\r\n", "ICY 200 OK\r\n\r\n",
            "HTTP/1.1 200 \u{1}\r\n\r\n", "HTTP/1.1 +20 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        ])
    func refusesResponse(_ text: String) {
        #expect(decodeHTTP([Array(text.utf8)[...]], role: .client).violation != nil)
    }

    @Test("a body without a length is limited too")
    func untilEnd() {
        let text = "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 101)
        let result = decodeHTTP([Array(text.utf8)[...]], role: .client, limits: HTTPLimits(bodyBytes: 100))
        #expect(result.violation?.status == 413)
    }

    @Test("a refused connection stays refused, whatever comes")
    func staysRefused() {
        let good = Array(Self.get("").utf8)[...]
        let result = decodeHTTP([Array("GET / HTTP/9.9\r\n\r\n".utf8)[...], good])
        #expect(result.violation?.status == 505 && result.parts.isEmpty)
    }

    @Test("every single changed byte of a request is understood or refused, never trapped on")
    func sweep() {
        let text = Self.get("Transfer-Encoding: chunked\r\n") + "3\r\nabc\r\n0\r\n\r\n"
        let bytes = Array(text.utf8)
        for position in bytes.indices {
            let near = [bytes[position] ^ 0x20, bytes[position] &+ 1, bytes[position] &- 1]
            for value in Array("\0\t\n\r ,:;0z\u{7f}".utf8) + [0x80, 0xff] + near {
                var changed = bytes
                changed[position] = value
                let result = decodeHTTP([changed[...]])
                #expect(result.parts.count <= 6)
            }
            var shorter = bytes
            shorter.remove(at: position)
            _ = decodeHTTP([shorter[...]])
        }
    }
}
