// SPDX-License-Identifier: MIT

import Testing

@testable import OffhookNet

@Suite struct HTTP2SessionTests {
    @Test func aRequestArrivesWholeAndItsAnswerToo() throws {
        let pair = try SessionPair()
        var request = HTTP2Request(
            method: "POST", authority: "localhost:443", path: "/3/device/00aa",
            headers: [
                HTTP2Header("authorization", "bearer x", isNeverIndexed: true), HTTP2Header("apns-priority", "10"),
            ],
            body: Array("{\"aps\":{}}".utf8))
        let stream = try pair.client.submit(request)
        let (arrived, got) = try #require(try pair.exchange().requests.first)
        #expect(arrived == stream)
        #expect(got == request)
        let response = HTTP2Response(status: 400, headers: [HTTP2Header("apns-id", "1")], body: Array("why".utf8))
        #expect(pair.server.respond(response, on: stream))
        #expect(try pair.exchange().responses.first?.1 == response)
        request.body = []
        _ = try pair.client.submit(request)
        #expect(try pair.exchange().requests.first?.1 == request)
    }

    @Test func secretsAreSentNeverIndexed() throws {
        let pair = try SessionPair()
        try pair.settle()
        for _ in 0..<2 {
            _ = try pair.client.submit(
                HTTP2Request(
                    method: "POST", authority: "a", path: "/secret-path",
                    headers: [HTTP2Header("authorization", "bearer secret", isNeverIndexed: true)]))
            let bytes = try pair.client.takeOutput()
            // RFC 7541 §6.2.3: 0x10 | index of the static table: 4 is :path; 23, authorization, takes a second byte.
            #expect(bytes.contains(0x14))
            #expect(zip(bytes, bytes.dropFirst()).contains { $0 == (0x1f, 23 - 15) })
            _ = try pair.server.feed(bytes)
        }
    }

    @Test(arguments: [1, 3, 100])
    func anyCuttingOfTheStreamGivesTheSameRequest(piece: Int) throws {
        let pair = try SessionPair()
        let body = SecureRandom.bytes(5_000)
        _ = try pair.client.submit(HTTP2Request(method: "POST", authority: "a", path: "/", body: body))
        #expect(try pair.exchange(piece: piece).requests.first?.1.body == body)
    }

    @Test func aBodyLargerThanTheLimitIsMarkedAndNotKept() throws {
        let pair = try SessionPair(bodyBytes: 100)
        _ = try pair.client.submit(
            HTTP2Request(method: "POST", authority: "a", path: "/", body: SecureRandom.bytes(40_000)))
        let request = try #require(try pair.exchange().requests.first?.1)
        #expect(request.isBodyTruncated)
        #expect(request.body.count == 100)
    }

    @Test func headersBeyondTheLimitResetTheStream() throws {
        let pair = try SessionPair()
        let stream = try pair.client.submit(
            HTTP2Request(
                method: "GET", authority: "a", path: "/",
                headers: (0..<400).map { HTTP2Header("x-\($0)", String(repeating: "y", count: 50)) }))
        let result = try pair.exchange()
        #expect(result.requests.isEmpty)
        #expect(result.closed.contains { $0.0 == stream })
    }

    @Test func aGoAwayGivesBackTheStreamsAboveTheLastOne() throws {
        let pair = try SessionPair()
        let first = try pair.client.submit(HTTP2Request(method: "GET", authority: "a", path: "/1"))
        let second = try pair.client.submit(HTTP2Request(method: "GET", authority: "a", path: "/2"))
        #expect(try pair.exchange().requests.count == 2)
        pair.server.goAway(lastStream: first, .noError, debugData: Array("{\"reason\":\"Shutdown\"}".utf8))
        #expect(pair.server.respond(HTTP2Response(status: 200), on: first))
        let result = try pair.exchange()
        #expect(result.goAways.first?.0 == first)
        #expect(result.goAways.first?.1 == Array("{\"reason\":\"Shutdown\"}".utf8))
        #expect(result.closed.contains { $0 == (second, .refusedStream) })
        #expect(result.responses.first?.0 == first)
        let third = try pair.client.submit(HTTP2Request(method: "GET", authority: "a", path: "/3"))
        #expect(try pair.client.takeOutput().isEmpty)
        guard case .streamClosed(third, .refusedStream) = pair.client.takeEvents().first else {
            Issue.record("a request after a GOAWAY is given back")
            return
        }
    }

