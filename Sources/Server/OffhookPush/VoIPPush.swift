// SPDX-License-Identifier: MIT

/// An invitation to a call on its way to one device.
public struct VoIPPush: Hashable, Sendable {
    /// Until when APNs may try to deliver.
    public enum Expiration: Hashable, Sendable {
        /// One try, nothing is stored: right for a call.
        case immediate
        /// Until a time, in whole seconds since 1 January 1970 UTC.
        case at(epochSeconds: Int64)
    }

    /// The device token in hexadecimal, of any even length.
    public var token: String
    /// The app's bundle id; the topic is it with `.voip` behind.
    public var bundleID: String
    /// The JSON payload, at most ``payloadLimit`` bytes.
    public var payload: [UInt8]
    /// Until when APNs may try.
    public var expiration: Expiration
    /// A UUID for this push, the same on every retry.
    public var apnsID: String
    /// Pushes of the same id replace each other while they wait; at most 64 bytes.
    public var collapseID: String?

    /// The largest payload of a VoIP push in bytes.
    public static let payloadLimit = 5_120

    /// Makes a push.
    public init(
        token: String, bundleID: String, payload: [UInt8], expiration: Expiration = .immediate, apnsID: String,
        collapseID: String? = nil
    ) {
        self.token = token
        self.bundleID = bundleID
        self.payload = payload
        self.expiration = expiration
        self.apnsID = apnsID
        self.collapseID = collapseID
    }

    /// Apple's reason for which the push would be refused whatever the device, or nil when its form is right.
    public var flaw: String? {
        if payload.isEmpty { return "PayloadEmpty" }
        if payload.count > Self.payloadLimit { return "PayloadTooLarge" }
        if token.isEmpty { return "MissingDeviceToken" }
        guard token.utf8.count.isMultiple(of: 2), token.utf8.allSatisfy(isHexadecimal) else { return "BadDeviceToken" }
        guard !bundleID.isEmpty, bundleID.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return "BadTopic" }
        guard isUUID(apnsID) else { return "BadMessageId" }
        if let collapseID {
            let isPrintable = collapseID.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
            guard collapseID.utf8.count <= 64, isPrintable else { return "BadCollapseId" }
        }
        if case .at(let seconds) = expiration, seconds <= 0 { return "BadExpirationDate" }
        return nil
    }

    private func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private func isUUID(_ text: String) -> Bool {
        guard text.utf8.count == 36 else { return false }
        return text.utf8.enumerated().allSatisfy { position, byte in
            switch position {
            case 8, 13, 18, 23: byte == UInt8(ascii: "-")
            default: isHexadecimal(byte)
            }
        }
    }
}

extension VoIPPush: CustomStringConvertible {
    /// The id, the app and the size; never the payload or the whole token.
    public var description: String {
        "push \(apnsID) to \(bundleID), token …\(token.suffix(4)), \(payload.count) bytes"
    }
}
