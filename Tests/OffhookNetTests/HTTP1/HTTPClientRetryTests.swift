// SPDX-License-Identifier: MIT

import OffhookNet
import Testing

/// A kept connection that the server closes just as it is used again.
@Suite(.timeLimit(.minutes(10)))
struct HTTPClientRetryTests {
    private static let fine = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    private static let empty = "HTTP/1.1 204 No Content\r\n\r\n"

    /// A server that answers the first request of a connection and does something else to the second.
    private func server(
        on loop: EventLoop, second: @escaping @Sendable (TCPConnection) -> Void
    ) throws -> ScriptedServer {
        try ScriptedServer(on: loop) { connection, request in
            if request.number > 0 { return second(connection) }
            connection.write(request.head.method == "HEAD" ? Self.empty : Self.fine)
        }
    }

    @Test(
        "an idempotent request is sent once more on a new connection, with its body",
        arguments: ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"], [true, false])
    func idempotent(_ method: String, _ isAborted: Bool) async throws {
        try await withLoop { loop async throws in
            let server = try server(on: loop) { isAborted ? $0.abort() : $0.close() }
            let client = HTTPClient(loop: loop)
            let request = HTTPClientRequest(method: method, url: server.url, body: method == "PUT" ? [1, 2, 3] : [])
            for _ in 0..<2 { #expect(await outcome(client, request).code == nil) }
            let seen = try await server.requests.next(3)
            #expect(seen.map(\.connection) == [0, 0, 1])
            #expect(seen.allSatisfy { $0.body == request.body && $0.head == seen[0].head })
            #expect(try await loop.run { client.idleConnectionCount } == 1)
        }
    }

    @Test("any other request is not: nobody knows whether the server has acted", arguments: ["POST", "PATCH", "get"])
    func notIdempotent(_ method: String) async throws {
        try await withLoop { loop async throws in
            let server = try server(on: loop) { $0.close() }
            let client = HTTPClient(loop: loop)
            let request = HTTPClientRequest(method: method, url: server.url, body: [1])
            #expect(await outcome(client, request).text == "ok")
            let lost = await outcome(client, request)
            #expect(lost.code == .connectionReset && lost.message.contains("send the \(method) again"))
            // The next one is on a new connection, and there was none between.
            #expect(await outcome(client, request).text == "ok")
            #expect(try await server.requests.next(3).map(\.connection) == [0, 0, 1])
        }
    }

    @Test("it is sent once more and no more often, and never after the first byte or on a fresh connection")
    func onlyOnce() async throws {
        try await withLoop { loop async throws in
            let client = HTTPClient(loop: loop)
            let closing = try ScriptedServer(on: loop) { connection, request in
                if request.connection == 0, request.number == 0 {
                    connection.write(Self.fine)
                } else {
                    connection.close()
                }
            }
            #expect(await outcome(client, closing.url).text == "ok")
            #expect(await outcome(client, closing.url).code == .connectionReset)
            #expect(await outcome(client, closing.url).code == .connectionReset)
            #expect(try await closing.requests.next(4).map(\.connection) == [0, 0, 1, 2])
            for begun in ["H", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"] {
                let server = try server(on: loop) {
                    $0.write(begun)
                    $0.close()
                }
                #expect(await outcome(client, server.url).text == "ok")
                #expect(await outcome(client, server.url).code == .connectionReset)
                #expect(await outcome(client, server.url).text == "ok")
                #expect(try await server.requests.next(3).map(\.connection) == [0, 0, 1])
            }
        }
    }

    @Test("a kept connection that the server closes while nothing is asked is not used again")
    func closedWhileIdle() async throws {
        try await withLoop { loop async throws in
            let server = try ScriptedServer(on: loop) { connection, _ in
                connection.write(Self.fine)
                connection.close()
            }
            let client = HTTPClient(loop: loop)
            for number in 0..<3 {
                let request = HTTPClientRequest(method: "POST", url: server.url)
                #expect(await outcome(client, request).text == "ok")
                #expect(try await server.closed.next() == number)
                #expect(try await loop.run { client.idleConnectionCount } == 0)
            }
        }
    }

    @Test("the time and the cancelling of a request hold for its second try too")
    func secondTryEnds() async throws {
        try await withLoop { loop async throws in
            // Without a time, the request is cancelled.
            var times: [Duration?] = [nil] + growingTimes
            while !times.isEmpty {
                let time = times.removeFirst()
                let server = try ScriptedServer(on: loop) { connection, request in
                    if request.connection > 0 { return }
                    if request.number == 0 { connection.write(Self.fine) } else { connection.close() }
                }
                var limits = HTTPClientLimits()
                if let time { limits.requestTimeout = time }
                let client = HTTPClient(loop: loop, limits: limits)
                let first = await outcome(client, server.url)
                // A busy machine needs a longer time.
                if time != nil, first.code == .timedOut { continue }
                #expect(first.text == "ok")
                let url = server.url
                let task = Task { await outcome(client, url) }
                if time == nil {
                    #expect(try await server.requests.next(3).last?.connection == 1)
                    task.cancel()
                }
                #expect(await task.value.code == (time == nil ? .cancelled : .timedOut))
                #expect(Set(try await server.closed.next(2)) == [0, 1])
                if time != nil { times = [] }
            }
        }
    }
}
