// SPDX-License-Identifier: MIT

/// An address at which a person can be called.
public struct Handle: Hashable, Sendable, Codable {
    /// What kind of address a handle is; the names are CallKit's.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// A name of the app's own, such as a user name.
        case generic
        /// A phone number.
        case phoneNumber
        /// An e-mail address.
        case emailAddress
    }

    /// The kind of address.
    public var kind: Kind
    /// The address itself, 1 to 256 bytes of UTF-8.
    public var value: String

    /// Makes a handle.
    public init(kind: Kind = .generic, value: String) {
        self.kind = kind
        self.value = value
    }
}

extension Handle: CustomStringConvertible {
    /// The kind of address; never the address, so that no log has it.
    public var description: String { "a handle (\(kind.rawValue))" }
}
