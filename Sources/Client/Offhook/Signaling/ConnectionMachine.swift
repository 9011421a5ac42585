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
/// Invariants: a message stays in the outbox until the server answers it and is sent again with the same id after each
/// welcome (race 19); a sequence number is delivered once; the events of an earlier connection change nothing.
struct ConnectionMachine: Sendable {
    /// Where the connection is.
    enum State: Hashable, Sendable {
        /// Nobody wants it.
        case idle
        /// The handshake is on its way until this time.
        case opening(until: Instant)
        /// Hello is sent; the welcome is due by this time.
        case greeting(until: Instant)
        /// The server knows the device.
        case online
        /// The next attempt comes at this time.
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
        /// The connection is over; `jitter` is a random number from 0 to 999.
        case closed(Int, status: Int?, jitter: Int)
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
    static let patience: Duration = .seconds(10)
    /// The longest pause between attempts.
    static let longestPause: Duration = .seconds(30)
    /// How many unanswered messages are kept.
    static let outboxLimit = 1000

    private(set) var state: State = .idle
    private(set) var outbox: [ClientMessage] = []
    private(set) var session: String?
    private(set) var sequence = 0
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
            defer {
                state = .idle
                attempt += 1
            }
            switch state {
            case .idle: return []
            case .waiting: return [.show(.offline)]
            case .opening, .greeting, .online: return [.close, .show(.offline)]
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
            return drop(at: now, jitter: 500)
        case .closed(let number, let status, let jitter):
            guard number == attempt else { return [] }
            return wait(unauthorized: status == 401 || status == 403, jitter: jitter, at: now)
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

    /// Gives a connection up that is no use any more.
    private mutating func drop(at now: Instant, jitter: Int) -> [Effect] {
        [.close] + wait(unauthorized: false, jitter: jitter, at: now)
    }

    private mutating func wait(unauthorized: Bool, jitter: Int, at now: Instant) -> [Effect] {
        switch state {
        case .idle, .waiting:
            return []
        case .opening, .greeting, .online:
            attempt += 1  // whatever the old connection still says is too late
            unanswered = nil
            retryAt = nil
            let pause = min(ConnectionMachine.longestPause, .milliseconds(250 << min(failures, 7)))
            failures += 1
            state = .waiting(until: now + pause / 2 + pause * (Double(jitter) / 1000))
            return [.show(unauthorized ? .unauthorized : .offline)]
        }
    }

    private mutating func enqueue(_ body: ClientMessage.Body, at now: Instant) -> [Effect] {
        guard outbox.count < ConnectionMachine.outboxLimit else { return [] }
        let message = ClientMessage(id: nextID(), body: body)
        outbox.append(message)
        switch state {
        case .online:
            if unanswered == nil { unanswered = now }
            return [.send(message)]
        case .waiting, .idle, .opening, .greeting:
            return []
        }
    }

    private mutating func receive(_ message: ServerMessage, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        if let number = message.sequence {
            guard number > sequence else { return [] }  // race 19
            sequence = number
            effects.append(.send(ClientMessage(id: nextID(), body: .ack(sequence: number))))
        }
        switch message.body {
        case .welcome(let welcome):
            guard case .greeting = state else { return effects }
            state = .online
            failures = 0
            session = welcome.session
            if !welcome.resumed { sequence = 0 }
            effects += [.show(.online), .deliver(message.body)]
            if !outbox.isEmpty { unanswered = now }
            return effects + outbox.map { .send($0) }
        case .ack(let id):
            return effects + answer(id, at: now).map { [.done($0)] }.joined()
        case .error(let failure):
            guard let id = failure.replyTo else { return effects + [.deliver(message.body)] }
            if failure.retryable {
                if retryAt == nil, outbox.contains(where: { $0.id == id }) { retryAt = now + .seconds(1) }
                return effects
            }
            return effects + answer(id, at: now).map { [.refused($0, failure)] }.joined()
        case .invited, .ringing, .answered, .ended, .media, .update:
            return effects + [.deliver(message.body)]
        }
    }

    private mutating func answer(_ id: String, at now: Instant) -> [ClientMessage] {
        guard let index = outbox.firstIndex(where: { $0.id == id }) else { return [] }
        let message = outbox.remove(at: index)
        unanswered = outbox.isEmpty ? nil : now
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
            return drop(at: now, jitter: 500)
        case .online:
            guard retryAt.map({ now >= $0 }) == true else { return drop(at: now, jitter: 500) }
            retryAt = nil
            return outbox.map { .send($0) }
        }
    }
}
