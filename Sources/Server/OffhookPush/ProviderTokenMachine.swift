// SPDX-License-Identifier: MIT

/// Decides when a provider token is made anew, without making any.
///
/// ```
///            needed            signed
///   empty ───────────► signing ───────► ready ──┐ needed after 50 min, or refused as expired after 20 min
///                         ▲                     │
///                         └─────────────────────┘
///   any ── key refused ──► stopped ── a minute later: one try ──► signing or ready
/// ```
/// - Note: APNs takes a token for an hour and refuses a provider that makes two within 20 minutes.
public struct ProviderTokenMachine: Sendable {
    /// A token in use.
    public struct Token: Hashable, Sendable {
        /// The value of the `authorization` field.
        ///
        /// Secret: never log it.
        public let authorization: String
        /// When it was made, by the wall clock in seconds since 1970.
        public let issuedAt: Int64
        /// Counts the tokens from 1; a refusal of an older one says nothing about this one.
        public let generation: Int
    }

    /// What happened.
    public enum Event: Hashable, Sendable {
        /// A push wants to go out.
        case needed
        /// The token that was ordered is there.
        case signed(authorization: String)
        /// APNs refused a generation as too old.
        case expired(generation: Int)
        /// APNs said that a generation came too soon after the one before.
        case tooManyUpdates(generation: Int)
        /// APNs refused the key behind a generation.
        case keyRefused(generation: Int, reason: String)
        /// A push with a generation was taken.
        case accepted(generation: Int)
    }

    /// What to do.
    public enum Effect: Hashable, Sendable {
        /// Send with this token.
        case use(Token)
        /// Sign a token with this `iat`, in seconds since 1970, then say ``Event/signed(authorization:)``.
        case sign(issuedAt: Int64)
        /// Send nothing: the key is refused for this reason until someone repairs it.
        case stop(reason: String)
        /// Send nothing: the token is dead, and another one is not allowed before so many milliseconds.
        case wait(milliseconds: Int64)
        /// Nothing to do.
        case none
    }

    /// How long a token is used, in milliseconds: 50 minutes of the hour that APNs allows.
    public static let useTime: Int64 = 3_000_000
    /// How far two tokens are apart at least, in milliseconds: 20 minutes.
    public static let leastInterval: Int64 = 1_200_000
    /// How long a refused key rests before it is tried once more, in milliseconds: a minute.
    public static let restTime: Int64 = 60_000

    private enum State: Sendable {
        /// No token yet. Leaves to: signing.
        case empty
        /// A token is being made. Leaves to: ready.
        case signing(issuedAt: Int64)
        /// A token is in use. Leaves to: signing.
        case ready(Token, isExpired: Bool)
    }

    private var state = State.empty
    private var generation = 0
    private var signedAt: Int64?
    private var refusal: (reason: String, since: Int64)?

    /// Makes a machine without a token.
    public init() {}

    /// Takes an event and says what to do.
    public mutating func handle(_ event: Event, at now: PushTime) -> Effect {
        switch event {
        case .needed: return needed(at: now)
        case .signed(let authorization):
            guard case .signing(let issuedAt) = state else { return .none }
            generation += 1
            let token = Token(authorization: authorization, issuedAt: issuedAt, generation: generation)
            state = .ready(token, isExpired: false)
            signedAt = now.steady
            return .use(token)
        case .expired(let generation):
            if case .ready(let token, _) = state, token.generation == generation {
                state = .ready(token, isExpired: true)
            }
            return .none
        case .tooManyUpdates(let generation):
            // The present token stays for another 20 minutes at least.
            if generation == self.generation { signedAt = now.steady }
            return .none
        case .keyRefused(let generation, let reason):
            if generation == self.generation { refusal = (reason, now.steady) }
            return .none
        case .accepted(let generation):
            if generation == self.generation { refusal = nil }
            return .none
        }
    }

    private mutating func needed(at now: PushTime) -> Effect {
        if let refusal {
            guard now.steady - refusal.since >= Self.restTime else { return .stop(reason: refusal.reason) }
            // One try a minute: until its answer, the others still see a refused key.
            self.refusal = (refusal.reason, now.steady)
        }
        switch state {
        case .empty: return sign(at: now)
        case .signing: return .none
        case .ready(let token, let isExpired):
            let age = now.wall - token.issuedAt * 1_000
            // A clock that was set back makes the token one of the future, which APNs refuses as well.
            let isStale = isExpired || age >= Self.useTime || age < -60_000
            guard isStale else { return .use(token) }
            let sinceSigning = signedAt.map { now.steady - $0 } ?? Self.leastInterval
            if sinceSigning >= Self.leastInterval { return sign(at: now) }
            guard isExpired else { return .use(token) }
            return .wait(milliseconds: Self.leastInterval - sinceSigning)
        }
    }

    private mutating func sign(at now: PushTime) -> Effect {
        let issuedAt = now.wall / 1_000
        state = .signing(issuedAt: issuedAt)
        return .sign(issuedAt: issuedAt)
    }
}
