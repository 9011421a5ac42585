// SPDX-License-Identifier: MIT

/// One event of a gateway as JSON, for programs of any language.
///
/// Unlike the lines of a log it has token and payload: it is what a test looks at.
public struct LogEntry: Codable, Hashable, Sendable {
    /// What happened, as one word.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// A sender connected.
        case connected
        /// A sender's connection is over.
        case disconnected
        /// A request arrived whole.
        case requested
        /// A push was accepted with status 200.
        case accepted
        /// A push was refused.
        case refused
        /// A push reached its device.
        case delivered
        /// A push was accepted and thrown away since its expiration had passed.
        case expired
        /// A push waits for a device that is away.
        case stored
        /// A push for a device that is away was thrown away since its expiration is 0.
        case missed
        /// A fault took the place of the gateway's work.
        case faulted
    }

    /// A push, as it was sent.
    public struct Push: Codable, Hashable, Sendable {
        /// `apns-id`.
        public var id: String
        /// `apns-unique-id`, in the development environment alone.
        public var uniqueID: String?
        /// The device token in lower-case hexadecimal.
        public var token: String
        /// `apns-topic`.
        public var topic: String
        /// `apns-push-type`.
        public var type: String
        /// `apns-priority`.
        public var priority: Int
        /// `apns-expiration` in seconds since 1970, 0 for one try; nil: it was absent.
        public var expiration: Int64?
        /// `apns-collapse-id`.
        public var collapseID: String?
        /// The payload's text.
        public var payload: String
    }

    /// Counts the events from 1.
    public var number: Int
    /// When, in milliseconds since 1970 by the gateway's clock.
    public var time: Int64
    /// The connection, counted from 1.
    public var connection: Int
    /// What happened.
    public var kind: Kind
    /// The same in words.
    public var text: String
    /// The request's path.
    public var path: String?
    /// The device token that the event is about.
    public var token: String?
    /// The refusal's HTTP status.
    public var status: Int?
    /// The refusal's reason, in Apple's words.
    public var reason: String?
    /// What exactly is wrong, which Apple does not tell.
    public var explanation: String?
    /// The push.
    public var push: Push?

    init(_ event: GatewayEvent, number: Int) {
        self.number = number
        time = event.time
        connection = event.connection
        text = event.description
        switch event.kind {
        case .connected: kind = .connected
        case .disconnected: kind = .disconnected
        case .requested(let path, _):
            kind = .requested
            self.path = path
            token = path.split(separator: "/").last?.lowercased()
        case .accepted(let delivery): (kind, push) = (.accepted, Push(delivery))
        case .refused(let refusal):
            kind = .refused
            (status, reason, explanation) = (refusal.status, refusal.reason, refusal.explanation)
        case .delivered(let delivery): (kind, push) = (.delivered, Push(delivery))
        case .expired(let delivery): (kind, push) = (.expired, Push(delivery))
        case .stored(let delivery, _): (kind, push) = (.stored, Push(delivery))
        case .missed(let delivery): (kind, push) = (.missed, Push(delivery))
        case .faulted: kind = .faulted
        }
        if let push { token = push.token }
    }
}

extension LogEntry.Push {
    init(_ delivery: Delivery) {
        id = delivery.id
        uniqueID = delivery.uniqueID
        token = delivery.token
        topic = delivery.topic
        type = delivery.pushType
        priority = delivery.priority
        collapseID = delivery.collapseID
        payload = String(decoding: delivery.payload, as: UTF8.self)
        switch delivery.expiration {
        case .unspecified: expiration = nil
        case .immediate: expiration = 0
        case .at(let seconds): expiration = seconds
        }
    }
}
