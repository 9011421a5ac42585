// SPDX-License-Identifier: MIT

public import OffhookCore

/// A message from a device to the server; idempotent by its id.
public struct ClientMessage: Hashable, Sendable {
    /// The client's message id, 1 to 64 bytes of ASCII, unique per device; a repeat gets the first result.
    public var id: String
    /// What the device says.
    public var body: Body

    /// Makes a message.
    public init(id: String, body: Body) {
        self.id = id
        self.body = body
    }

    /// What a device can say.
    public enum Body: Hashable, Sendable {
        /// First message of a connection: who the device is and from where to resume.
        case hello(Hello)
        /// Stores the device's VoIP push token.
        case register(PushRegistration)
        /// Removes the device's VoIP push token.
        case unregister
        /// Starts a call to a user.
        case invite(call: CallID, to: Handle, video: Bool)
        /// The phone shows the call.
        case ringing(call: CallID)
        /// Claims the call; the first claim wins.
        case answer(call: CallID)
        /// Refuses the call on all devices of the user.
        case decline(call: CallID)
        /// This device is in another call; others ring on.
        case busy(call: CallID)
        /// The caller gives up before an answer.
        case cancel(call: CallID)
        /// Ends an answered call.
        case hangup(call: CallID, reason: EndReason)
        /// Passes a media signal to the other side.
        case media(call: CallID, signal: MediaSignal)
        /// Remote media is heard: the record's connected time.
        case connected(call: CallID)
        /// Tells the other side about hold, mute or video.
        case update(call: CallID, update: CallUpdate)
        /// Everything up to this sequence number has been handled.
        case ack(sequence: Int)
    }
}

/// Who a device is and from where it resumes.
public struct Hello: Hashable, Sendable, Codable {
    /// The device's stable id, 1 to 64 bytes.
    public var device: String
    /// The session to resume, from an earlier welcome.
    public var session: String?
    /// The last sequence number handled in that session.
    public var sequence: Int?
    /// Calls whose state the device wants to know, such as the one it was woken for.
    public var calls: [CallID]

    /// Makes a hello.
    public init(device: String, session: String? = nil, sequence: Int? = nil, calls: [CallID] = []) {
        self.device = device
        self.session = session
        self.sequence = sequence
        self.calls = calls
    }
}

/// A device's VoIP push token.
public struct PushRegistration: Hashable, Sendable, Codable {
    /// Which of APNs' two environments issued the token.
    public enum Environment: String, Hashable, Sendable, Codable, CaseIterable {
        /// Builds from Xcode.
        case development
        /// TestFlight and the App Store.
        case production
    }

    /// The token in hexadecimal, of any length up to 256 digits.
    public var token: String
    /// The environment that issued it.
    public var environment: Environment
    /// The app's bundle id; the push topic is `<bundle>.voip`.
    public var bundle: String

    /// Makes a registration.
    public init(token: String, environment: Environment, bundle: String) {
        self.token = token
        self.environment = environment
        self.bundle = bundle
    }
}

/// A change within a call that the other side should know; nil means unchanged.
public struct CallUpdate: Hashable, Sendable, Codable {
    /// Whether the sender holds the call.
    public var held: Bool?
    /// Whether the sender's microphone is muted.
    public var muted: Bool?
    /// Whether the sender shows video.
    public var video: Bool?

    /// Makes an update.
    public init(held: Bool? = nil, muted: Bool? = nil, video: Bool? = nil) {
        self.held = held
        self.muted = muted
        self.video = video
    }
}

extension PushRegistration: CustomStringConvertible {
    /// Environment and bundle, and the token's last digits.
    public var description: String { "token …\(token.suffix(4)) of \(bundle), \(environment.rawValue)" }
}

extension Hello: CustomStringConvertible {
    /// Whether the device resumes and what it asks; never the session, which is a secret.
    public var description: String {
        "hello, \(session == nil ? "new" : "resumes after \(sequence ?? 0)"), asks for \(calls.count) calls"
    }
}
