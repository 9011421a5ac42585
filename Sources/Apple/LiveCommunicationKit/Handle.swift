// SPDX-License-Identifier: MIT

import VirtualPhone

/// A person in a conversation: an address, its kind, and a name for who is not in Contacts.
public struct Handle: Hashable, Codable, Sendable {
    /// The kinds of addresses.
    public enum Kind: Int, Hashable, Codable, Sendable {
        /// An address of the app's own, such as a user name.
        case generic = 1
        /// A telephone number.
        case phoneNumber = 2
        /// An e-mail address.
        case emailAddress = 3
    }

    /// The kind of address.
    public var type: Handle.Kind
    /// The name that the phone shows when Contacts has none; the address when the app gave none.
    public var displayName: String
    /// The address.
    public var value: String

    /// Makes a handle; a missing name is the address.
    public init(type: Handle.Kind, value: String, displayName: String?) {
        self.type = type
        self.value = value
        self.displayName = displayName ?? value
    }

    /// Makes a handle without a name.
    public init(type: Handle.Kind, value: String) {
        self.init(type: type, value: value, displayName: nil)
    }
}

extension Handle {
    var boundaryValue: MemberValue {
        MemberValue(
            handle: HandleValue(type: type.rawValue, value: value),
            displayName: displayName == value ? nil : displayName)
    }

    init(_ member: MemberValue) {
        self.init(
            type: Kind(rawValue: member.handle.type) ?? .generic, value: member.handle.value,
            displayName: member.displayName)
    }
}

extension Set<Handle> {
    /// The members in an order that is the same at every time: by address, then by kind.
    var boundaryValues: [MemberValue] {
        sorted { ($0.value, $0.type.rawValue, $0.displayName) < ($1.value, $1.type.rawValue, $1.displayName) }
            .map(\.boundaryValue)
    }
}