    @Test func aResetAndAPingReachTheOtherEnd() throws {
        let pair = try SessionPair()
        let stream = try pair.client.submit(HTTP2Request(method: "GET", authority: "a", path: "/1"))
        _ = try pair.exchange()
        pair.server.reset(stream, .refusedStream)
        pair.client.ping()
        let result = try pair.exchange()
        #expect(result.closed.contains { $0 == (stream, .refusedStream) })
        #expect(result.pings == 1)
    }

    @Test func theStreamLimitFollowsTheServersSettings() throws {
        let pair = try SessionPair(concurrentStreams: 1)
        try pair.settle()
        #expect(pair.client.peerConcurrentStreams == 1)
        pair.server.setConcurrentStreams(1_000)
        _ = try pair.exchange()
        #expect(pair.client.peerConcurrentStreams == 1_000)
    }

    @Test func anInterimAnswerIsNotTheAnswer() throws {
        let pair = try SessionPair()
        let stream = try pair.client.submit(HTTP2Request(method: "GET", authority: "a", path: "/"))
        _ = try pair.exchange()
        #expect(pair.server.inform(stream))
        #expect(try pair.exchange().responses.isEmpty)
        #expect(pair.server.respond(HTTP2Response(status: 204), on: stream))
        let answer = try #require(try pair.exchange().responses.first?.1)
        #expect(answer.status == 204)
        #expect(answer.headers.isEmpty)
    }

    @Test func bytesThatAreNoHTTP2EndTheSessionAndNeverTrap() throws {
        for seed in 0..<300 {
            let pair = try SessionPair()
            try pair.settle()
            _ = try pair.client.submit(
                HTTP2Request(method: "POST", authority: "a", path: "/x", body: Array("hello".utf8)))
            var bytes = try pair.client.takeOutput()
            bytes[(seed * 7) % bytes.count] ^= UInt8(1 << (seed % 8))
            do {
                _ = try pair.server.feed(bytes)
                _ = try pair.server.takeOutput()
            } catch {
                #expect((error as? NetError)?.code == .protocolViolation)
            }
        }
        let server = try HTTP2Session(role: .server)
        #expect(throws: NetError.self) {
            _ = try server.feed(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        }
    }
}

/// A client and a server session whose outputs are carried to each other.
final class SessionPair {
    struct Result {
        var requests: [(Int32, HTTP2Request)] = []
        var responses: [(Int32, HTTP2Response)] = []
        var closed: [(Int32, HTTP2ErrorCode)] = []
        var goAways: [(Int32, [UInt8])] = []
        var pings = 0
    }

    let client: HTTP2Session
    let server: HTTP2Session

    init(concurrentStreams: UInt32 = 100, bodyBytes: Int = 65_536) throws {
        client = try HTTP2Session(role: .client)
        var limits = HTTP2Session.Limits()
        limits.concurrentStreams = concurrentStreams
        limits.bodyBytes = bodyBytes
        server = try HTTP2Session(role: .server, limits: limits)
    }

    func settle() throws {
        _ = try exchange()
    }

    func exchange(piece: Int = .max) throws -> Result {
        var result = Result()
        while true {
            let toServer = try client.takeOutput()
            let toClient = try server.takeOutput()
            if toServer.isEmpty && toClient.isEmpty { break }
            for event in try server.feed(toServer, piece: piece) + client.feed(toClient, piece: piece) {
                switch event {
                case .request(let stream, let request): result.requests.append((stream, request))
                case .response(let stream, let response): result.responses.append((stream, response))
                case .streamClosed(let stream, let code): result.closed.append((stream, code))
                case .goAway(let stream, _, let data): result.goAways.append((stream, data))
                case .pingAnswered: result.pings += 1
                case .settings: break
                }
            }
        }
        return result
    }
}

extension HTTP2Session {
    func feed(_ bytes: [UInt8], piece: Int = .max) throws -> [Event] {
        var events: [Event] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            events += try Array(rest.prefix(piece)).withUnsafeBytes { try receive($0) }
            rest = rest.dropFirst(piece)
        }
        return events
    }
}
