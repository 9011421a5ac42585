// SPDX-License-Identifier: MIT

/// How a push ended.
public enum PushOutcome: Hashable, Sendable {
    /// APNs took the push under this id. Whether the phone rings, the device alone can tell.
    case accepted(id: String)
    /// APNs refused the push, or would have; what to do about it, and with 410 since when the token is dead (ms, 1970).
    case rejected(reason: String, reaction: PushReaction, tokenInvalidSince: Int64?)
    /// APNs could not be asked in time, or its answer never came.
    case unreachable(why: String)
}

/// What a refusal means for the token, the key and the sender.
///
/// The sender itself does what concerns connections and provider tokens; the rest is for its caller.
public enum PushReaction: Hashable, Sendable, CaseIterable {
    /// The token is wrong or of the other environment: probe that once when it is in doubt, else drop the token.
    case checkToken
    /// The token belongs to another app or topic: set it aside, tell the operator.
    case quarantineToken
    /// Delete the token, but only if it was registered before the given time and is still the same.
    case deleteToken
    /// Too many pushes for this one device: leave it alone for a while.
    case backOffToken
    /// Topic or key are set up wrongly: tell the operator, keep the token, send nothing again.
    case fixConfiguration
    /// The request was wrong in itself: a bug here; keep the token, send nothing again.
    case fixSender
    /// The provider token is too old: make another one, once, on a new connection.
    case renewProviderToken
    /// The key is refused: stop using it, tell the operator, keep the device tokens.
    case stopCredential
    /// The connection is bound to another team or key: open a new one, check which key serves which topic.
    case changeConnection
    /// The provider token was changed too often: keep the present one for 20 minutes, on a new connection.
    case freezeProviderToken
    /// The gateway or the connection goes away: try again at once on a new connection.
    case reconnect
    /// The gateway failed: try again soon, while the call still rings.
    case retrySoon
    /// A reason nobody knows yet: tell the operator, keep the token, send nothing again.
    case reportUnknown

    /// The reaction to a status and a reason other than 200.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - reason: Apple's word in the answer's body; nil when there is none that can be read.
    /// - Returns: The reaction; an unknown reason falls back on the status.
    public static func to(status: Int, reason: String?) -> PushReaction {
        switch reason {
        case "BadDeviceToken": .checkToken
        case "DeviceTokenNotForTopic": .quarantineToken
        case "Unregistered", "ExpiredToken": .deleteToken
        case "TooManyRequests": .backOffToken
        case "MissingTopic", "BadTopic", "TopicDisallowed", "BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken",
            "BadCertificate", "BadCertificateEnvironment":
            .fixConfiguration
        case "BadCollapseId", "BadExpirationDate", "BadMessageId", "BadPriority", "InvalidPushType",
            "DuplicateHeaders", "PayloadEmpty", "PayloadTooLarge", "MissingDeviceToken", "BadPath",
            "MethodNotAllowed":
            .fixSender
        case "ExpiredProviderToken": .renewProviderToken
        case "InvalidProviderToken", "MissingProviderToken", "Forbidden": .stopCredential
        case "UnrelatedKeyIdInToken": .changeConnection
        case "TooManyProviderTokenUpdates": .freezeProviderToken
        case "IdleTimeout", "ServiceUnavailable", "Shutdown": .reconnect
        case "InternalServerError": .retrySoon
        default: to(status: status)
        }
    }

    private static func to(status: Int) -> PushReaction {
        switch status {
        case 404, 405, 413: .fixSender
        case 410: .deleteToken
        case 429: .backOffToken
        case 503: .reconnect
        case 500...: .retrySoon
        default: .reportUnknown
        }
    }

    /// Whether the same push may be sent again by the sender itself, while its time is not over.
    public var isRetried: Bool {
        switch self {
        case .renewProviderToken, .changeConnection, .freezeProviderToken, .reconnect, .retrySoon: true
        case .checkToken, .quarantineToken, .deleteToken, .backOffToken, .fixConfiguration, .fixSender,
            .stopCredential, .reportUnknown:
            false
        }
    }
}
