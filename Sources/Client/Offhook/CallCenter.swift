// SPDX-License-Identifier: MIT

public import OffhookCore
import Dispatch
import Foundation

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
    private let engine: Engine

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

    /// Calls somebody.
    ///
    /// The server takes the call first, then the phone (R42); returns when the phone shows the call. Whether the other
    /// side answers comes through ``calls``.
    ///
    /// Cancelling the task neither ends the wait nor the call; ``end(_:)`` does.
    ///
    /// - Parameters:
    ///   - handle: Whom to call, 1 to 256 bytes.
    ///   - displayName: The name to show; nil lets the phone look the handle up in Contacts.
    ///   - video: Whether to offer video.
    /// - Returns: The call's identity.
    /// - Throws: ``OffhookError``: `busy` during another call, `refusedByServer`, `serverUnreachable`, `refusedByPhone`,
    ///   `notStarted`, `invalidArgument`.
    @discardableResult
    public func startCall(to handle: Handle, displayName: String? = nil, video: Bool = false) async throws -> CallID {
        guard (1...256).contains(handle.value.utf8.count) else {
            throw OffhookError(.invalidArgument, "A handle has 1 to 256 bytes.")
        }
        let call = CallID(UUID())
        let details = CallDetails(handle: handle, displayName: displayName, video: video)
        try await engine.perform(.start(call, details))
        return call
    }

    /// Answers a ringing call, as the user would on the call screen; returns when the call is won.
    ///
    /// - Throws: ``OffhookError``: `callEnded` if it ended or another device was faster, `invalidState`, `callNotFound`.
    public func answer(_ call: CallID) async throws {
        try await engine.perform(.answer(call))
    }

    /// Ends a call in any state: declines one that rings, cancels one that is on its way.
    ///
    /// - Throws: ``OffhookError``: `callNotFound` for a call that never was; a call that is over is no error.
    public func end(_ call: CallID) async throws {
        try await engine.perform(.end(call))
    }

    /// Mutes or unmutes this side, in the app and on the call screen alike (P36).
    ///
    /// - Throws: ``OffhookError``: `mediaNotReady` while it rings, `callNotFound`, `callEnded`.
    public func setMuted(_ muted: Bool, for call: CallID) async throws {
        try await engine.perform(.setMuted(call, muted))
    }

    /// Holds or resumes a call.
    ///
    /// - Throws: ``OffhookError``: `invalidState` before voice flows, `callNotFound`, `callEnded`.
    public func setHeld(_ held: Bool, for call: CallID) async throws {
        try await engine.perform(.setHeld(call, held))
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
