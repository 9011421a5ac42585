// SPDX-License-Identifier: MIT

/// What the gateway knows of device tokens.
struct DeviceRegistry {
    struct Device {
        let bundleID: String
        let environment: APNsEnvironment
        let kind: DeviceTokenKind
        let deliver: @Sendable (Delivery) -> Void
        var dead: (reason: DeadTokenReason, since: Int64)?
        var isAway = false
        var stored: Stored?
    }

    /// The one push that waits for a device that is away.
    struct Stored {
        let delivery: Delivery
        let connection: Int
        /// Milliseconds since 1970 from which on it is worth nothing.
        let until: Int64
    }

    /// How long a push without an expiration is kept, in milliseconds: 30 days.
    private static let longestStorage: Int64 = 2_592_000_000

    /// What became of a push that was accepted.
    enum Arrival {
        /// The device gets it now.
        case deliver(@Sendable (Delivery) -> Void)
        /// It waits for the device.
        case stored(replacing: String?)
        /// The device is away, and the push was for this moment alone.
        case missed
        /// Nobody registered the token.
        case nobody
    }

    private(set) var devices: [String: Device] = [:]

    mutating func register(_ token: String, _ device: Device) {
        devices[token.lowercased()] = device
    }

    mutating func retire(_ token: String, reason: DeadTokenReason, since: Int64) {
        devices[token.lowercased()]?.dead = (reason, since)
    }

    /// Hands a push to its device, or keeps it: one a device and app, the latest (Apple's storage policy).
    mutating func arrive(_ delivery: Delivery, connection: Int, at now: Int64) -> Arrival {
        guard let device = devices[delivery.token] else { return .nobody }
        guard device.isAway else { return .deliver(device.deliver) }
        let until: Int64
        switch delivery.expiration {
        case .immediate: return .missed
        case .unspecified: until = now + Self.longestStorage
        case .at(let seconds): until = min(seconds * 1_000, now + Self.longestStorage)
        }
        devices[delivery.token]?.stored = Stored(delivery: delivery, connection: connection, until: until)
        return .stored(replacing: device.stored?.delivery.id)
    }

    /// Lets a device go away or come back; what waited for it comes out.
    mutating func setAway(_ isAway: Bool, _ token: String) -> Stored? {
        let token = token.lowercased()
        devices[token]?.isAway = isAway
        guard !isAway, let stored = devices[token]?.stored else { return nil }
        devices[token]?.stored = nil
        return stored
    }

    mutating func forget(_ token: String) {
        devices[token.lowercased()] = nil
    }
}

/// What a device token was given out for; PushKit's and the ordinary one of an app differ.
public enum DeviceTokenKind: Hashable, Sendable {
    /// PushKit's token of type VoIP; its topic is `<bundle>.voip`.
    case voip
    /// The token for ordinary notifications; its topic is the bundle id.
    case notification
}

/// Why a device token is dead, in Apple's words.
public enum DeadTokenReason: String, Hashable, Sendable {
    /// The app was deleted or the token withdrawn.
    case unregistered = "Unregistered"
    /// The token was replaced.
    case expired = "ExpiredToken"
}
