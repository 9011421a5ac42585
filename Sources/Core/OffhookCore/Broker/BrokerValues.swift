// SPDX-License-Identifier: MIT

/// One device of one user, as the server proved it.
public struct BrokerParty: Hashable, Sendable, Codable {
    /// The user's id.
    public var user: String
    /// The device's id, unique within the user.
    public var device: String

    /// Makes a party.
    public init(user: String, device: String) {
        self.user = user
        self.device = device
    }
}

/// How long things may take on the server.
public struct BrokerSettings: Hashable, Sendable, Codable {
    /// How long the caller may be away while it rings before the call counts as cancelled; 10 s unless given.
    public var callerGrace: TimeSpan
    /// How long a side may be away in a call before the call ends as failed; 30 s unless given.
    public var callGrace: TimeSpan
    /// How long a connected device may stay silent before it is also woken by push; 2 s unless given.
    public var pushAfter: TimeSpan

    /// Makes settings.
    public init(
        callerGrace: TimeSpan = .seconds(10), callGrace: TimeSpan = .seconds(30), pushAfter: TimeSpan = .seconds(2)
    ) {
        self.callerGrace = callerGrace
        self.callGrace = callGrace
        self.pushAfter = pushAfter
    }

    /// How long a call rings unless the server is told otherwise.
    public static let ringDuration = TimeSpan.seconds(45)
}

/// A device of the callee and how it can be reached now.
public struct BrokerTarget: Hashable, Sendable, Codable {
    /// The device's id.
    public var device: String
    /// Whether it has a live connection.
    public var connected: Bool
    /// Whether it has a VoIP push token.
    public var pushable: Bool

    /// Makes a target.
    public init(device: String, connected: Bool, pushable: Bool) {
        self.device = device
        self.connected = connected
        self.pushable = pushable
    }
}

/// The call on one device of the callee.
public struct BrokerLeg: Hashable, Sendable, Codable {
    /// How far the offer got on a device.
    public enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// A push is on its way to APNs.
        case waking
        /// Sent over the connection, or accepted by APNs: which is neither delivered nor rung.
        case offered
        /// The phone shows the call.
        case ringing
        /// The device is in another call.
        case busy
        /// No connection, and APNs did not take the push; or the phone could not show the call.
        case unreachable
    }

    /// The device's id.
    public var device: String
    /// How far the offer got.
    public var state: State
    /// When to wake the device by push if it is silent until then; nil when it was pushed or cannot be.
    public var pushAt: Instant?

    /// Makes a leg.
    public init(device: String, state: State, pushAt: Instant? = nil) {
        self.device = device
        self.state = state
        self.pushAt = pushAt
    }

    /// Whether the device can still answer of itself.
    public var isOpen: Bool {
        switch state {
        case .waking, .offered, .ringing: true
        case .busy, .unreachable: false
        }
    }
}

/// When what happened in a call.
///
/// Nil: not yet, or never. Answered is not connected (R103).
public struct BrokerMilestones: Hashable, Sendable, Codable {
    /// The server took the call.
    public var createdAt: Instant
    /// The first device showed it.
    public var rangAt: Instant?
    /// A device answered.
    public var answeredAt: Instant?
    /// Media was heard first.
    public var connectedAt: Instant?
    /// The call was over.
    public var endedAt: Instant?

    /// Makes the milestones of a new call.
    public init(createdAt: Instant) {
        self.createdAt = createdAt
    }
}

/// How a call ended, as the server decided it.
public struct BrokerEnd: Hashable, Sendable, Codable {
    /// What ended a call.
    public enum Cause: Hashable, Sendable, Codable {
        /// The caller gave up, or stayed away for longer than the grace.
        case callerCancelled
        /// A device of the callee declined for all of them.
        case declined(device: String)
        /// Nobody answered before the deadline.
        case unanswered
        /// Every device that could be reached was in another call.
        case busy
        /// No device could be reached.
        case unreachable
        /// One side ended the answered call.
        case hungUp(byCaller: Bool, failed: Bool)
        /// A side stayed away for longer than the grace.
        case lost(caller: Bool)
        /// The same two called each other anew (race 9).
        case replaced
    }

    /// What ended it.
    public var cause: Cause
    /// The device that had answered.
    public var winner: String?

    /// Makes an end.
    public init(cause: Cause, winner: String? = nil) {
        self.cause = cause
        self.winner = winner
    }

    /// The reason as one device sees it.
    public func reason(forCaller: Bool, device: String) -> EndReason {
        if !forCaller, let winner, winner != device { return .answeredElsewhere }
        switch cause {
        case .callerCancelled: return .callerCancelled
        case .declined(let decliner): return forCaller || decliner == device ? .declined : .declinedElsewhere
        case .unanswered: return .unanswered
        case .busy: return .busy
        case .unreachable: return .unreachable
        case .hungUp(let byCaller, let failed):
            if failed { return .failed }
            return byCaller == forCaller ? .localHangup : .remoteEnded
        case .lost: return .failed
        case .replaced: return .remoteEnded
        }
    }

    /// The decision to note for this end.
    var decision: BrokerDecision {
        switch cause {
        case .callerCancelled: .cancelled
        case .declined: .declined
        case .unanswered: .timedOut
        case .busy: .allBusy
        case .unreachable: .unreachable
        case .hungUp: .hungUp
        case .lost: .lost
        case .replaced: .replaced
        }
    }
}
