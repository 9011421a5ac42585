// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import OffhookCore
import OffhookNet
import Testing

@testable import Offhook

/// The desk by itself, on a queue of the test.
@Suite(.timeLimit(.minutes(2))) struct MediaDeskTests {
    private let queue = DispatchQueue(label: "test.engine")
    private let start = Instant(milliseconds: 1_000_000)

    private func desk(_ engine: any MediaEngine, heard: Guarded<[String]> = Guarded([])) -> MediaDesk {
        let desk = MediaDesk(engine: engine, queue: queue, clock: SystemClock())
        queue.sync {
            desk.hear = { news in
                let word =
                    switch news {
                    case .event(_, .failed(let failure)): "failed: \(failure.message)"
                    case .event(_, let event): "\(event)"
                    case .warning(let failure): "warning: \(failure.message)"
                    }
                heard.withLock { $0.append(word) }
            }
        }
        return desk
    }

    private func configuration(_ number: UInt64 = 1) -> MediaSessionConfiguration {
        MediaSessionConfiguration(call: CallID(high: 0, low: number), role: .offerer)
    }

    private func until(_ what: String, _ condition: () -> Bool) async throws {
        let limit = ContinuousClock.now + .seconds(30)
        while !condition() {
            try #require(ContinuousClock.now < limit, "never came: \(what)")
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    @Test("R92: calls to one session keep their order") func order() async throws {
        let media = HostileMedia(.isSilent)
        let desk = desk(media)
        let call = configuration().call
        queue.sync {
            desk.start(configuration(), at: start)
            for _ in 0..<50 {
                desk.perform(.setMuted(true), for: call, at: start)
                desk.perform(.receive(MediaSignal(kind: .offer, body: "")), for: call, at: start)
                desk.perform(.setHeld(true), for: call, at: start)
            }
            desk.close(call, at: start)
            desk.perform(.setMuted(false), for: call, at: start)
        }
        try await until("everything was called") { media.calls.last == "close" }
        let expected = (0..<50).flatMap { _ in ["setMuted", "receive", "setHeld"] }
        #expect(media.calls == ["makeSession"] + expected + ["close"])
        try await until("nothing waits") { queue.sync { desk.deadline == nil } }
    }

    @Test("R92: a session that comes out of a late makeSession is closed") func lateSession() async throws {
        let media = HostileMedia(.blocks("makeSession"))
        let desk = desk(media)
        queue.sync {
            desk.start(configuration(), at: start)
            desk.perform(.setAudioOpen(true), for: configuration().call, at: start)
        }
        try await until("it hangs") { media.blocked == 1 }
        queue.sync { desk.close(configuration().call, at: start) }
        media.release()
        try await until("it is closed") { media.calls == ["makeSession", "setAudioOpen", "close"] }
    }

    @Test("R92: a call that returns in its last moment is no failure") func lastMoment() async throws {
        let media = HostileMedia(.blocks("setMuted"))
        let heard = Guarded<[String]>([])
        let desk = desk(media, heard: heard)
        queue.sync {
            desk.start(configuration(), at: start)
            desk.perform(.setMuted(true), for: configuration().call, at: start)
        }
        try await until("it hangs") { media.blocked == 1 }
        #expect(queue.sync { desk.deadline } == start + MediaDesk.limit)
        queue.sync { desk.tick(at: start + MediaDesk.limit) }
        #expect(queue.sync { desk.deadline } == nil)
        media.release()
        try await until("nothing waits") { queue.sync { media.blocked == 0 } }
        // A second call that hangs marks the time after the first one's judgement.
        let other = HostileMedia(.blocks("setMuted"))
        let otherHeard = Guarded<[String]>([])
        let otherDesk = self.desk(other, heard: otherHeard)
        queue.sync {
            otherDesk.start(configuration(), at: start)
            otherDesk.perform(.setMuted(true), for: configuration().call, at: start)
        }
        try await until("it hangs") { other.blocked == 1 }
        queue.sync { otherDesk.tick(at: start + MediaDesk.limit) }
        try await until("it failed") { !otherHeard.withLock { $0 }.isEmpty }
        #expect(heard.withLock { $0 }.isEmpty)
        other.release()
    }

    @Test("R92: an engine in which four sessions hang is given no fifth, until one of them returns")
    func stuckThreads() async throws {
        let media = HostileMedia(.blocks("makeSession"))
        let heard = Guarded<[String]>([])
        let desk = desk(media, heard: heard)
        queue.sync { for number in 1...4 { desk.start(configuration(UInt64(number)), at: start) } }
        try await until("they hang") { media.blocked == 4 }
        queue.sync { desk.tick(at: start + MediaDesk.limit) }
        try await until("they failed") { heard.withLock { $0 }.count == 4 }
        queue.sync { desk.start(configuration(5), at: start + MediaDesk.limit) }
        try await until("the fifth failed") { heard.withLock { $0 }.count == 5 }
        #expect(heard.withLock { $0.last }?.contains("hangs in makeSession(_:events:) of earlier calls") == true)
        #expect(media.calls.count == 4)
        media.release()
        try await until("nothing hangs") { media.blocked == 0 }
        queue.sync { for number in 1...4 { desk.close(CallID(high: 0, low: UInt64(number)), at: start) } }
        try await until("they are closed") { media.calls.filter { $0 == "close" }.count == 4 }
        queue.sync {}
        queue.sync { desk.start(configuration(6), at: start) }
        try await until("the engine is asked again") { media.calls.filter { $0 == "makeSession" }.count == 5 }
    }

    @Test("K3: a flood is read in batches; other work of the queue has its turn") func batches() async throws {
        let order = Guarded<[Int]>([])
        let mailbox = MediaMailbox(queue: queue, engine: "Engine") { _ in order.withLock { $0.append(1) } }
        queue.sync {
            for _ in 0..<(3 * MediaMailbox.batch) { mailbox.put(.interrupted) }
            queue.async { order.withLock { $0.append(0) } }
        }
        try await until("all is read") { order.withLock { $0.count } == 3 * MediaMailbox.batch + 1 }
        #expect(order.withLock { $0.firstIndex(of: 0) } == MediaMailbox.batch)
    }

    @Test("M3, M7, M8, M15, M16: what repeats, comes too late or is another generation's does not count")
    func filter() {
        var filter = MediaEventFilter(generation: 2)
        let words: [(MediaEvent, Bool)] = [
            (.interrupted, false), (.restored, false), (.connected, true), (.connected, false),
            (.remoteMedia, true), (.remoteMedia, false), (.restored, false), (.interrupted, true),
            (.interrupted, false), (.restored, true), (.restored, false), (.remoteVideo(true), true),
            (.signal(MediaSignal(kind: .offer, generation: 2, body: "")), true),
            (.signal(MediaSignal(kind: .offer, generation: 1, body: "")), false),
            (.failed(MediaFailure(.engine, "")), true), (.failed(MediaFailure(.engine, "")), false),
            (.interrupted, false), (.signal(MediaSignal(kind: .offer, generation: 2, body: "")), false),
        ]
        for (event, admitted) in words { #expect(filter.admits(event) == admitted, "\(event)") }
    }
}
