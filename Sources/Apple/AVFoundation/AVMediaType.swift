// SPDX-License-Identifier: MIT

/// A kind of media, by its identifier of four characters.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
    /// The identifier.
    public let rawValue: String

    /// Makes a kind from its identifier.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Sound: the microphone.
    public static let audio = AVMediaType(rawValue: "soun")
    /// Pictures: the camera, which the virtual phone does not have.
    public static let video = AVMediaType(rawValue: "vide")
}

/// Whether an app may capture a kind of media.
public enum AVAuthorizationStatus: Int, Sendable {
    /// The user was not asked.
    case notDetermined = 0
    /// The user cannot decide.
    case restricted = 1
    /// The user refused.
    case denied = 2
    /// The user agreed.
    case authorized = 3
}
