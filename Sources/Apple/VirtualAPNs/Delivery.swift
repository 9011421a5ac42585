// SPDX-License-Identifier: MIT

/// A push that the gateway accepted, on its way to a device.
public struct Delivery: Hashable, Sendable {
    /// When APNs stops trying.
    public enum Expiration: Hashable, Sendable {
        /// The field is absent: APNs stores the push by its own policy.
        case unspecified
        /// 0: one try, nothing is stored.
        case immediate
        /// Seconds since 1 January 1970 UTC.
        case at(seconds: Int64)
    }

    /// The push's id (`apns-id`), as given by the sender or made by the gateway.
    public var id: String
    /// The gateway's own id (`apns-unique-id`), in the development environment alone.
    public var uniqueID: String?
    /// The device token in lower-case hexadecimal.
    public var token: String
    /// The topic, such as `com.example.app.voip`.
    public var topic: String
    /// The push type, such as `voip`.
    public var pushType: String
    /// The payload exactly as it was sent.
    public var payload: [UInt8]
    /// 10, 5 or 1.
    public var priority: Int
    /// When APNs stops trying.
    public var expiration: Expiration
    /// The collapse id, at most 64 bytes.
    public var collapseID: String?

    /// The app's bundle id: the topic without the suffix of its push type.
    public var bundleID: String {
        topic.hasSuffix(".voip") ? String(topic.dropLast(5)) : topic
    }
}

extension Delivery: CustomStringConvertible {
    /// The id, the type and the size; never the payload or the token.
    public var description: String {
        "push \(id) (\(pushType), \(payload.count) bytes)"
    }
}

/// A push that the gateway refused.
public struct Refusal: Hashable, Sendable, CustomStringConvertible {
    /// The HTTP status.
    public var status: Int
    /// Apple's reason, such as `BadDeviceToken`.
    public var reason: String
    /// What exactly is wrong, for the developer; Apple does not tell.
    public var explanation: String
    /// The push's id that goes back to the sender.
    public var id: String
    /// With status 410: since when the token is dead, in milliseconds since 1970.
    public var tokenInvalidSince: Int64?

    /// Status, reason and explanation.
    public var description: String {
        "\(status) \(reason): \(explanation)"
    }
}
