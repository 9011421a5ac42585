// SPDX-License-Identifier: MIT

public import OffhookNet

/// Sends VoIP pushes to APNs over one connection, with one provider token for all of them.
///
/// A push that certainly was not looked at, or whose answer was lost, is sent again with the same id until its time is
/// over; the device drops the second of two. Whatever the answer, it comes as a ``PushOutcome``, never as an error.
///
/// - Isolation: any thread
public final class PushSender: Sendable {
    /// What bounds the sender.
    public struct Limits: Sendable {
        /// How long one request may take before it counts as lost and its connection as dead.
        public var requestTimeout: Duration = .seconds(5)
        /// How long DNS, TCP and TLS may take together.
        public var connectTimeout: Duration = .seconds(5)
        /// How often one push is sent at most.
        public var attempts = 8
        /// How many pushes may wait for a connection; one more is unreachable at once.
        public var waitingPushes = 10_000
        /// How long the connection may be silent before a PING asks whether it is alive.
        public var pingInterval: Duration = .seconds(60)

        /// Makes the usual limits.
        public init() {}
    }

    /// What a sender is made of.
    public struct Configuration: Sendable {
        /// Where pushes go.
        public var endpoint: PushEndpoint
        /// The key that signs.
        public var credentials: PushCredentials
        /// What bounds the sender.
        public var limits = Limits()
        /// The clocks; another one in tests of the token's age.
        public var clock: @Sendable () -> PushTime = PushTime.now
        /// Told what happens to connections and tokens, on the sender's thread; for logs and alerts.
        public var onEvent: (@Sendable (PushEvent) -> Void)?

        /// Makes a configuration with the usual limits.
        public init(endpoint: PushEndpoint, credentials: PushCredentials) {
            self.endpoint = endpoint
            self.credentials = credentials
        }
    }

    private let loop: EventLoop
    private let desk: PushDesk

    /// Makes a sender.
    ///
    /// It connects with its first push, not before.
    ///
    /// - Parameter configuration: What the sender is made of.
    /// - Throws: A ``NetError`` when the trusted roots are no certificates or the system has no thread left.
    public init(configuration: Configuration) throws(NetError) {
        let tls = try TLSContext.client(roots: configuration.endpoint.roots, alpn: ["h2"])
        loop = try EventLoop(name: "push-sender")
        desk = PushDesk(loop: loop, configuration: configuration, tls: tls)
    }

    deinit {
        stop()
    }

    /// Sends a push and waits for what became of it.
    ///
    /// - Parameters:
    ///   - push: The push. A wrong form, such as a payload of more than 5,120 bytes, is rejected without sending.
    ///   - deadline: How long the sender may try, from now on: no longer than the call rings.
    /// - Returns: What APNs said, or that it could not be asked in time. Cancelling the task does not end the wait.
    public func send(_ push: VoIPPush, deadline: Duration = .seconds(20)) async -> PushOutcome {
        if let flaw = push.flaw {
            return .rejected(reason: flaw, reaction: .to(status: 400, reason: flaw), tokenInvalidSince: nil)
        }
        return await withCheckedContinuation { continuation in
            let pending = PendingPush(push, deadline: .now + deadline) { continuation.resume(returning: $0) }
            let isTaken = loop.execute { [desk] in desk.start(pending) }
            if !isTaken { pending.finish(.unreachable(why: "the push sender is stopped")) }
        }
    }

    /// Ends every push that is under way as unreachable, closes the connection and ends the sender's thread.
    public func stop() {
        loop.execute { [desk] in desk.stop() }
        loop.stop()
    }
}

/// Something that happened to a sender as a whole.
public enum PushEvent: Hashable, Sendable {
    /// A connection is being opened; the number counts them.
    case connecting(Int)
    /// A connection works.
    case connected(Int)
    /// The gateway goes away, with its reason when it gave one.
    case goneAway(Int, reason: String?)
    /// A connection is over; nil: it was wanted.
    case disconnected(Int, why: String?)
    /// The gateway allows another number of pushes at a time.
    case streamLimit(Int, Int)
    /// A push is sent again.
    case retrying(apnsID: String, why: String)
    /// The key is refused with Apple's reason: an operator must look.
    case credentialRefused(reason: String)
    /// A refusal that points to a wrong set-up or to a bug: an operator must look.
    case needsAttention(reason: String, PushReaction)
}
