// SPDX-License-Identifier: MIT

public import Foundation

/// What an app asks of the keychain; the Security stand-in sends these (R79).
public enum KeychainRequest: Hashable, Sendable, Codable {
    /// SecItemAdd.
    case add(KeychainItemValue)
    /// SecItemCopyMatching; the items come in the order they were added.
    case find(KeychainQueryValue)
    /// SecItemUpdate: writes what the changes set into every item that matches.
    case update(KeychainQueryValue, KeychainChangesValue)
    /// SecItemDelete: every item that matches.
    case delete(KeychainQueryValue)
}

/// A keychain item.
public struct KeychainItemValue: Hashable, Sendable, Codable {
    /// kSecClass, such as `genp` for a generic password.
    public var itemClass: String
    /// The attributes that are strings, by Apple's key: `acct`, `svce`, `srvr`, `labl`, `agrp`, `desc`, `icmt`.
    public var attributes: [String: String]
    /// kSecAttrAccessible, such as `ck` for after first unlock and `ak` for when unlocked, which is the default.
    public var accessible: String
    /// The secret.
    public var data: Data?
    /// kSecAttrGeneric.
    public var generic: Data?

    /// Describes an item.
    public init(
        itemClass: String, attributes: [String: String], accessible: String = "ak", data: Data?, generic: Data? = nil
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.accessible = accessible
        self.data = data
        self.generic = generic
    }
}

/// What keychain items must have to be meant.
public struct KeychainQueryValue: Hashable, Sendable, Codable {
    /// kSecClass.
    public var itemClass: String
    /// The attributes that must be equal.
    public var attributes: [String: String]
    /// kSecAttrAccessible, when asked for.
    public var accessible: String?
    /// kSecAttrGeneric, when asked for.
    public var generic: Data?
    /// Whether the secret is asked for: it may be out of reach while the attributes are not.
    public var wantsData: Bool

    /// Describes a query.
    public init(
        itemClass: String, attributes: [String: String], accessible: String? = nil, generic: Data? = nil,
        wantsData: Bool = false
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.accessible = accessible
        self.generic = generic
        self.wantsData = wantsData
    }
}

/// What SecItemUpdate writes; nil and missing keys stay as they are.
public struct KeychainChangesValue: Hashable, Sendable, Codable {
    /// The attributes to write.
    public var attributes: [String: String]
    /// kSecAttrAccessible.
    public var accessible: String?
    /// The secret.
    public var data: Data?
    /// kSecAttrGeneric.
    public var generic: Data?

    /// Describes changes.
    public init(
        attributes: [String: String] = [:], accessible: String? = nil, data: Data? = nil, generic: Data? = nil
    ) {
        self.attributes = attributes
        self.accessible = accessible
        self.data = data
        self.generic = generic
    }
}
