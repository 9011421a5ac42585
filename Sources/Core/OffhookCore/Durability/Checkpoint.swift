// SPDX-License-Identifier: MIT

/// What must outlive the process: written before a push is completed and before an operation is tried (C8, R81).
///
/// Push tokens, media sessions, audio routes and call requests are not in it.
public struct Checkpoint: Hashable, Sendable, Codable {
    /// Whose it is.
    public var generation: AccountGeneration
    /// When it was taken.
    public var savedAt: Instant
    /// How far the server's clock was ahead of this device's.
    public var serverAhead: TimeSpan = .zero
    /// The calls that lived; after a restart each of them ends (R88).
    public var liveCalls: [LiveCall] = []
    /// The calls that are over, oldest first (R87).
    public var endedCalls: [EndedCall] = []
    /// What the server has to hear, oldest first.
    public var owedSignals: [OwedSignal] = []
    /// The app's operations and their results (R85).
    public var operations = OperationLog()

    /// Makes the checkpoint of a device on which nothing has happened.
    public init(generation: AccountGeneration, savedAt: Instant) {
        self.generation = generation
        self.savedAt = savedAt
    }

    /// A call that had not ended.
    public struct LiveCall: Hashable, Sendable, Codable, Identifiable {
        /// The call's identity.
        public var id: CallID
        /// Who started it.
        public var direction: Call.Direction
        /// Whom it is with.
        public var details: CallDetails
        /// When it came to be on this device.
        public var createdAt: Instant
        /// The last moment in which it may ring; nil once it is answered.
        public var ringUntil: Instant?
        /// When it was answered and won; nil before.
        public var answeredAt: Instant?
        /// When the first remote media came; nil before.
        public var connectedAt: Instant?
        /// Whether CallKit may know of it.
        public var isShown: Bool
        /// Whether the server may know of it.
        public var isKnownToServer: Bool

        /// Makes a call that had not ended.
        public init(
            id: CallID, direction: Call.Direction, details: CallDetails, createdAt: Instant, ringUntil: Instant? = nil,
            answeredAt: Instant? = nil, connectedAt: Instant? = nil, isShown: Bool = true, isKnownToServer: Bool = true
        ) {
            self.id = id
            self.direction = direction
            self.details = details
            self.createdAt = createdAt
            self.ringUntil = ringUntil
            self.answeredAt = answeredAt
            self.connectedAt = connectedAt
            self.isShown = isShown
            self.isKnownToServer = isKnownToServer
        }
    }

    /// A call that is over, so that no late invitation lets it ring (R65, R66, R87).
    public struct EndedCall: Hashable, Sendable, Codable {
        /// The call's identity.
        public var call: CallID
        /// Why it ended.
        public var reason: EndReason
        /// When this device learnt of it.
        public var at: Instant

        /// Makes an ended call.
        public init(_ call: CallID, _ reason: EndReason, at: Instant) {
            self.call = call
            self.reason = reason
            self.at = at
        }
    }
}
