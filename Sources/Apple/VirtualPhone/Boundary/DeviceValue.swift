// SPDX-License-Identifier: MIT

public import Foundation

/// What UIDevice tells about the phone.
public struct DeviceValue: Hashable, Sendable, Codable {
    /// The name of the phone; since iOS 16 the model's name for apps without an entitlement.
    public var name: String
    /// The model, such as `iPhone`.
    public var model: String
    /// The system's version, such as `26.4`.
    public var systemVersion: String
    /// Names the phone for apps of one vendor; the same over launches.
    public var identifierForVendor: UUID?

    /// Describes a device.
    public init(name: String, model: String, systemVersion: String, identifierForVendor: UUID?) {
        self.name = name
        self.model = model
        self.systemVersion = systemVersion
        self.identifierForVendor = identifierForVendor
    }
}

/// An interaction that an app donated (R125).
public struct DonationValue: Hashable, Sendable, Codable {
    /// The intent's type, such as `INStartCallIntent`.
    public var intent: String
    /// INInteractionDirection's raw value: 0 unspecified, 1 outgoing, 2 incoming.
    public var direction: Int
    /// The people's addresses, as the intent has them.
    public var handles: [String]

    /// Describes a donation.
    public init(intent: String, direction: Int, handles: [String]) {
        self.intent = intent
        self.direction = direction
        self.handles = handles
    }
}
