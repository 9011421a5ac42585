// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookNet

/// A media engine that does what none should.
final class HostileMedia: MediaEngine {
    /// What it does wrong.
    enum Habit: Hashable, Sendable {
        /// The method with this name does not return before ``HostileMedia/release()``.
        case blocks(String)
        /// `makeSession` throws an error of its own.
        case throwsError
        /// Everything that can be said is said inside `makeSession`, three times, from as many threads as there are.
        case shouts
        /// More events come than anybody can read.
        case floods
        /// It says that media arrives, and that it failed, after `close()`.
        case talksAfterClose
        /// Nothing ever comes.
        case isSilent
    }

    struct OwnError: Error {}

    private struct State {
        var calls: [String] = []
        var blocked = 0
    }

    let habit: Habit
    private let state = Guarded(State())
    private let gate = Gate()

    init(_ habit: Habit) {
        self.habit = habit
    }

    var capabilities: MediaCapabilities { MediaCapabilities(video: true, dtmf: true) }

    /// The calls that were made, in order.
    var calls: [String] { state.withLock { $0.calls } }
    /// How many calls are blocked.
    var blocked: Int { state.withLock { $0.blocked } }

    /// Lets every blocked call go on, now and later.
    func release() { gate.open() }

    func prepare() async throws {}

    func makeSession(
        _ configuration: MediaSessionConfiguration, events: @escaping @Sendable (MediaEvent) -> Void
    ) throws -> any MediaSession {
        note("makeSession")
        switch habit {
        case .throwsError: throw OwnError()
        case .shouts: shout(events)
        case .floods: for index in 0..<100_000 { events(.remoteVideo(index % 2 == 0)) }
        case .blocks, .talksAfterClose, .isSilent: break
        }
        return HostileSession(engine: self, events: events)
    }

    fileprivate func note(_ method: String) {
        state.withLock { $0.calls.append(method) }
        guard habit == .blocks(method) else { return }
        state.withLock { $0.blocked += 1 }
        gate.wait()
        state.withLock { $0.blocked -= 1 }
    }

    private func shout(_ events: @escaping @Sendable (MediaEvent) -> Void) {
        let words: [MediaEvent] = [
            .restored, .interrupted, .remoteMedia, .connected, .remoteVideo(true),
            .signal(MediaSignal(kind: .offer, generation: 7, body: "another generation's")),
        ]
        for word in words { events(word) }
        DispatchQueue.concurrentPerform(iterations: 12) { events(words[$0 % words.count]) }
    }
}

/// A door that opens once.
private final class Gate: Sendable {
    private let condition = NSCondition()
    private let isOpen = Guarded(false)

    func wait() {
        condition.lock()
        defer { condition.unlock() }
        while !isOpen.withLock({ $0 }) { condition.wait() }
    }

    func open() {
        condition.lock()
        defer { condition.unlock() }
        isOpen.withLock { $0 = true }
        condition.broadcast()
    }
}

private final class HostileSession: MediaSession {
    private let engine: HostileMedia
    private let events: @Sendable (MediaEvent) -> Void

    init(engine: HostileMedia, events: @escaping @Sendable (MediaEvent) -> Void) {
        self.engine = engine
        self.events = events
    }

    func receive(_ signal: MediaSignal) { engine.note("receive") }
    func setAudioOpen(_ open: Bool) { engine.note("setAudioOpen") }
    func setMuted(_ muted: Bool) { engine.note("setMuted") }
    func setHeld(_ held: Bool) { engine.note("setHeld") }
    func playTones(_ tones: String) { engine.note("playTones") }
    func setCamera(_ camera: CameraFacing?) { engine.note("setCamera") }
    func setTranslation(_ translation: Translation?) { engine.note("setTranslation") }

    func close() {
        engine.note("close")
        guard engine.habit == .talksAfterClose else { return }
        events(.remoteMedia)
        events(.failed(MediaFailure(.engine, "after the end")))
    }
}
