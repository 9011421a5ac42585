// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookWire

/// The rules of the signaling connection: when to connect, what to send again, where to resume.
///
/// ```
///            wanted               opened                 welcome
///   idle ───────────► opening ───────────► greeting ───────────────► online
///     ▲                 ▲   │  closed, late    │ closed, late           │
///     │ stopped         │   ▼                  ▼                        │ closed, silent for too long
///     └───────────── waiting ◄───────────────────────────────────────────┘
///        (tick at its time, or wanted at once, R59)
/// ```
///
/// Where the server says that this device has a newer connection or was signed out, the machine goes to idle: it comes
/// back when a push or a command wants it, never by itself.
///
/// Invariants: a message stays in the outbox until the server answers it and is sent again with the same id after each
/// welcome (race 19), unless its call ended meanwhile; a sequence number is delivered once; the events of an earlier
/// connection change nothing; at most ``window`` messages are on their way.
struct ConnectionMachine: Sendable {
    /// Where the connection is.
    enum State: Hashable, Sendable {
        /// Nobody wants it, or the server sent this device away. Leaves to: opening.
        case idle
        /// The handshake is on its way until this time. Leaves to: greeting, waiting, idle.
        case opening(until: Instant)
        /// Hello is sent; the welcome is due by this time. Leaves to: online, waiting, idle.
        case greeting(until: Instant)
        /// The server knows the device. Leaves to: waiting, idle.
        case online
        /// The next attempt comes at this time. Leaves to: opening, idle.
        case waiting(until: Instant)
    }

    /// What happens to the connection.
    enum Event: Hashable, Sendable {
        /// It is needed now: at launch, for a push, for a call.
        case wanted
        /// The app stops.
        case stopped
        /// The handshake of this attempt is done; the calls are what to ask the server about.
        case opened(Int, asking: [CallID])
        /// A message came.
        case received(Int, ServerMessage)
        /// A frame came that is no message.
        case garbled(Int)
        /// The connection is over, with a close code or the status of a refused handshake; `jitter` is a random number
        /// from 0 to 999.
        case closed(Int, code: Int? = nil, status: Int? = nil, jitter: Int)
        /// The device has something to say.
        case send(ClientMessage.Body)
        /// Time has passed.
        case tick
    }

    /// What the machine orders.
    enum Effect: Hashable, Sendable {
        /// Connect; the attempt's number marks its events.
        case connect(Int)
        /// Close the connection.
        case close
        /// Send the message.
        case send(ClientMessage)
        /// Hand the message on.
        case deliver(ServerMessage.Body)
        /// The server did what this message asked for.
        case done(ClientMessage)
        /// The server refused this message.
        case refused(ClientMessage, WireFailure)
        /// Tell the app.
        case show(ConnectionState)
    }

    /// How long handshake and welcome may take, and how long a message may go unanswered.
    static let patience: TimeSpan = .seconds(10)
    /// The longest pause between attempts.
    static let longestPause: TimeSpan = .seconds(30)
    /// How many unanswered messages are kept.
    static let outboxLimit = 1000
    /// How many messages may be on their way at once; the server takes 200 at once.
    static let window = 100
    /// How many messages of the server one ack is for; a hello acknowledges the rest.
    static let ackEvery = 16

    private(set) var state: State = .idle
    private(set) var outbox: [ClientMessage] = []
    private(set) var session: String?
    private(set) var sequence = 0
    /// How many of the outbox's first messages were sent on this connection.
    private var sent = 0
    /// How many of the outbox's first messages were sent at all.
    private var tried = 0
    private var acknowledged = 0
    private var attempt = 0
    private var failures = 0
    private var unanswered: Instant?
    private var retryAt: Instant?
    private var count = 0
    private let device: String
    private let prefix: String

    /// Makes a machine; `prefix` is random, so that message ids of two app launches differ.
    init(device: String, prefix: String) {
        self.device = device
        self.prefix = prefix
    }

