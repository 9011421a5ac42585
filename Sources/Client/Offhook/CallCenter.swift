// SPDX-License-Identifier: MIT

public import OffhookCore
import Dispatch

/// The app's calls: one object, made at launch and kept for the app's life.
///
/// It drives CallKit, PushKit and the audio session by their rules, talks to the server, and drives a media engine. All
/// of its state lives on one serial queue, which CallKit and PushKit call too, so that a push is reported before its
/// callback returns (K3). Every method may be called from any thread.
///
/// ```swift
/// let calls = CallCenter(configuration: configuration, media: engine, transport: transport)
/// calls.start()  // in application(_:didFinishLaunchingWithOptions:)
/// ```
public final class CallCenter: Sendable {
    let engine: Engine

    /// Makes a call center; nothing happens before ``start()``.
    ///
    /// - Parameters:
    ///   - configuration: Server, identity and choices.
    ///   - media: Carries the voice.
    ///   - transport: Carries the signaling.
    ///   - clock: Tells the time; the system's clock unless a test brings its own.
    public init(
        configuration: Configuration, media: any MediaEngine, transport: any SignalTransport,
        clock: any EngineClock = SystemClock()
    ) {
        engine = Engine(configuration: configuration, media: media, transport: transport, clock: clock)
    }

    init(engine: Engine) {
        self.engine = engine
    }

    deinit {
        engine.stop()
    }

    /// Starts calling: the provider and the push registry come to be, and the server is connected.
    ///
    /// Call it at every launch before the launch callback returns, in the foreground or in the background (R8, K1).
    /// A second call does nothing.
    public func start() {
        engine.start()
    }

    /// Stops calling for good: connection and media are closed, and CallKit drops the app's calls.
    public func stop() {
        engine.stop()
    }

    /// Puts a storage that cannot be used aside, and begins a new one with what is in memory.
    ///
    /// Does nothing unless the storage is `damaged`. The bad files stay beside the new ones, under names that end in
    /// `.damaged`.
    ///
    /// - Throws: ``OffhookError``: `notStarted`, and `notStored` when the disk does not take it.
    public func resetStorage() throws(OffhookError) {
        if let failure = engine.resetStorage() { throw OffhookError(failure) }
    }

    /// What this call center can do, at this moment (R13).
    public var capabilities: Capabilities {
        engine.capabilities
    }

    /// The ways for the sound of calls, at this moment (R51).
    public var routes: AudioRoutes {
        engine.onQueue { engine.routes }
    }

    /// The live calls, at this moment.
    public var currentCalls: [Call] {
        engine.currentCalls
    }

    /// The live calls, now and after each change; each access is a new stream that skips states nobody took in time.
    public var calls: AsyncStream<[Call]> {
        engine.makeCalls()
    }

    /// Everything that happens, beginning with the live calls; each access is a new stream.
    ///
    /// A stream keeps 1,000 events for a listener that takes none; then the oldest are lost.
    public var events: AsyncStream<CallEvent> {
        engine.makeEvents()
    }
}
