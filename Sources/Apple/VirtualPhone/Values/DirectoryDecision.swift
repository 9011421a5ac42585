// SPDX-License-Identifier: MIT

/// What the phone knows of a caller before it rings (D9, R113).
public enum DirectoryDecision: Hashable, Sendable, Codable {
    /// Does not ring: the caller is on the user's own block list (I4).
    case blockedByUser
    /// Does not ring: an enabled Call Directory extension blocks the number.
    case blocked(extensionIdentifier: String)
    /// Rings, and shows the name of the user's contact.
    case contact(name: String)
    /// Rings, and shows the label that an enabled Call Directory extension has for the number.
    case identified(label: String, extensionIdentifier: String)
    /// Rings, and shows the number: nobody knows it.
    case unknown

    /// Whether the call does not ring.
    public var isBlocked: Bool {
        switch self {
        case .blockedByUser, .blocked: true
        case .contact, .identified, .unknown: false
        }
    }

    /// What is shown instead of the number; nil when nothing is known.
    public var name: String? {
        switch self {
        case .contact(let name), .identified(let name, _): name
        case .blockedByUser, .blocked, .unknown: nil
        }
    }
}

/// What kind of caller the Call Directory is asked about (I9).
public enum DirectoryCaller: String, Hashable, Sendable, Codable {
    /// A caller of the mobile network.
    case cellular
    /// A caller of a calling app: matched only where the phone's settings say so (I9).
    case voip
}
