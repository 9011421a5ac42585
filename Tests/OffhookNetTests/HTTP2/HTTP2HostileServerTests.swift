// SPDX-License-Identifier: MIT

import OffhookNet
import Testing

@Suite struct HTTP2HostileServerTests {
    /// An empty SETTINGS frame: stream 0, no flags.
    static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]

    @Test func aServerThatDoesNotSpeakHTTP2IsNamed() async throws {
        let server = try HostileServer(alpn: [], greeting: [])
        let (answer, closed) = try await server.ask()
        guard case .failure(.notSent(let error)) = answer else {
            Issue.record("nothing is sent to a server that speaks no HTTP/2")
            return
        }
        #expect(error.message.contains("does not speak HTTP/2"))
        #expect(closed?.code == .tls)
    }

    @Test func aServerWithoutSettingsIsGivenUp() async throws {
        let server = try HostileServer(greeting: [])
        let (answer, closed) = try await server.ask { $0.connectTimeout = .milliseconds(300) }
        guard case .failure(.notSent) = answer else {
            Issue.record("nothing is sent before the server's settings")
            return
        }
        #expect(closed?.code == .timedOut)
    }

    @Test func aServerThatSendsGarbageIsAProtocolViolation() async throws {
        let server = try HostileServer(greeting: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
        let (answer, closed) = try await server.ask()
        guard case .failure = answer else {
            Issue.record("garbage is no answer")
            return
        }
        #expect(closed?.code == .protocolViolation)
    }

    @Test func aServerThatFallsSilentIsFoundOutByAPing() async throws {
        let server = try HostileServer(greeting: Self.settings)
        for time in growingTimes {
            let (answer, closed) = try await server.ask {
                $0.pingInterval = time
                $0.pingTimeout = time
            }
            #expect(closed?.code == .timedOut)
            #expect(closed?.message.contains("PING") == true)
            switch answer {
            case .failure(.connectionLost): return
            case .failure(.notSent): continue  // A busy machine: the settings were not there in time.
            default:
                Issue.record("the request went out and the connection was lost")
                return
            }
        }
        Issue.record("the settings never came in time")
    }

    @Test func aServerThatAllowsNoStreamKeepsRequestsUntilTheirTimeout() async throws {
        // SETTINGS with MAX_CONCURRENT_STREAMS = 0.
        let server = try HostileServer(greeting: [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0])
        let (answer, _) = try await server.ask(timeout: .milliseconds(100)) {
            $0.pingInterval = .milliseconds(200)
            $0.pingTimeout = .milliseconds(50)
        }
        guard case .failure(.notSent(let error)) = answer else {
            Issue.record("without a stream nothing is sent")
            return
        }
        #expect(error.code == .timedOut)
    }

    @Test func framesThatMakeNoSenseNeverTrap() async throws {
        for seed in 0..<40 {
            var bytes = Self.settings + [0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 1, 0] + [0, 0, 1, 1, 4, 0, 0, 0, 1, 0x88]
            bytes[(seed * 11) % bytes.count] ^= UInt8(1 << (seed % 8))
            let server = try HostileServer(greeting: bytes, thenCloses: true)
            let (answer, _) = try await server.ask()
            guard case .failure = answer else {
                Issue.record("seed \(seed): no answer was whole")
                return
            }
        }
    }
}

/// A TLS server that says one thing, whatever it is told.
final class HostileServer: Sendable {
    private let loop: EventLoop
    private let listener: TCPListener
    private let certificate: Certificate

    init(alpn: [String] = ["h2"], greeting: [UInt8], thenCloses: Bool = false) throws {
        loop = try EventLoop(name: "hostile")
        certificate = try Certificate.selfSigned()
        listener = try TCPListener.listen(
            on: loop, host: "127.0.0.1", port: 0,
            tls: .server(certificate: certificate.certificatePEM, key: certificate.keyPEM, alpn: alpn)
        ) { connection in
            connection.handler = Greeter(greeting: greeting, closes: thenCloses)
        }
    }

    private final class Greeter: TCPConnectionHandler {
        let greeting: [UInt8]
        let closes: Bool

        init(greeting: [UInt8], closes: Bool) {
            self.greeting = greeting
            self.closes = closes
        }

        func connectionOpened(_ connection: TCPConnection) {
            connection.write(greeting)
            if closes { connection.close() }
        }

        func connection(_ connection: TCPConnection, received bytes: UnsafeRawBufferPointer) {}
        func connectionClosed(_ connection: TCPConnection, error: NetError?) {}
    }

    /// What a request gets, and with what the connection ends.
    func ask(
        timeout: Duration = .seconds(60), _ change: (inout HTTP2ClientConnection.Configuration) -> Void = { _ in }
    ) async throws -> (HTTP2ClientConnection.Answer?, NetError?) {
        var configuration = HTTP2ClientConnection.Configuration()
        configuration.connectTimeout = .seconds(60)
        change(&configuration)
        let client = try EventLoop(name: "client")
        let tls = try TLSContext.client(roots: certificate.certificatePEM, alpn: ["h2"])
        let port = listener.port
        let result = await withCheckedContinuation {
            (done: CheckedContinuation<(HTTP2ClientConnection.Answer?, NetError?), Never>) in
            client.execute { [configuration] in
                let answer = Guarded<HTTP2ClientConnection.Answer?>(nil)
                let connection = try? HTTP2ClientConnection.connect(
                    on: client, host: "127.0.0.1", port: port, tls: tls, configuration: configuration
                ) { event in
                    guard case .closed(let error) = event else { return }
                    done.resume(returning: (answer.withLock { $0 }, error))
                }
                let request = HTTP2Request(method: "GET", authority: "localhost", path: "/")
                connection?.send(request, timeout: timeout) { got in answer.withLock { $0 = got } }
            }
        }
        client.stop()
        return result
    }
}
