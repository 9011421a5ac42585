// SPDX-License-Identifier: MIT

/// What the gateway knows of device tokens.
struct DeviceRegistry {
    struct Device {
        let bundleID: String
        let environment: APNsEnvironment
        let kind: DeviceTokenKind
        let deliver: @Sendable (Delivery) -> Void
        var dead: (reason: DeadTokenReason, since: Int64)?
    }

    private(set) var devices: [String: Device] = [:]

    mutating func register(_ token: String, _ device: Device) {
        devices[token.lowercased()] = device
    }

    mutating func retire(_ token: String, reason: DeadTokenReason, since: Int64) {
        devices[token.lowercased()]?.dead = (reason, since)
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
