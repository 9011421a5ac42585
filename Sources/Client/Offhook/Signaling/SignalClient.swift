// SPDX-License-Identifier: MIT

import Dispatch
import OffhookCore
import OffhookWire

/// Keeps the device connected to the server: the shell of ``ConnectionMachine``, bound to the engine queue.
final class SignalClient {
    /// What the client hands to the engine, on the engine queue.
    enum News {
        /// The server said this.
        case message(ServerMessage.Body)
        /// The server did what this message asked for.
        case done(ClientMessage.Body)
        /// The server refused this message.
        case refused(ClientMessage.Body, WireFailure)
        /// The connection changed.
        case state(ConnectionState)
        /// The session token could not be had.
        case noToken(any Error)
        /// A connection ended or never came to be, for another reason than the one before.
        case trouble(status: Int?, String)
    }

    private let configuration: CallCenter.Configuration
    private let transport: any SignalTransport
    private let token: () throws -> String
    private let queue: DispatchQueue
    private let clock: any EngineClock
    private var machine: ConnectionMachine
    private var connection: (any SignalConnection)?
    private var inbox: [ConnectionMachine.Event] = []
    private var isDraining = false
    private var trouble: String?
    private var receiver: ((News) -> Void)?
    /// The calls that the next hello asks about.
    var callsToAsk: () -> [CallID] = { [] }
    /// Called when the deadline may have changed.
    var rearm: () -> Void = {}

    init(
        configuration: CallCenter.Configuration, transport: any SignalTransport, queue: DispatchQueue,
        clock: any EngineClock, token: @escaping () throws -> String
    ) {
        self.token = token
        self.configuration = configuration
        self.transport = transport
        self.queue = queue
        self.clock = clock
        let launch = String(UInt64.random(in: .min ... .max), radix: 36)
        machine = ConnectionMachine(device: configuration.deviceID, prefix: launch)
    }

    /// When `tick` is due.
    var deadline: Instant? { machine.deadline }

    /// Whether the server knows the device now.
    var isOnline: Bool { machine.state == .online }

    /// Whether something is on its way to the server that it has not answered.
    var isSpeaking: Bool { isOnline && !machine.outbox.isEmpty }

    /// Sets who takes the news.
    func attach(_ receiver: @escaping (News) -> Void) {
        self.receiver = receiver
    }

    /// Connects at once if not connected.
    func connect() { handle(.wanted) }

    /// Closes for good.
    func stop() {
        handle(.stopped)
        receiver = nil
    }

    /// Sends a message, now or when connected; again until the server answers it.
    ///
    /// - Returns: False for a media signal too large for a frame: the server would hang up on it, each time anew.
    @discardableResult
    func send(_ body: ClientMessage.Body) -> Bool {
        guard SignalClient.fits(body) else { return false }
        handle(.send(body))
        return true
    }

    private static func fits(_ body: ClientMessage.Body) -> Bool {
        guard case .media = body else { return true }  // everything else is bounded by its fields
        let longestID = String(repeating: "-", count: 64)
        return WireCodec.encode(ClientMessage(id: longestID, body: body)).utf8.count <= WireCodec.maximumClientFrame
    }

    /// Lets time pass.
    func tick() { handle(.tick) }

    /// Takes an event; one that is born of an effect follows after all effects, so that messages keep their order.
    private func handle(_ event: ConnectionMachine.Event) {
        inbox.append(event)
        guard !isDraining else { return }
        isDraining = true
        while !inbox.isEmpty {
            for effect in machine.handle(inbox.removeFirst(), at: clock.now) { run(effect) }
        }
        isDraining = false
        rearm()
    }

    private func run(_ effect: ConnectionMachine.Effect) {
        switch effect {
        case .connect(let attempt): open(attempt)
        case .close:
            connection?.close()
            connection = nil
        case .send(let message): connection?.send(WireCodec.encode(message))
        case .deliver(let body): receiver?(.message(body))
        case .done(let message): receiver?(.done(message.body))
        case .refused(let message, let failure): receiver?(.refused(message.body, failure))
        case .show(let state): receiver?(.state(state))
        }
    }

    private func open(_ attempt: Int) {
        let token: String
        do {
            token = try self.token()
            guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw OffhookError(.unauthorized, "A session token is visible ASCII without spaces.")
            }
        } catch {
            receiver?(.noToken(error))
            let jitter = Int.random(in: 0..<1000)
            later { $0.handle(.closed(attempt, status: 401, jitter: jitter)) }
            return
        }
        connection = transport.connect(
            to: configuration.serverURL, headers: [("Authorization", "Bearer \(token)")]
        ) { [weak self, queue] event in
            queue.async { [weak self] in self?.receive(event, attempt) }
        }
    }

    private func later(_ work: @escaping @Sendable (SignalClient) -> Void) {
        queue.async { [weak self] in
            if let self { work(self) }
        }
    }

    /// Takes a frame; one that a newer server may have sent is left out, so that the rest of the session goes on.
    private func receive(_ text: String, _ attempt: Int) {
        do {
            handle(.received(attempt, try WireCodec.decodeServerMessage(text)))
        } catch {
            switch error {
            case .unknownType:
                break
            case .missingField, .badField:
                let message = "A message of the server was left out: \(error)."
                receiver?(.message(.error(WireFailure(code: .malformed, message: message))))
            case .tooLarge, .malformedJSON, .tooDeep, .notAnObject, .unsupportedVersion:
                handle(.garbled(attempt))
            }
        }
    }

    /// Whether the connection's state says all there is to say about this end.
    private func isToldByState(_ code: Int?) -> Bool {
        switch code.flatMap(CloseCode.init) {
        case .replaced, .tokenExpired, .signedOut: true
        case .goingAway, .tooLarge, .tooSlow, .noHello, .malformed, .tooMany: false
        case nil: code == 1000
        }
    }

    private func receive(_ event: SignalTransportEvent, _ attempt: Int) {
        switch event {
        case .opened:
            trouble = nil
            handle(.opened(attempt, asking: callsToAsk()))
        case .received(let text):
            receive(text, attempt)
        case .closed(let code, let status, let reason):
            if !isToldByState(code), !reason.isEmpty, reason != trouble {
                trouble = reason
                receiver?(.trouble(status: status, reason))
            }
            handle(.closed(attempt, code: code, status: status, jitter: Int.random(in: 0..<1000)))
        }
    }
}

// Bound to the engine queue: made before it runs, then touched on it alone.
extension SignalClient: @unchecked Sendable {}
