// SPDX-License-Identifier: MIT

import Dispatch
public import Offhook
import OffhookNet
public import OffhookWire

/// A signaling server in memory that one device talks to: it writes down what it hears and says what a test wants.
///
/// It welcomes every hello and acknowledges every message, unless it is told otherwise.
public final class ScriptedServer: SignalTransport {
    private struct State {
        var heard: [ClientMessage] = []
        var headers: [[String: String]] = []
        var connection: ScriptedConnection?
        var isReachable = true
        var status: Int?
        var sequence = 0
        var snapshots: [CallSnapshot] = []
        var refusals: [(matches: @Sendable (ClientMessage.Body) -> Bool, failure: WireFailure)] = []
        var isSilent = false
        var ahead = TimeSpan.zero
    }

    private let state = Guarded(State())
    private let queue = DispatchQueue(label: "offhook.testing.server")

    private let clock: any EngineClock

    /// Makes a server whose time is that of a clock; the device's, so that the two agree.
    public init(clock: any EngineClock = SystemClock()) {
        self.clock = clock
    }

    /// What the device said, hello and acks left out, in order.
    public var heard: [ClientMessage.Body] {
        state.withLock { $0.heard.map(\.body) }.filter { body in
            switch body {
            case .hello, .ack: false
            default: true
            }
        }
    }

    /// Every message of the device, with its id.
    public var messages: [ClientMessage] { state.withLock { $0.heard } }

    /// The request headers of every connection.
    public var headers: [[String: String]] { state.withLock { $0.headers } }

    /// Whether a device is connected.
    public var isConnected: Bool { state.withLock { $0.connection != nil } }

    /// Lets connections fail from now on, with an HTTP status if one is given; an open one is cut.
    public func goAway(status: Int? = nil) {
        let connection = state.withLock { state in
            state.isReachable = false
            state.status = status
            defer { state.connection = nil }
            return state.connection
        }
        connection?.end(status: nil)
    }

    /// Closes the device's connection with a close code, as the server's protocol has them.
    public func close(code: Int) {
        let connection = state.withLock { state in
            defer { state.connection = nil }
            return state.connection
        }
        connection?.end(status: nil, code: code)
    }

    /// Lets connections succeed again.
    public func comeBack() {
        state.withLock { $0.isReachable = true }
    }

    /// Stops (true) or resumes answering messages; they are still written down.
    public func setSilent(_ silent: Bool) {
        state.withLock { $0.isSilent = silent }
    }

    /// Tells every hello from now on about these calls.
    public func setSnapshots(_ snapshots: [CallSnapshot]) {
        state.withLock { $0.snapshots = snapshots }
    }

    /// Lets the server's clock be ahead of its device's, or behind with a negative duration.
    public func setClock(ahead: TimeSpan) {
        state.withLock { $0.ahead = ahead }
    }

    /// Refuses the messages that match, from now on.
    public func refuse(_ failure: WireFailure, _ matches: @escaping @Sendable (ClientMessage.Body) -> Bool) {
        state.withLock { $0.refusals.append((matches, failure)) }
    }

    /// Says something to the connected device, with the next sequence number.
    public func say(_ body: ServerMessage.Body) {
        let (connection, sequence) = state.withLock { state in
            state.sequence += 1
            return (state.connection, state.sequence)
        }
        connection?.deliver(WireCodec.encode(ServerMessage(sequence: sequence, body: body)))
    }

    /// Sends a frame as it is.
    public func sayRaw(_ text: String) {
        state.withLock { $0.connection }?.deliver(text)
    }

    /// Opens a connection, or refuses it.
    public func connect(
        to url: String, headers: [(name: String, value: String)],
        events: @escaping @Sendable (SignalTransportEvent) -> Void
    ) -> any SignalConnection {
        let connection = ScriptedConnection(server: self, queue: queue, events: events)
        let (isReachable, status) = state.withLock { state in
            state.headers.append(Dictionary(headers.map { ($0.name, $0.value) }) { $1 })
            if state.isReachable { state.connection = connection }
            return (state.isReachable, state.status)
        }
        if isReachable { connection.open() } else { connection.end(status: status) }
        return connection
    }

    fileprivate func hear(_ text: String, from connection: ScriptedConnection) {
        guard let message = try? WireCodec.decodeClientMessage(text) else { return }
        let reply = state.withLock { state -> ServerMessage.Body? in
            guard state.connection === connection else { return nil }
            state.heard.append(message)
            guard !state.isSilent else { return nil }
            if let refusal = state.refusals.first(where: { $0.matches(message.body) }) {
                var failure = refusal.failure
                failure.replyTo = message.id
                return .error(failure)
            }
            switch message.body {
            case .hello(let hello):
                let resumed = hello.session != nil
                if !resumed { state.sequence = 0 }
                return .welcome(
                    Welcome(
                        session: "session", resumed: resumed, user: "user", now: clock.now + state.ahead,
                        calls: state.snapshots))
            case .ack:
                return nil
            case .register, .unregister, .invite, .ringing, .answer, .decline, .busy, .cancel, .hangup, .media,
                .connected, .update:
                return .ack(replyTo: message.id)
            }
        }
        if let reply { connection.deliver(WireCodec.encode(ServerMessage(body: reply))) }
    }

    fileprivate func closed(_ connection: ScriptedConnection) {
        state.withLock { if $0.connection === connection { $0.connection = nil } }
    }
}

/// A connection to a ``ScriptedServer``; its events come on the server's queue, in order.
private final class ScriptedConnection: SignalConnection {
    private let server: ScriptedServer
    private let queue: DispatchQueue
    private let events: @Sendable (SignalTransportEvent) -> Void
    private let isOver = Guarded(false)

    init(
        server: ScriptedServer, queue: DispatchQueue, events: @escaping @Sendable (SignalTransportEvent) -> Void
    ) {
        self.server = server
        self.queue = queue
        self.events = events
    }

    func open() {
        queue.async { self.emit(.opened) }
    }

    func deliver(_ text: String) {
        queue.async { self.emit(.received(text)) }
    }

    func end(status: Int?, code: Int? = nil) {
        queue.async {
            let wasOver = self.isOver.withLock { isOver in
                defer { isOver = true }
                return isOver
            }
            if !wasOver { self.events(.closed(code: code, status: status, reason: "scripted")) }
        }
    }

    func send(_ text: String) {
        queue.async { self.server.hear(text, from: self) }
    }

    func close() {
        server.closed(self)
        end(status: nil)
    }

    private func emit(_ event: SignalTransportEvent) {
        guard !isOver.withLock({ $0 }) else { return }
        events(event)
    }
}
