// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookWire

/// A device on a real WebSocket over loopback, whose messages are awaited one by one.
final class TestClient: Sendable {
    enum Failure: Error {
        case nothingCame(waitingFor: String, have: [String])
        case closed(WebSocketClose)
        case unreadable(WireError)
    }

    private struct Waiter {
        var id: Int
        var what: String
        var matches: @Sendable (ServerMessage) -> Bool
        var continuation: CheckedContinuation<ServerMessage, any Error>
    }

    private struct State {
        var queue: [ServerMessage] = []
        var all: [ServerMessage] = []
        var waiters: [Waiter] = []
        var closeWaiters: [CheckedContinuation<WebSocketClose, Never>] = []
        var closed: WebSocketClose?
        var messages = 0
        var nextWaiter = 0
    }

    private let loop: EventLoop
    private let inbox = Inbox()
    private let socket: WebSocket

    /// What the socket's handlers fill.
    private final class Inbox: Sendable {
        let state = Guarded(State())

        func received(_ message: ServerMessage) {
            let waiter: Waiter? = state.withLock { state in
                state.all.append(message)
                guard let index = state.waiters.firstIndex(where: { $0.matches(message) }) else {
                    state.queue.append(message)
                    return nil
                }
                return state.waiters.remove(at: index)
            }
            waiter?.continuation.resume(returning: message)
        }

        func closed(_ end: WebSocketClose) {
            let (waiters, closeWaiters) = state.withLock { state in
                state.closed = end
                defer {
                    state.waiters = []
                    state.closeWaiters = []
                }
                return (state.waiters, state.closeWaiters)
            }
            for waiter in waiters { waiter.continuation.resume(throwing: Failure.closed(end)) }
            for waiter in closeWaiters { waiter.resume(returning: end) }
        }

        func fail(_ id: Int) {
            let (waiter, have) = state.withLock { state in
                let index = state.waiters.firstIndex { $0.id == id }
                return (index.map { state.waiters.remove(at: $0) }, state.all.map(\.body.typeName))
            }
            guard let waiter else { return }
            waiter.continuation.resume(throwing: Failure.nothingCame(waitingFor: waiter.what, have: have))
        }
    }

    init(port: Int, token: String?, path: String = "/v1/socket", headers extra: HTTPHeaders = [:]) throws {
        loop = try EventLoop(name: "client")
        var headers = extra
        if let token { headers.append("Authorization", "Bearer \(token)") }
        var limits = WebSocketLimits()
        limits.messageBytes = WireCodec.maximumServerFrame
        limits.frameBytes = WireCodec.maximumServerFrame
        let inbox = inbox
        socket = WebSocketClient.connect(
            to: "ws://127.0.0.1:\(port)\(path)", on: loop, headers: headers, limits: limits,
            handlers: WebSocketHandlers(
                text: { _, text in
                    // An unreadable frame shows as a message that never came.
                    if let message = try? WireCodec.decodeServerMessage(text) { inbox.received(message) }
                },
                closed: { _, end in inbox.closed(end) }))
    }

    deinit {
        loop.stop()
    }

    /// Connects and says hello.
    static func hello(
        port: Int, token: String, device: String, session: String? = nil, sequence: Int? = nil, calls: [CallID] = []
    ) async throws -> (TestClient, Welcome) {
        let client = try TestClient(port: port, token: token)
        client.send(.hello(Hello(device: device, session: session, sequence: sequence, calls: calls)))
        return (client, try await client.welcome())
    }

    /// Sends a message with an id of its own.
    @discardableResult
    func send(_ body: ClientMessage.Body) -> String {
        let number = inbox.state.withLock { state in
            state.messages += 1
            return state.messages
        }
        send(body, id: "m\(number)")
        return "m\(number)"
    }

    func send(_ body: ClientMessage.Body, id: String) {
        socket.send(text: WireCodec.encode(ClientMessage(id: id, body: body)))
    }

    func send(raw text: String) {
        socket.send(text: text)
    }

    func close() {
        socket.close()
    }

    /// Cuts the connection as a lost network does.
    func abort() {
        socket.abort()
    }

    /// Everything that has come so far.
    var all: [ServerMessage] {
        inbox.state.withLock { $0.all }
    }

    /// The first message that matches, now or later; others stay.
    func next(
        _ what: String, _ matches: @escaping @Sendable (ServerMessage) -> Bool
    ) async throws -> ServerMessage {
        try await withCheckedThrowingContinuation { continuation in
            enum Outcome {
                case found(ServerMessage)
                case closed(WebSocketClose)
                case waits(Int)
            }
            let outcome: Outcome = inbox.state.withLock { state in
                if let index = state.queue.firstIndex(where: matches) { return .found(state.queue.remove(at: index)) }
                if let closed = state.closed { return .closed(closed) }
                state.nextWaiter += 1
                state.waiters.append(
                    Waiter(id: state.nextWaiter, what: what, matches: matches, continuation: continuation))
                return .waits(state.nextWaiter)
            }
            switch outcome {
            case .found(let message): continuation.resume(returning: message)
            case .closed(let end): continuation.resume(throwing: Failure.closed(end))
            case .waits(let id):
                let inbox = inbox
                loop.schedule(after: .seconds(60)) { inbox.fail(id) }
            }
        }
    }

    /// How the connection ended, now or later.
    func end() async -> WebSocketClose {
        await withCheckedContinuation { continuation in
            let closed = inbox.state.withLock { state in
                if state.closed == nil { state.closeWaiters.append(continuation) }
                return state.closed
            }
            if let closed { continuation.resume(returning: closed) }
        }
    }
}

extension TestClient {
    func welcome() async throws -> Welcome {
        let message = try await next("welcome") { if case .welcome = $0.body { true } else { false } }
        guard case .welcome(let welcome) = message.body else { throw Failure.unreadable(.unknownType) }
        return welcome
    }

    @discardableResult
    func invited(_ call: CallID) async throws -> Invitation {
        let message = try await next("invited") {
            if case .invited(let invitation) = $0.body { invitation.call == call } else { false }
        }
        guard case .invited(let invitation) = message.body else { throw Failure.unreadable(.unknownType) }
        return invitation
    }

    /// Waits for a message of exactly this content.
    @discardableResult
    func receives(_ body: ServerMessage.Body) async throws -> ServerMessage {
        try await next("\(body)") { $0.body == body }
    }

    func ended(_ call: CallID) async throws -> EndReason {
        let message = try await next("ended") { if case .ended(call, _) = $0.body { true } else { false } }
        guard case .ended(_, let reason) = message.body else { throw Failure.unreadable(.unknownType) }
        return reason
    }

    func error() async throws -> WireFailure {
        let message = try await next("error") { if case .error = $0.body { true } else { false } }
        guard case .error(let failure) = message.body else { throw Failure.unreadable(.unknownType) }
        return failure
    }

    /// Sends a message and waits until it is acknowledged.
    func ask(_ body: ClientMessage.Body) async throws {
        try await receives(.ack(replyTo: send(body)))
    }
}
