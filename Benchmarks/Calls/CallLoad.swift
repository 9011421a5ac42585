// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookWire

/// Pairs of users: the caller invites, the callee rings and answers, the caller hangs up and invites again.
final class CallLoad: Sendable {
    private struct State {
        var callers: [(socket: WebSocket, callee: String)] = []
        var welcomed = 0
        var missing: Int
        var toPlace: Int
        var message = 0
        var welcome: CheckedContinuation<Void, any Error>?
        var finish: CheckedContinuation<Void, any Error>?
    }

    private let loop: EventLoop
    private let state: Guarded<State>

    init(calls: Int, pairs: Int) throws {
        loop = try EventLoop(name: "call-load")
        state = Guarded(State(missing: calls, toPlace: calls))
    }

    /// Connects a pair; returns when both are welcome.
    func connect(
        port: Int, caller: (id: String, token: String), callee: (id: String, token: String)
    ) async throws {
        for (user, isCaller) in [(callee, false), (caller, true)] {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.welcome = continuation }
                let handlers = WebSocketHandlers(
                    opened: { [self] in say(.hello(Hello(device: "d-\(user.id)")), on: $0) },
                    text: { [self] in received($1, on: $0, callee: isCaller ? callee.id : nil) },
                    closed: { [self] _, end in failed("a connection ended with \(end.code)") })
                let socket = WebSocketClient.connect(
                    to: "ws://127.0.0.1:\(port)/v1/socket", on: loop,
                    headers: ["Authorization": "Bearer \(user.token)"], handlers: handlers)
                if isCaller { state.withLock { $0.callers.append((socket, callee.id)) } }
            }
        }
    }

    /// Makes all calls.
    func run() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let callers = state.withLock { state in
                state.finish = continuation
                return state.callers
            }
            loop.execute { [self] in for caller in callers { place(on: caller.socket, callee: caller.callee) } }
        }
    }

    func close() {
        state.withLock { state in
            state.welcome = nil
            state.finish = nil
        }
        loop.stop()
    }

    private func say(_ body: ClientMessage.Body, on socket: WebSocket) {
        let number = state.withLock { state in
            state.message += 1
            return state.message
        }
        socket.send(text: WireCodec.encode(ClientMessage(id: "m\(number)", body: body)))
    }

    private func place(on socket: WebSocket, callee: String) {
        let mayPlace = state.withLock { state in
            guard state.toPlace > 0 else { return false }
            state.toPlace -= 1
            return true
        }
        guard mayPlace else { return }
        let call = CallID(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
        say(.invite(call: call, to: Handle(value: callee), video: false), on: socket)
    }

    private func received(_ text: String, on socket: WebSocket, callee: String?) {
        guard let message = try? WireCodec.decodeServerMessage(text) else { return failed("a frame cannot be read") }
        switch message.body {
        case .welcome:
            let continuation = state.withLock { state in
                defer { state.welcome = nil }
                return state.welcome
            }
            continuation?.resume()
        case .invited(let invitation):
            say(.ringing(call: invitation.call), on: socket)
            say(.answer(call: invitation.call), on: socket)
        case .answered(let call):
            if callee != nil { say(.hangup(call: call, reason: .localHangup), on: socket) }
        case .ended(_, let reason):
            guard let callee else { return }
            guard reason == .localHangup else { return failed("a call ended as \(reason)") }
            let finish = state.withLock { state in
                state.missing -= 1
                guard state.missing == 0 else { return nil as CheckedContinuation<Void, any Error>? }
                defer { state.finish = nil }
                return state.finish
            }
            finish?.resume()
            place(on: socket, callee: callee)
        case .error(let failure): failed("the server said \(failure.code.rawValue)")
        case .ack, .ringing, .joined, .media, .update: break
        }
    }

    private func failed(_ why: String) {
        let continuation = state.withLock { state in
            defer {
                state.welcome = nil
                state.finish = nil
            }
            return state.welcome ?? state.finish
        }
        continuation?.resume(throwing: BenchmarkError(why))
    }
}
