// SPDX-License-Identifier: MIT

import Dispatch
import OffhookCore

/// Every media session of the phone, and what keeps the engine queue safe from the media engine.
///
/// No method of the engine runs on the engine queue, so that one that blocks cannot keep a push from being reported
/// (K3). A call that has not returned after ``limit`` ends its session with a failure that names engine and method. The
/// threads that hang in an engine are counted: with ``stuckLimit`` of them no further session is asked of it.
final class MediaDesk {
    /// What a session's calls, or its end, come to.
    enum News: Sendable {
        /// A session said something that counts.
        case event(CallID, MediaEvent)
        /// A session that is over hangs.
        case warning(MediaFailure)
    }

    /// How long a method may take, by the engine's clock.
    static let limit: TimeSpan = .seconds(5)
    /// What a method that is late gets besides, in milliseconds of running time: a phone that slept is no fault of it.
    static let grace = 1000
    /// How many sessions may hang before the engine is given no other.
    static let stuckLimit = 4

    private let engine: any MediaEngine
    private let name: String
    private let queue: DispatchQueue
    private let clock: any EngineClock
    private var live: [CallID: GuardedSession] = [:]
    private var closing: [GuardedSession] = []
    private var stuck: [ObjectIdentifier: String] = [:]
    /// Called on the engine queue, never from inside one of the desk's methods.
    var hear: (News) -> Void = { _ in }

    /// Makes a desk for an engine; everything happens on the queue.
    ///
    /// The clock hears of each call that is handed over.
    init(engine: any MediaEngine, queue: DispatchQueue, clock: any EngineClock) {
        self.engine = engine
        self.queue = queue
        self.clock = clock
        name = String(describing: type(of: engine))
    }

    /// When to send a tick; nil when no call waits.
    var deadline: Instant? {
        (Array(live.values) + closing).compactMap { session in
            guard let first = session.waiting.first, !first.isSuspect else { return nil }
            return first.since + MediaDesk.limit
        }.min()
    }

    /// Asks the engine for a call's session; a former one of the call is closed first.
    func start(_ configuration: MediaSessionConfiguration, at now: Instant) {
        let call = configuration.call
        close(call, at: now)
        guard stuck.count < MediaDesk.stuckLimit else {
            let methods = Set(stuck.values).sorted().joined(separator: ", ")
            return later { $0.hear(.event(call, .failed($0.failure("hangs in \(methods) of earlier calls")))) }
        }
        let mailbox = MediaMailbox(queue: queue, engine: name) { [weak self] in self?.take($0, of: call) }
        let session = GuardedSession(configuration, mailbox: mailbox, clock: clock) { [weak self, queue, clock] in
            let (session, number) = ($0, $1)
            queue.async { [weak self] in
                self?.finish(session, number)
                clock.workEnded()
            }
        }
        live[call] = session
        session.make(configuration, with: engine, at: now)
    }

    /// Hands an order to a call's session; nothing without one.
    func perform(_ order: MediaOrder, for call: CallID, at now: Instant) {
        live[call]?.perform(order, at: now)
    }

    /// Closes a call's session; nothing it says counts from here on.
    func close(_ call: CallID, at now: Instant) {
        guard let session = live.removeValue(forKey: call) else { return }
        session.perform(.close, at: now)
        closing.append(session)
    }

    /// Closes every session.
    func closeAll(at now: Instant) {
        for call in Array(live.keys) { close(call, at: now) }
    }

    /// Gives each call that is late its last moment, in running time, and judges it after that.
    func tick(at now: Instant) {
        for session in Array(live.values) + closing {
            guard let number = session.suspect(at: now, limit: MediaDesk.limit) else { continue }
            queue.asyncAfter(deadline: .now() + .milliseconds(MediaDesk.grace)) { [weak self] in
                self?.judge(session, number)
            }
        }
    }

    private func judge(_ session: GuardedSession, _ number: Int) {
        guard let late = session.waiting.first, late.number == number else { return }
        stuck[ObjectIdentifier(session)] = late.method
        let failure = failure("did not return from \(late.method) within \(MediaDesk.limit)")
        if let call = live.first(where: { $0.value === session })?.key {
            take(.failed(failure), of: call)
        } else {
            hear(.warning(failure))
        }
    }

    private func failure(_ what: String) -> MediaFailure {
        MediaFailure(.engine, "The media engine \(name) \(what); its methods must return at once.")
    }

    private func take(_ event: MediaEvent, of call: CallID) {
        guard live[call]?.filter.admits(event) == true else { return }
        hear(.event(call, event))
    }

    private func finish(_ session: GuardedSession, _ number: Int) {
        let isIdle = session.finish(number)
        stuck[ObjectIdentifier(session)] = nil
        if isIdle { closing.removeAll { $0 === session && $0.isClosed } }
    }

    private func later(_ work: @escaping @Sendable (MediaDesk) -> Void) {
        queue.async { [weak self] in
            if let self { work(self) }
        }
    }
}

// Bound to the engine queue.
extension MediaDesk: @unchecked Sendable {}
