// SPDX-License-Identifier: MIT

import OffhookNet

/// Clients that send a message, wait for its echo and send the next; all on one thread.
final class EchoLoad: Sendable {
    private struct State {
        var sockets: [WebSocket] = []
        var opened = 0
        var toSend = 0
        var missing = 0
        var failure: String?
        var opening: CheckedContinuation<Void, any Error>?
        var running: CheckedContinuation<Void, any Error>?
    }

    private let loop: EventLoop
    private let port: Int
    private let connections: Int
    private let state = Guarded(State())
    private static let message = String(repeating: "0123456789", count: 20)

    init(port: Int, connections: Int) throws {
        loop = try EventLoop(name: "echo-load")
        self.port = port
        self.connections = connections
    }

    /// Connects all; returns when every handshake is done.
    func open() async throws {
        let handlers = WebSocketHandlers(
            opened: { [self] _ in opened() }, text: { [self] socket, _ in received(socket) },
            closed: { [self] _, end in closed(end) })
        try await withCheckedThrowingContinuation { continuation in
            state.withLock { $0.opening = continuation }
            for _ in 0..<connections {
                let socket = WebSocketClient.connect(to: "ws://127.0.0.1:\(port)/", on: loop, handlers: handlers)
                state.withLock { $0.sockets.append(socket) }
            }
        }
    }

    /// Echoes that many messages.
    ///
    /// - Returns: The seconds it took.
    func run(messages: Int) async throws -> Double {
        let start = ContinuousClock.now
        try await withCheckedThrowingContinuation { continuation in
            let first = state.withLock { state in
                state.running = continuation
                state.missing = messages
                let first = Array(state.sockets.prefix(messages))
                state.toSend = messages - first.count
                return first
            }
            loop.execute { for socket in first { socket.send(text: EchoLoad.message) } }
        }
        let elapsed = (ContinuousClock.now - start).components
        return Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
    }

    func close() {
        state.withLock { state in
            state.running = nil
            state.opening = nil
        }
        loop.stop()
    }

    private func opened() {
        let continuation = state.withLock { state in
            state.opened += 1
            guard state.opened == connections else { return nil as CheckedContinuation<Void, any Error>? }
            defer { state.opening = nil }
            return state.opening
        }
        continuation?.resume()
    }

    private func received(_ socket: WebSocket) {
        let (sends, continuation) = state.withLock { state in
            state.missing -= 1
            if state.missing == 0 {
                defer { state.running = nil }
                return (false, state.running)
            }
            guard state.toSend > 0 else { return (false, nil) }
            state.toSend -= 1
            return (true, nil)
        }
        if sends { socket.send(text: EchoLoad.message) }
        continuation?.resume()
    }

    private func closed(_ end: WebSocketClose) {
        let continuation = state.withLock { state in
            defer {
                state.opening = nil
                state.running = nil
            }
            return state.opening ?? state.running
        }
        continuation?.resume(
            throwing: BenchmarkError("a connection ended with \(end.code): \(end.error?.message ?? "")"))
    }
}
