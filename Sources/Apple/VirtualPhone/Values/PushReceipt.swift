// SPDX-License-Identifier: MIT

public import Foundation

/// What became of a push that APNs handed to the phone.
public enum PushReceipt: Hashable, Sendable, Codable {
    /// Handed to the app's registry.
    case delivered(push: UUID)
    /// Waits for a registry: the app is being launched, or has none yet (K1, K4).
    case waiting(push: UUID)
    /// Kept until it can be delivered: airplane mode, before the first unlock, or a fault that delays it (K10, DTS6).
    ///
    /// ``VirtualPhone/receipt(of:)`` says later what became of it.
    case kept(push: UUID)
    /// Dropped in silence; APNs has said 200.
    ///
    /// After too many reporting failures (K9), past its expiration (K10), replaced by a newer one while the phone could
    /// not be reached, or gone with its app.
    case dropped
    /// No app of this phone has the token, or it was removed.
    case unknownToken
    /// APNs would not have taken it; the app gets nothing.
    case refused(PushRefusal)

    /// Names the delivery; nil when there is none.
    public var push: UUID? {
        switch self {
        case .delivered(let push), .waiting(let push), .kept(let push): return push
        case .dropped, .unknownToken, .refused: return nil
        }
    }
}

/// Why APNs would refuse a payload.
public enum PushRefusal: String, Error, Hashable, Sendable, Codable {
    /// There is none (`PayloadEmpty`).
    case empty
    /// It has more bytes than a push of its kind may have: 5,120 for VoIP, 4,096 else (`PayloadTooLarge`).
    case tooLarge
    /// It is no JSON object in UTF-8: an array, a string, a number, null, or no JSON at all.
    case notAnObject
    /// Its arrays and objects are nested more than 512 deep, which Foundation does not read.
    case tooDeep
}
