// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Offhook
import OffhookNet

extension PhoneLab {
    /// Moves the lab's time: all phones together, from one deadline to the next, settling between them.
    ///
    /// - Parameter duration: How far; zero only settles.
    public func advance(by duration: Duration) async {
        await settle()
        let target = now.addingTimeInterval(duration / .seconds(1))
        // Sums of dates differ in their last bits: a deadline a microsecond off is reached.
        let reach = target.addingTimeInterval(0.000_001)
        while true {
            let next = nextDeadline.flatMap { $0 <= reach ? max($0, now) : nil }
            await move(to: next ?? target)
            if next == nil { return }
        }
    }

    /// Waits until every callback of every phone has returned, the engines' media sessions have done what they were told,
    /// and nothing more is to be delivered.
    ///
    /// A media engine that hangs is waited for about a second.
    public func settle() async {
        order.open()
        defer { order.close() }
        var stalled = 0
        var last = order.count
        var looks = 0
        var waitsForMedia = true
        while !isSettled(withMedia: waitsForMedia) {
            looks += 1
            if looks < 50 { await Task.yield() } else { try? await Task.sleep(for: .microseconds(100)) }
            // A callback that blocks until another one has run gets its way after about a second.
            stalled = order.count == last ? stalled + 1 : 0
            last = order.count
            if stalled > 10_000 {
                order.release()
                stalled = 0
                waitsForMedia = false
            }
        }
    }

    private func isSettled(withMedia: Bool) -> Bool {
        let isIdle = { [self] in order.isIdle && (!withMedia || clock.unfinishedWork == 0) }
        return isIdle() && phones.allSatisfy(\.isSettled) && isIdle()
    }

    /// The next moment at which something happens.
    private var nextDeadline: Date? {
        let (planned, server) = state.withLock { ($0.agenda.first?.time, $0.server) }
        let others = [clock.deadline, server?.deadline].map { instant in
            instant.map { Date(timeIntervalSince1970: Double($0.milliseconds) / 1000) }
        }
        return (phones.map(\.deadline) + others + [planned]).compactMap { $0 }.min()
    }

    /// Lets happen what is due until a date: phones in the order in which they were made, then plans, the server, and
    /// engines.
    private func move(to date: Date) async {
        state.withLock { $0.now = max($0.now, date) }
        for phone in phones {
            phone.move(to: date)
            await settle()
        }
        while let due = takeDue(at: date) { await run(due) }
        if let server = state.withLock({ $0.server }) { await run { server.tick() } }
        await run { [clock] in clock.move(to: PhoneLab.instant(date)) }
    }

    /// Runs something as app code is run: what it puts on the apps' queues is waited for.
    private func run(_ body: @escaping @Sendable () -> Void) async {
        order.add { ended in
            body()
            ended()
        }
        await settle()
    }

    private func takeDue(at date: Date) -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard let first = state.agenda.first, first.time <= date else { return nil }
            state.agenda.removeFirst()
            return first.body
        }
    }
}
