// SPDX-License-Identifier: MIT

import Testing

@testable import OffhookNet

/// Reports when nobody holds it any more.
private final class Token: Sendable {
    private let gone: Recorder<Bool>

    init(_ gone: Recorder<Bool>) {
        self.gone = gone
    }

    deinit {
        gone.report(true)
    }
}

@Suite(.timeLimit(.minutes(2)))
struct EventLoopTests {
    @Test("work runs on the loop's thread, in the order it was given")
    func order() async throws {
        try await withLoop { loop async throws in
            let reports = Recorder<Int>()
            #expect(!loop.isCurrent)
            for number in 0..<1_000 { loop.execute { reports.report(loop.isCurrent ? number : -1) } }
            #expect(try await reports.next(1_000) == Array(0..<1_000))
        }
    }

    @Test("work given on the loop's own thread runs after the current work")
    func nested() async throws {
        try await withLoop { loop async throws in
            let reports = Recorder<Int>()
            loop.execute {
                loop.execute { reports.report(2) }
                reports.report(1)
            }
            #expect(try await reports.next(2) == [1, 2])
        }
    }

    @Test("several threads may give work at the same time, and each keeps its order")
    func manyThreads() async throws {
        try await withLoop { loop async throws in
            final class Seen: Sendable {
                let counts = Guarded([Int](repeating: 0, count: 8))

                func see(_ number: Int, of thread: Int) {
                    counts.withLock { if $0[thread] == number { $0[thread] += 1 } }
                }
            }
            let seen = Seen()
            await withTaskGroup(of: Void.self) { group in
                for thread in 0..<8 {
                    group.addTask {
                        for number in 0..<2_000 { loop.execute { seen.see(number, of: thread) } }
                    }
                }
            }
            #expect(try await loop.run { seen.counts.withLock { $0 } } == [Int](repeating: 2_000, count: 8))
        }
    }

    @Test("a stopped loop takes no work, has run what it took, and may be stopped again")
    func stop() async throws {
        let loop = try EventLoop(name: "a name longer than fifteen bytes")
        let count = Guarded(0)
        for _ in 0..<100 { loop.execute { count.withLock { $0 += 1 } } }
        loop.stop()
        #expect(count.withLock { $0 } == 100)
        #expect(!loop.execute { count.withLock { $0 += 1 } })
        loop.stop()
        loop.schedule(after: .zero) { count.withLock { $0 += 1 } }.cancel()
        #expect(count.withLock { $0 } == 100)
    }

    @Test("every work that was accepted runs, even when the loop is stopped meanwhile")
    func acceptedRuns() async throws {
        for _ in 0..<20 {
            let loop = try EventLoop(name: "test")
            let ran = Guarded(0)
            let accepted = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var accepted = 0
                        for _ in 0..<500 where loop.execute({ ran.withLock { $0 += 1 } }) { accepted += 1 }
                        return accepted
                    }
                }
                group.addTask {
                    loop.stop()
                    return 0
                }
                return await group.reduce(0, +)
            }
            #expect(ran.withLock { $0 } == accepted)
        }
    }

    @Test("a loop may be stopped on its own thread and by several at once")
    func stopEverywhere() async throws {
        for _ in 0..<50 {
            let loop = try EventLoop(name: "test")
            await withTaskGroup(of: Void.self) { group in
                group.addTask { loop.execute { loop.stop() } }
                group.addTask { loop.stop() }
                group.addTask { loop.stop() }
            }
            #expect(!loop.execute {})
        }
    }

    @Test("a loop that nobody holds ends, and drops its work with what it owns")
    func abandoned() async throws {
        let gone = Recorder<Bool>()
        do {
            let loop = try EventLoop(name: "test")
            let token = Token(gone)
            loop.schedule(after: .seconds(3_600)) { _ = token }
        }
        #expect(try await gone.next())
    }

    @Test("timers fire in the order they are due, not in the order they were set")
    func timers() async throws {
        try await withLoop { loop async throws in
            var isOver = false
            for time in growingTimes where !isOver {
                let reports = Recorder<Int>()
                // A machine that stops between two of these calls can exchange their order.
                let isFast = try await loop.run {
                    let start = ContinuousClock.now
                    loop.schedule(after: time) { reports.report(3) }
                    loop.schedule(after: .milliseconds(1)) { reports.report(1) }
                    loop.schedule(after: time / 2) { reports.report(2) }
                    loop.schedule(after: .milliseconds(-5)) { reports.report(0) }
                    return ContinuousClock.now - start < time / 4
                }
                let order = try await reports.next(4)
                if isFast { #expect(Set(order.prefix(2)) == [0, 1] && order.suffix(2) == [2, 3]) }
                isOver = isFast
            }
            #expect(isOver)
        }
    }

    @Test("a timer is never early")
    func neverEarly() async throws {
        try await withLoop { loop async throws in
            let clock = ContinuousClock()
            for delay in [Duration.microseconds(1), .milliseconds(3), .milliseconds(17)] {
                let reports = Recorder<ContinuousClock.Instant>()
                let start = clock.now
                loop.schedule(after: delay) { reports.report(clock.now) }
                // libuv counts whole milliseconds on a clock that it has cut off itself.
                #expect(try await reports.next() - start >= delay - .milliseconds(1))
            }
        }
    }

    @Test("a cancelled timer lets go of its work at once, whichever thread cancels it")
    func cancel() async throws {
        try await withLoop { loop async throws in
            let gone = Recorder<Bool>()
            func timer() -> LoopTimer {
                let token = Token(gone)
                return loop.schedule(after: .seconds(3_600)) { withExtendedLifetime(token) {} }
            }
            let first = timer()
            first.cancel()
            first.cancel()
            #expect(try await gone.next())
            let second = timer()
            loop.execute { second.cancel() }
            #expect(try await gone.next())
        }
    }

    @Test("cancelling races with firing without harm")
    func cancelRace() async throws {
        try await withLoop { loop async throws in
            for _ in 0..<500 {
                let timer = loop.schedule(after: .zero) {}
                timer.cancel()
            }
            #expect(try await loop.run { true })
        }
    }
}
