// SPDX-License-Identifier: MIT

import Offhook
import OffhookCore

@testable import OffhookMedia

/// Two sessions of one process that signal to each other through closures.
final class TestCall: Sendable {
    let caller: Side
    let callee: Side

    // `change` sees each signal on its way and may exchange it, or lose it with nil.
    init(
        callerSays: any AudioSource = SilenceSource(), calleeSays: any AudioSource = SilenceSource(),
        options: MediaOptions = MediaOptions(),
        change: @escaping @Sendable (_ from: MediaSessionConfiguration.Role, MediaSignal) -> MediaSignal? = { $1 }
    ) throws {
        caller = Side(.offerer, says: callerSays)
        callee = Side(.answerer, says: calleeSays)
        let (caller, callee) = (self.caller, self.callee)
        try caller.start(options) { signal in change(.offerer, signal).map { callee.receive($0) } }
        try callee.start(options) { signal in change(.answerer, signal).map { caller.receive($0) } }
    }

    /// Waits until both transports are up.
    func connected() async throws {
        try await eventually("both connect: \(self.story)") {
            self.caller.failure != nil || self.callee.failure != nil
                || (self.caller.events.contains(.connected) && self.callee.events.contains(.connected))
        }
        if let failure = caller.failure ?? callee.failure { throw failure }
    }

    /// What both sides were told, for a test that fails.
    var story: String {
        [caller, callee].map { side in side.events.map { "\($0)" }.joined(separator: "\n  ") }
            .joined(separator: "\ncallee:\n  ")
    }

    func openAudio() {
        caller.session?.setAudioOpen(true)
        callee.session?.setAudioOpen(true)
    }

    /// Ends both sessions and waits until everything is freed.
    func close() async {
        caller.session?.close()
        callee.session?.close()
        for side in [caller, callee] {
            await withCheckedContinuation { continuation in
                guard let session = side.session else { return continuation.resume() }
                session.whenReleased { continuation.resume() }
            }
        }
    }
}

/// One session with recorders at its port.
final class Side: Sendable {
    let heard = MemoryRecorder()
    let sent = MemoryRecorder()
    private let role: MediaSessionConfiguration.Role
    private let says: any AudioSource
    private let state = Locked((session: WebRTCSession?.none, events: [MediaEvent](), early: [MediaSignal]()))

    init(_ role: MediaSessionConfiguration.Role, says: any AudioSource) {
        self.role = role
        self.says = says
    }

    var session: WebRTCSession? { state.withLock { $0.session } }
    var events: [MediaEvent] { state.withLock { $0.events } }
    var failure: MediaFailure? {
        for case .failed(let failure) in events { return failure }
        return nil
    }
    var signals: [MediaSignal] {
        events.compactMap { if case .signal(let signal) = $0 { signal } else { nil } }
    }

    func start(_ options: MediaOptions, send: @escaping @Sendable (MediaSignal) -> Void) throws {
        let port = AudioPort(microphone: says, speaker: heard, sent: sent)
        let engine = GStreamerMediaEngine(options: options) { _ in port }
        let session = try engine.makeSession(
            MediaSessionConfiguration(call: CallID(high: 1, low: 2), role: role, generation: 3)
        ) { [weak self] event in
            self?.state.withLock { $0.events.append(event) }
            if case .signal(let signal) = event { send(signal) }
        }
        let early = state.withLock { state in
            state.session = session as? WebRTCSession
            return state.early
        }
        for signal in early { session.receive(signal) }
    }

    /// Takes a signal of the other side, also before the session is there.
    func receive(_ signal: MediaSignal) {
        let session = state.withLock { state in
            if state.session == nil { state.early.append(signal) }
            return state.session
        }
        session?.receive(signal)
    }

    func wait(for event: MediaEvent) async throws {
        try await eventually("\(role.rawValue): \(event)") { self.events.contains(event) || self.failure != nil }
        if let failure, event != .failed(failure) { throw failure }
    }

    func waitForFailure() async throws -> MediaFailure {
        try await eventually("\(role.rawValue) fails") { self.failure != nil }
        return failure ?? MediaFailure(.engine, "")
    }

    /// Waits until so much more has been heard.
    func hears(_ duration: Duration) async throws {
        let goal = heard.recording.samples.count + duration.samples(rate: 48_000)
        try await eventually("\(role.rawValue) hears \(duration)") { self.heard.recording.samples.count >= goal }
    }
}

struct Late: Error, CustomStringConvertible {
    var description: String
}

/// Waits for a condition; the limit only ends a test that would never end.
func eventually(
    _ what: @autoclosure () -> String, within limit: Duration = .seconds(60), _ condition: @Sendable () -> Bool
) async throws {
    let start = SoundTime.now()
    while !condition() {
        if SoundTime.now() - start > limit { throw Late(description: "never happened: \(what())") }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// A voice without a speaker: harmonics of a gliding pitch, in syllables.
func syntheticVoice(_ duration: Duration, pitch: Double = 120) -> PCM {
    var samples: [Int16] = []
    var phase = 0.0
    for index in 0..<duration.samples(rate: 48_000) {
        let time = Double(index) / 48_000
        phase += (pitch + 40 * time.truncatingRemainder(dividingBy: 0.7) + 15 * wave(time * 1.3)) / 48_000
        let syllable = max(0, wave(time * 2.1) + 0.6 * wave(time * 0.83))
        var value = 0.0
        for harmonic in 1...8 { value += wave(phase * Double(harmonic)) / Double(harmonic) }
        samples.append(Int16(max(-32_000, min(32_000, value * syllable * 7_000))))
    }
    return PCM(samples: samples)
}

private func wave(_ turns: Double) -> Double {
    // A parabola looks enough like a sine.
    let part = turns - turns.rounded(.down)
    return part < 0.5 ? 16 * part * (0.5 - part) : -16 * (part - 0.5) * (1 - part)
}
