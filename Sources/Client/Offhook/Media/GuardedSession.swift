// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import OffhookCore

/// One media session behind a queue of its own, so that whatever the engine does happens there.
///
/// The engine queue writes down each call of a method and hands it over; the session's queue makes the calls one after
/// the other, and says when each has returned. A call that waits for too long is what ``MediaDesk`` looks for. A
/// session that comes out of a late `makeSession` meets the `close()` that waits for it in the same line.
final class GuardedSession {
    /// A call that was handed over and has not returned.
    struct Waiting {
        var number: Int
        var method: String
        var since: Instant
        /// Its time ran out; it is being given its last moment.
        var isSuspect = false
    }

    let mailbox: MediaMailbox
    var filter: MediaEventFilter
    /// Closed by Offhook: nothing it says counts any more.
    private(set) var isClosed = false
    /// The calls that have not returned, oldest first.
    private(set) var waiting: [Waiting] = []
    private let line: DispatchQueue
    private let holder = SessionHolder()
    private let clock: any EngineClock
    private let returned: @Sendable (GuardedSession, Int) -> Void
    private var count = 0

    /// Makes the session's place; `returned` is called from the session's queue with the call's number.
    init(
        _ configuration: MediaSessionConfiguration, mailbox: MediaMailbox, clock: any EngineClock,
        returned: @escaping @Sendable (GuardedSession, Int) -> Void
    ) {
        self.mailbox = mailbox
        self.clock = clock
        self.returned = returned
        filter = MediaEventFilter(generation: configuration.generation)
        line = DispatchQueue(label: "offhook.media.\(configuration.generation)")
    }

    /// Lets the engine make the session.
    func make(_ configuration: MediaSessionConfiguration, with engine: any MediaEngine, at now: Instant) {
        let mailbox = self.mailbox
        hand("makeSession(_:events:)", at: now) { holder in
            do {
                holder.session = try engine.makeSession(configuration) { mailbox.put($0) }
            } catch {
                let name = String(describing: type(of: engine))
                let failure =
                    error as? MediaFailure ?? MediaFailure(.engine, "\(name) made no session: \(error)")
                mailbox.put(.failed(failure))
            }
        }
    }

    /// Hands a call over.
    func perform(_ order: MediaOrder, at now: Instant) {
        guard !isClosed else { return }
        if case .close = order {
            isClosed = true
            mailbox.close()
        }
        hand(order.method, at: now) { holder in
            guard let session = holder.session else { return }
            order.run(on: session)
            if case .close = order { holder.session = nil }
        }
    }

    /// Takes word that a call has returned; whether none is left.
    func finish(_ number: Int) -> Bool {
        waiting.removeAll { $0.number == number }
        return waiting.isEmpty
    }

    /// Marks the oldest call if it has waited until now; it has one moment left.
    func suspect(at now: Instant, limit: TimeSpan) -> Int? {
        guard let first = waiting.first, !first.isSuspect, first.since + limit <= now else { return nil }
        waiting[0].isSuspect = true
        return first.number
    }

    private func hand(_ method: String, at now: Instant, _ work: @escaping @Sendable (SessionHolder) -> Void) {
        count += 1
        waiting.append(Waiting(number: count, method: method, since: now))
        let number = count
        clock.workBegan()
        line.async {
            work(self.holder)
            self.returned(self, number)
        }
    }
}

// Bound to the engine queue, apart from `holder`, which is bound to the session's own.
extension GuardedSession: @unchecked Sendable {}

/// Where the engine's session is kept.
private final class SessionHolder {
    var session: (any MediaSession)?
}

// Bound to the session's serial queue.
extension SessionHolder: @unchecked Sendable {}