    /// When to send `tick`; nil when nothing is due.
    var deadline: Instant? {
        switch state {
        case .idle: nil
        case .opening(let until), .greeting(let until), .waiting(let until): until
        case .online: [unanswered.map { $0 + ConnectionMachine.patience }, retryAt].compactMap { $0 }.min()
        }
    }

    /// Takes one event.
    mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        switch event {
        case .wanted:
            switch state {
            case .idle, .waiting: return open(at: now)
            case .opening, .greeting, .online: return []
            }
        case .stopped:
            switch state {
            case .idle: return []
            case .waiting: return leave(.offline)
            case .opening, .greeting, .online: return [.close] + leave(.offline)
            }
        case .opened(let number, let calls):
            guard number == attempt, case .opening = state else { return [] }
            state = .greeting(until: now + ConnectionMachine.patience)
            let hello = Hello(
                device: device, session: session, sequence: session == nil ? nil : sequence,
                calls: Array(calls.prefix(WireCodec.maximumCallsInHello)))
            return [.send(ClientMessage(id: nextID(), body: .hello(hello)))]
        case .received(let number, let message):
            guard number == attempt else { return [] }
            return receive(message, at: now)
        case .garbled(let number):
            guard number == attempt else { return [] }
            return drop(at: now)
        case .closed(let number, let code, let status, let jitter):
            guard number == attempt else { return [] }
            let unauthorized = status == 401 || status == 403
            return closed(code.flatMap(CloseCode.init), unauthorized: unauthorized, jitter: jitter, at: now)
        case .send(let body):
            return enqueue(body, at: now)
        case .tick:
            return tick(at: now)
        }
    }

    private mutating func nextID() -> String {
        count += 1
        return "\(prefix)-\(count)"
    }

    private mutating func open(at now: Instant) -> [Effect] {
        attempt += 1
        state = .opening(until: now + ConnectionMachine.patience)
        return [.connect(attempt), .show(.connecting)]
    }

    /// Does what the protocol's table of close codes asks of a client.
    private mutating func closed(
        _ code: CloseCode?, unauthorized: Bool, jitter: Int, at now: Instant
    ) -> [Effect] {
        switch state {
        case .idle, .waiting:
            return []
        case .opening, .greeting, .online:
            switch code {
            case .replaced:
                return leave(.replaced)
            case .signedOut:
                forgetOutbox()
                session = nil
                return leave(.signedOut)
            case .tokenExpired:
                return wait(.unauthorized, jitter: jitter, at: now)
            case .malformed:
                forgetOutbox()  // what the server cannot read it will not read the next time
                return wait(.offline, jitter: jitter, at: now)
            case .tooMany:
                failures = max(failures, 7)
                return wait(.offline, jitter: jitter, at: now)
            case .goingAway, .tooLarge, .tooSlow, .noHello, nil:
                return wait(unauthorized ? .unauthorized : .offline, jitter: jitter, at: now)
            }
        }
    }

    /// Gives a connection up that is no use any more.
    private mutating func drop(_ shown: ConnectionState = .offline, at now: Instant) -> [Effect] {
        [.close] + wait(shown, jitter: 500, at: now)
    }

    /// Stays away until wanted.
    private mutating func leave(_ shown: ConnectionState) -> [Effect] {
        forgetConnection()
        failures = 0
        state = .idle
        return [.show(shown)]
    }

    private mutating func wait(_ shown: ConnectionState, jitter: Int, at now: Instant) -> [Effect] {
        forgetConnection()
        let doubled: TimeSpan = .milliseconds(250 << min(failures, 7))
        let pause = min(ConnectionMachine.longestPause, doubled)
        failures += 1
        let part: TimeSpan = pause * jitter / 1000
        state = .waiting(until: now + pause / 2 + part)
        return [.show(shown)]
    }

    private mutating func forgetConnection() {
        attempt += 1  // whatever the old connection still says is too late
        unanswered = nil
        retryAt = nil
        sent = 0
    }

    private mutating func forgetOutbox() {
        outbox = []
        sent = 0
        tried = 0
    }

    private mutating func enqueue(_ body: ClientMessage.Body, at now: Instant) -> [Effect] {
        if let call = body.endedCall, !withdraw(call) {
            return [.done(ClientMessage(id: nextID(), body: body))]  // nothing is left to be said
        }
        guard outbox.count < ConnectionMachine.outboxLimit else { return [] }
        outbox.append(ClientMessage(id: nextID(), body: body))
        return fill(at: now)
    }

    /// Takes back what waits to be said of a call that is over now: an invitation sent late would ring for nothing.
    ///
    /// - Returns: Whether the server may know the call, so that it must hear of the end.
    private mutating func withdraw(_ call: CallID) -> Bool {
        var isUnheardOf = false
        for index in outbox.indices.reversed() where index >= sent && outbox[index].body.call == call {
            if case .connected = outbox[index].body { continue }  // the record's; it stays true
            if case .invite = outbox[index].body, index >= tried { isUnheardOf = true }
            outbox.remove(at: index)
            if index < tried { tried -= 1 }
        }
        return !isUnheardOf
    }

    /// Sends what waits, as far as the window allows.
    private mutating func fill(at now: Instant) -> [Effect] {
        guard case .online = state else { return [] }
        let end = min(outbox.count, ConnectionMachine.window)
        guard sent < end else { return [] }
        let messages = outbox[sent..<end].map { Effect.send($0) }
        sent = end
        tried = max(tried, end)
        if unanswered == nil { unanswered = now }
        return messages
    }

    private mutating func receive(_ message: ServerMessage, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        if let number = message.sequence {
            guard number > sequence else { return [] }  // race 19
            sequence = number
            if number - acknowledged >= ConnectionMachine.ackEvery {
                acknowledged = number
                effects.append(.send(ClientMessage(id: nextID(), body: .ack(sequence: number))))
            }
        }
        switch message.body {
        case .welcome(let welcome):
            guard case .greeting = state else { return effects }
            state = .online
            failures = 0
            session = welcome.session
            if !welcome.resumed { sequence = 0 }
            acknowledged = sequence
            return effects + [.show(.online), .deliver(message.body)] + fill(at: now)
        case .ack(let id):
            return effects + answer(id, at: now).map { .done($0) } + fill(at: now)
        case .error(let failure):
            guard let id = failure.replyTo else { return effects + [.deliver(message.body)] }
            if case .greeting = state {
                // The hello was refused: without this word the device would only seem offline.
                let shown: ConnectionState = failure.code == .unauthorized ? .unauthorized : .offline
                return effects + [.deliver(message.body)] + drop(shown, at: now)
            }
            if failure.retryable {
                if retryAt == nil, outbox.contains(where: { $0.id == id }) { retryAt = now + .seconds(1) }
                return effects
            }
            return effects + answer(id, at: now).map { .refused($0, failure) } + fill(at: now)
        case .invited, .ringing, .answered, .joined, .ended, .media, .update:
            return effects + [.deliver(message.body)]
        }
    }

    private mutating func answer(_ id: String, at now: Instant) -> [ClientMessage] {
        guard let index = outbox.firstIndex(where: { $0.id == id }) else { return [] }
        let message = outbox.remove(at: index)
        if index < sent { sent -= 1 }
        if index < tried { tried -= 1 }
        unanswered = sent == 0 ? nil : now
        return [message]
    }

    private mutating func tick(at now: Instant) -> [Effect] {
        guard let deadline, now >= deadline else { return [] }
        switch state {
        case .idle:
            return []
        case .waiting:
            return open(at: now)
        case .opening, .greeting:
            return drop(at: now)
        case .online:
            guard retryAt.map({ now >= $0 }) == true else { return drop(at: now) }
            retryAt = nil
            return outbox.prefix(sent).map { .send($0) }
        }
    }
}

extension ClientMessage.Body {
    /// The call that the device leaves with this message.
    fileprivate var endedCall: CallID? {
        switch self {
        case .decline(let call), .cancel(let call), .hangup(let call, _): call
        case .hello, .register, .unregister, .invite, .ringing, .answer, .busy, .media, .connected, .update, .ack: nil
        }
    }
}
