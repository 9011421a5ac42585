// SPDX-License-Identifier: MIT

public import OffhookCore

/// A message from the server to a device.
public struct ServerMessage: Hashable, Sendable {
    /// Position in the session's stream, from 1; nil for welcome, ack and error, which are not replayed.
    public var sequence: Int?
    /// What the server says.
    public var body: Body

    /// Makes a message.
    public init(sequence: Int? = nil, body: Body) {
        self.sequence = sequence
        self.body = body
    }

    /// What the server can say.
    public enum Body: Hashable, Sendable {
        /// Answers hello: the session, and the calls the device must know.
        case welcome(Welcome)
        /// Answers a client message that succeeded.
        case ack(replyTo: String)
        /// Answers a client message that failed, or names a fault of the connection.
        case error(WireFailure)
        /// Offers a call.
        case invited(Invitation)
        /// A device of the callee shows the call.
        case ringing(call: CallID)
        /// The call is answered; sent to the caller and to the device that won.
        case answered(call: CallID)
        /// The device's own call goes on in another one, which the other side had made first; it is answered (race 7).
        case joined(call: CallID, into: CallID)
        /// The call is over for this device.
        case ended(call: CallID, reason: EndReason)
        /// A media signal of the other side.
        case media(call: CallID, signal: MediaSignal)
        /// A change the other side made.
        case update(call: CallID, update: CallUpdate)
    }
}

/// The server's answer to hello.
public struct Welcome: Hashable, Sendable, Codable {
    /// The session's id, for the next hello.
    public var session: String
    /// True when the stream goes on after the sequence number asked for; false: `calls` is the whole truth.
    public var resumed: Bool
    /// The user that the token proved.
    public var user: String
    /// The server's clock.
    public var now: Instant
    /// Calls of this user that live, and those asked for in hello.
    public var calls: [CallSnapshot]

    /// Makes a welcome.
    public init(session: String, resumed: Bool, user: String, now: Instant, calls: [CallSnapshot]) {
        self.session = session
        self.resumed = resumed
        self.user = user
        self.now = now
        self.calls = calls
    }
}

/// A call's state for one device.
public struct CallSnapshot: Hashable, Sendable, Codable {
    /// Where a call is.
    public enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// Offered, not answered.
        case ringing
        /// Answered by this device, or by the callee of this device's call.
        case answered
        /// Over; `reason` says why.
        case ended
        /// Not known to the server, or not this user's: both look alike.
        case unknown
    }

    /// The call.
    public var call: CallID
    /// Where it is.
    public var state: State
    /// Whether this user made the call.
    public var outgoing: Bool
    /// Why it ended, when it has.
    public var reason: EndReason?
    /// The offer, when this user is called and it still rings.
    public var invitation: Invitation?

    /// Makes a snapshot.
    public init(
        call: CallID, state: State, outgoing: Bool, reason: EndReason? = nil, invitation: Invitation? = nil
    ) {
        self.call = call
        self.state = state
        self.outgoing = outgoing
        self.reason = reason
        self.invitation = invitation
    }
}

/// A fault the server reports to a device.
public struct WireFailure: Hashable, Sendable, Codable {
    /// A fault's kind; new kinds may come, so it is a string with known values.
    public struct Code: Hashable, Sendable, Codable, RawRepresentable {
        /// The code on the wire.
        public var rawValue: String
        /// Makes a code, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The frame is no JSON, or not of this protocol.
        public static let malformed = Code(rawValue: "malformed")
        /// The protocol version is not spoken here.
        public static let unsupportedVersion = Code(rawValue: "unsupportedVersion")
        /// The token is missing, wrong or expired.
        public static let unauthorized = Code(rawValue: "unauthorized")
        /// The call does not exist, or is not this user's (race 25).
        public static let unknownCall = Code(rawValue: "unknownCall")
        /// No such user.
        public static let unknownUser = Code(rawValue: "unknownUser")
        /// The call is not in a state for this.
        public static let invalidState = Code(rawValue: "invalidState")
        /// The same id came before with another content.
        public static let conflict = Code(rawValue: "conflict")
        /// Too much, too fast or too large.
        public static let limitExceeded = Code(rawValue: "limitExceeded")
        /// The server failed; the same message may be sent again.
        public static let `internal` = Code(rawValue: "internal")
    }

    /// What kind of fault.
    public var code: Code
    /// For people; never names, handles or tokens.
    public var message: String
    /// Whether the same message may be sent again.
    public var retryable: Bool
    /// The client message this answers.
    public var replyTo: String?
    /// The call it is about.
    public var call: CallID?

    /// Makes a failure.
    public init(
        code: Code, message: String, retryable: Bool = false, replyTo: String? = nil, call: CallID? = nil
    ) {
        self.code = code
        self.message = message
        self.retryable = retryable
        self.replyTo = replyTo
        self.call = call
    }
}

extension Welcome: CustomStringConvertible {
    /// Whether the session was resumed and how many calls there are; never user or session.
    public var description: String { "welcome, \(resumed ? "resumed" : "new"), \(calls.count) calls" }
}
