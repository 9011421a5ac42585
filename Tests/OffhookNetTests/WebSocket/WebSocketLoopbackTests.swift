// SPDX-License-Identifier: MIT

import OffhookNet
import Testing

/// What a WebSocket reported, for comparison.
enum SocketReport: Equatable, Sendable {
    case opened
    case text(String)
    case binary([UInt8])
    case closed(WebSocketClose)
}

/// Handlers that report everything to a recorder.
func recording(_ recorder: Recorder<SocketReport>) -> WebSocketHandlers {
    WebSocketHandlers(
        opened: { _ in recorder.report(.opened) },
        text: { recorder.report(.text($1)) },
        binary: { recorder.report(.binary($1)) },
        closed: { recorder.report(.closed($1)) })
}

/// Handlers that send every message back.
func echoing(_ recorder: Recorder<SocketReport>? = nil) -> WebSocketHandlers {
    WebSocketHandlers(
        opened: { _ in recorder?.report(.opened) },
        text: { $0.send(text: $1) },
        binary: { $0.send(binary: $1) },
        closed: { recorder?.report(.closed($1)) })
}

/// A server for WebSockets alone.
func webSocketServer(
    on loop: EventLoop, tls: TLSContext? = nil, limits: WebSocketLimits = WebSocketLimits(),
    _ handlers: WebSocketHandlers
) throws -> HTTPServer {
    try HTTPServer(
        loop: loop, host: "127.0.0.1", port: 0, tls: tls,
        handler: { _, respond in respond(.text(404, "nothing here")) },
        upgrade: { _ in .accept(handlers, limits: limits) })
}

@Suite(.timeLimit(.minutes(2)))
struct WebSocketLoopbackTests {
    @Test("messages of every length class come back unchanged, from any thread, in order")
    func echo() async throws {
        try await withLoop { loop async throws in
            let atServer = Recorder<SocketReport>()
            let server = try webSocketServer(on: loop, echoing(atServer))
            let atClient = Recorder<SocketReport>()
            let client = WebSocketClient.connect(
                to: "ws://127.0.0.1:\(server.port)/signal", on: loop, handlers: recording(atClient))
            var sent: [SocketReport] = [.opened]
            for length in [0, 1, 125, 126, 200, 1000, 65_535, 65_536] {
                let text = String(repeating: "ä", count: length / 2) + String(repeating: "x", count: length % 2)
                client.send(text: text)
                sent.append(.text(text))
                let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
                client.send(binary: bytes)
                sent.append(.binary(bytes))
            }
            #expect(try await atClient.next(sent.count) == sent)
            client.close(code: 3001, reason: "bye")
            #expect(try await atClient.next() == .closed(WebSocketClose(code: 3001, reason: "")))
            #expect(try await atServer.next(2) == [.opened, .closed(WebSocketClose(code: 3001, reason: "bye"))])
        }
    }

    @Test("a message crosses TLS in both directions")
    func secureEcho() async throws {
        let certificate = try Certificate.selfSigned()
        let serverTLS = try TLSContext.server(
            certificate: certificate.certificatePEM, key: certificate.keyPEM, alpn: ["http/1.1"])
        let clientTLS = try TLSContext.client(roots: certificate.certificatePEM, alpn: ["http/1.1"])
        try await withLoop { loop async throws in
            let server = try webSocketServer(on: loop, tls: serverTLS, echoing())
            let atClient = Recorder<SocketReport>()
            let client = WebSocketClient.connect(
                to: "wss://127.0.0.1:\(server.port)/", on: loop, tls: clientTLS, handlers: recording(atClient))
            let text = String(repeating: "0123456789abcdef", count: 4_000)
            client.send(text: text)
            #expect(try await atClient.next(2) == [.opened, .text(text)])
            client.close()
            #expect(try await atClient.next() == .closed(WebSocketClose(code: 1000)))
        }
    }
}
