// SPDX-License-Identifier: MIT

import OffhookNet
import Testing

@Suite struct HTTP2ConnectionTests {
    @Test func manyRequestsAtATimeAreEachAnsweredOverTLS() async throws {
        let server = try TestHTTP2Server(streams: 50) { connection, stream, request in
            connection.respond(
                HTTP2Response(status: 200, headers: [HTTP2Header("x-path", request.path)], body: request.body),
                on: stream)
        }
        let client = try await TestHTTP2Client(server)
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<500 {
                group.addTask {
                    let body = [UInt8](repeating: UInt8(number & 255), count: number * 10)
                    guard case .success(let answer) = await client.post("/\(number)", body: body) else { return false }
                    return answer.status == 200 && answer.header("x-path") == "/\(number)" && answer.body == body
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        await client.close()
    }

    @Test func aClientNeverOpensMoreStreamsThanTheServerAllows() async throws {
        let most = Guarded((open: 0, most: 0))
        let held = Guarded<[(HTTP2ServerConnection, Int32)]>([])
        let server = try TestHTTP2Server(streams: 3) { connection, stream, _ in
            most.withLock { counts in
                counts.open += 1
                counts.most = max(counts.most, counts.open)
            }
            held.withLock { $0.append((connection, stream)) }
            connection.loop.execute {
                let next = held.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                guard let next else { return }
                most.withLock { $0.open -= 1 }
                next.0.respond(HTTP2Response(status: 200), on: next.1)
            }
        }
        let client = try await TestHTTP2Client(server)
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<60 {
                group.addTask { if case .success = await client.post("/\(number)") { true } else { false } }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(most.withLock { $0.most } <= 3)
        await client.close()
    }

    @Test func aRefusedStreamIsSafeToRepeatAndAResetIsNot() async throws {
        let server = try TestHTTP2Server { connection, stream, request in
            connection.reset(stream, request.path == "/refused" ? .refusedStream : .internalError)
        }
        let client = try await TestHTTP2Client(server)
        #expect(await client.post("/refused") == .failure(.refused))
        #expect(await client.post("/reset") == .failure(.reset(.internalError)))
        #expect(HTTP2Failure.refused.isSafeToRepeat)
        #expect(!HTTP2Failure.reset(.internalError).isSafeToRepeat)
        await client.close()
    }

    @Test func aRequestThatIsNeverAnsweredTimesOutAndFreesItsStream() async throws {
        let server = try TestHTTP2Server(streams: 1) { connection, stream, request in
            if request.path != "/silent" { connection.respond(HTTP2Response(status: 200), on: stream) }
        }
        let client = try await TestHTTP2Client(server)
        // The time of a request that waits for the connection is another test's.
        #expect(await client.post("/first") == .success(HTTP2Response(status: 200)))
        let limit = Duration.milliseconds(50)
        #expect(await client.post("/silent", timeout: limit) == .failure(.timedOut(limit)))
        #expect(await client.post("/next") == .success(HTTP2Response(status: 200)))
        await client.close()
    }

    @Test func afterAGoAwayOpenRequestsCompleteAndNewOnesAreNotSent() async throws {
        let server = try TestHTTP2Server { connection, stream, request in
            connection.goAway(lastStream: stream, .noError, debugData: Array("{\"reason\":\"Shutdown\"}".utf8))
            connection.respond(HTTP2Response(status: 200), on: stream)
        }
        let client = try await TestHTTP2Client(server)
        #expect(await client.post("/1") == .success(HTTP2Response(status: 200)))
        guard case .failure(.notSent) = await client.post("/2") else {
            Issue.record("a request after a GOAWAY is not sent")
            return
        }
        await client.untilClosed()
        #expect(client.sawGoAway)
    }

    @Test func aLostConnectionFailsWhatWasSent() async throws {
        let server = try TestHTTP2Server { connection, _, _ in connection.abort() }
        let client = try await TestHTTP2Client(server)
        guard case .failure(.connectionLost) = await client.post("/1") else {
            Issue.record("the request was lost with its connection")
            return
        }
        await client.untilClosed()
    }

    @Test func aPingIsAnswered() async throws {
        let server = try TestHTTP2Server { _, _, _ in }
        let client = try await TestHTTP2Client(server)
        #expect(await client.ping())
        await client.close()
    }

    @Test func aClosedPortFailsWhatWaited() async throws {
        let server = try TestHTTP2Server { _, _, _ in }
        let port = server.server.port
        await server.stop()
        let client = try await TestHTTP2Client(server, port: port)
        guard case .failure(.notSent(let error)) = await client.post("/1") else {
            Issue.record("nothing can be sent to a closed port")
            return
        }
        #expect(error.code == .connectionRefused)
    }

    @Test func aServerThatIsNotTrustedGetsNothing() async throws {
        let server = try TestHTTP2Server { _, _, _ in Issue.record("no request may arrive") }
        let client = try await TestHTTP2Client(server, roots: try Certificate.selfSigned().certificatePEM)
        guard case .failure(.notSent(let error)) = await client.post("/1") else {
            Issue.record("nothing may be sent to a server that is not trusted")
            return
        }
        #expect(error.code == .tls)
        #expect(error.message.contains("not trusted"))
    }
}

/// An HTTP/2 server on a port and a loop of its own.
final class TestHTTP2Server: Sendable {
    let loop: EventLoop
    let server: HTTP2Server
    let certificate: Certificate

    init(
        streams: UInt32 = 100,
        _ answer: @escaping @Sendable (HTTP2ServerConnection, Int32, HTTP2Request) -> Void
    ) throws {
        loop = try EventLoop(name: "server")
        certificate = try Certificate.selfSigned()
        var limits = HTTP2Server.Limits()
        limits.concurrentStreams = streams
        server = try HTTP2Server.listen(
            on: loop, host: "127.0.0.1", port: 0,
            tls: .server(certificate: certificate.certificatePEM, key: certificate.keyPEM, alpn: ["h2"]),
            limits: limits
        ) { connection in
            connection.onRequest = { [unowned connection] in answer(connection, $0, $1) }
        }
    }

    func stop() async {
        server.close()
        loop.stop()
    }
}

/// A client connection on a loop of its own.
final class TestHTTP2Client: Sendable {
    private struct State {
        var sawGoAway = false
        var isClosed = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    let loop: EventLoop
    private let state = Guarded(State())
    private let connection = Guarded<HTTP2ClientConnection?>(nil)

    init(_ server: TestHTTP2Server, port: Int? = nil, roots: String? = nil) async throws {
        loop = try EventLoop(name: "client")
        let tls = try TLSContext.client(roots: roots ?? server.certificate.certificatePEM, alpn: ["h2"])
        let port = port ?? server.server.port
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            loop.execute {
                do {
                    let made = try HTTP2ClientConnection.connect(
                        on: self.loop, host: "127.0.0.1", port: port, tls: tls
                    ) { self.happened($0) }
                    self.connection.withLock { $0 = made }
                    done.resume()
                } catch {
                    done.resume(throwing: error)
                }
            }
        }
    }

    private func happened(_ event: HTTP2ClientConnection.Event) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            switch event {
            case .goAway: state.sawGoAway = true
            case .closed:
                state.isClosed = true
                defer { state.waiting = nil }
                return state.waiting
            case .opened, .streamLimitChanged: break
            }
            return nil
        }
        waiting?.resume()
    }

    var sawGoAway: Bool { state.withLock { $0.sawGoAway } }

    func post(
        _ path: String, body: [UInt8] = [], timeout: Duration = .seconds(60)
    ) async -> HTTP2ClientConnection.Answer {
        await withCheckedContinuation { done in
            loop.execute {
                let connection = self.connection.withLock { $0 }
                connection?.send(
                    HTTP2Request(method: "POST", authority: "localhost", path: path, body: body), timeout: timeout
                ) { done.resume(returning: $0) }
            }
        }
    }

    func ping() async -> Bool {
        await withCheckedContinuation { done in
            loop.execute { self.connection.withLock { $0 }?.ping { done.resume(returning: $0) } }
        }
    }

    func untilClosed() async {
        await withCheckedContinuation { done in
            let isClosed = state.withLock { state in
                if !state.isClosed { state.waiting = done }
                return state.isClosed
            }
            if isClosed { done.resume() }
        }
    }

    func close() async {
        loop.execute { self.connection.withLock { $0 }?.close() }
        await untilClosed()
    }
}
