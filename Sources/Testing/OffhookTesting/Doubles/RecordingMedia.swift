// SPDX-License-Identifier: MIT

public import Offhook
import OffhookNet

/// A media engine that carries nothing: it writes down what it is told, and says what a test makes it say.
public final class RecordingMedia: MediaEngine {
    /// One thing that happened to a session.
    public enum Entry: Hashable, Sendable {
        /// It was made.
        case made(MediaSessionConfiguration.Role)
        /// It got a signal of the other side.
        case received(MediaSignal)
        /// Its audio switch was turned.
        case audioOpen(Bool)
        /// Its mute gate was turned.
        case muted(Bool)
        /// Its hold gate was turned.
        case held(Bool)
        /// It was given tones to send.
        case tones(String)
        /// It was closed.
        case closed
    }

    private struct State {
        var entries: [CallID: [Entry]] = [:]
        var events: [CallID: @Sendable (MediaEvent) -> Void] = [:]
        var failure: MediaFailure?
        var preparations = 0
    }

    private let state = Guarded(State())
    private let negotiates: Bool
    /// What the engine says that it can do.
    public let capabilities: MediaCapabilities

    /// Makes an engine.
    ///
    /// - Parameters:
    ///   - negotiates: Whether its sessions agree with each other by themselves: offer, answer, connected, and remote
    ///     media once the audio switch is open.
    ///   - capabilities: What it says that it can do; voice alone unless given.
    public init(negotiates: Bool = false, capabilities: MediaCapabilities = MediaCapabilities()) {
        self.negotiates = negotiates
        self.capabilities = capabilities
    }

    /// How often ``prepare()`` was called.
    public var preparations: Int { state.withLock { $0.preparations } }

    /// What happened to a call's session, in order.
    public func entries(_ call: CallID) -> [Entry] {
        state.withLock { $0.entries[call] ?? [] }
    }

    /// Lets every session from now on fail to be made; nil ends that.
    public func fail(_ failure: MediaFailure?) {
        state.withLock { $0.failure = failure }
    }

    /// Says something on a session's behalf; nothing if the call has none, or it is closed.
    public func say(_ event: MediaEvent, for call: CallID) {
        state.withLock { $0.events[call] }?(event)
    }

    /// Counts the call.
    public func prepare() async throws {
        state.withLock { $0.preparations += 1 }
    }

    /// Makes a session that writes down what it is told.
    public func makeSession(
        _ configuration: MediaSessionConfiguration, events: @escaping @Sendable (MediaEvent) -> Void
    ) throws -> any MediaSession {
        let failure = state.withLock { state in
            if state.failure == nil {
                state.entries[configuration.call, default: []].append(.made(configuration.role))
                state.events[configuration.call] = events
            }
            return state.failure
        }
        if let failure { throw failure }
        if negotiates, configuration.role == .offerer { events(.signal(MediaSignal(kind: .offer, body: "offer"))) }
        return RecordingSession(engine: self, call: configuration.call)
    }

    fileprivate func record(_ entry: Entry, _ call: CallID) {
        let events = state.withLock { state in
            state.entries[call, default: []].append(entry)
            defer { if entry == .closed { state.events[call] = nil } }
            return state.events[call]
        }
        guard negotiates, let events else { return }
        switch entry {
        case .received(let signal) where signal.kind == .offer:
            events(.signal(MediaSignal(kind: .answer, body: "answer")))
            events(.connected)
            hear(call, events)
        case .received(let signal) where signal.kind == .answer:
            events(.connected)
            hear(call, events)
        case .audioOpen(true):
            hear(call, events)
        case .made, .received, .audioOpen, .muted, .held, .tones, .closed:
            break
        }
    }

    /// Remote media comes once both sides agree and the switch is open.
    private func hear(_ call: CallID, _ events: @Sendable (MediaEvent) -> Void) {
        let entries = entries(call)
        let agreed = entries.contains { entry in
            if case .received(let signal) = entry { signal.kind != .candidate } else { false }
        }
        if agreed, entries.last(where: { $0 == .audioOpen(true) || $0 == .audioOpen(false) }) == .audioOpen(true) {
            events(.remoteMedia)
        }
    }
}

private final class RecordingSession: MediaSession {
    private let engine: RecordingMedia
    private let call: CallID

    init(engine: RecordingMedia, call: CallID) {
        self.engine = engine
        self.call = call
    }

    func receive(_ signal: MediaSignal) { engine.record(.received(signal), call) }
    func setAudioOpen(_ open: Bool) { engine.record(.audioOpen(open), call) }
    func setMuted(_ muted: Bool) { engine.record(.muted(muted), call) }
    func setHeld(_ held: Bool) { engine.record(.held(held), call) }
    func playTones(_ tones: String) { engine.record(.tones(tones), call) }
    func close() { engine.record(.closed, call) }
}
