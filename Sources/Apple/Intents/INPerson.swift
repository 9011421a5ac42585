// SPDX-License-Identifier: MIT

public import Foundation

/// What kind of address an ``INPersonHandle`` is.
public enum INPersonHandleType: Int, Sendable {
    /// Not said; what an app's own identifiers are.
    case unknown = 0
    /// An e-mail address.
    case emailAddress = 1
    /// A phone number.
    case phoneNumber = 2
}

/// What an address is called in the contacts, such as `home`.
public struct INPersonHandleLabel: RawRepresentable, Hashable, Sendable {
    /// The label's name.
    public var rawValue: String

    /// Makes a label.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// At home.
    public static let home = INPersonHandleLabel(rawValue: "_$!<Home>!$_")
    /// At work.
    public static let work = INPersonHandleLabel(rawValue: "_$!<Work>!$_")
    /// A mobile phone.
    public static let mobile = INPersonHandleLabel(rawValue: "_$!<Mobile>!$_")
    /// The main number.
    public static let main = INPersonHandleLabel(rawValue: "_$!<Main>!$_")
}

/// A person's address (R126).
open class INPersonHandle: NSObject {
    /// The address.
    public let value: String?
    /// What kind of address.
    public let type: INPersonHandleType
    /// What it is called.
    public let label: INPersonHandleLabel?

    /// Makes an address.
    public init(value: String?, type: INPersonHandleType, label: INPersonHandleLabel?) {
        self.value = value
        self.type = type
        self.label = label
        super.init()
    }

    /// Makes an address without a label.
    public convenience init(value: String?, type: INPersonHandleType) {
        self.init(value: value, type: type, label: nil)
    }
}

/// How a person's address was suggested.
public enum INPersonSuggestionType: Int, Sendable {
    /// It was not.
    case none = 0
    /// By a social profile.
    case socialProfile = 1
    /// By an instant message address.
    case instantMessageAddress = 2
}

/// A picture of a person.
open class INImage: NSObject {
    /// A picture of the app's, by name.
    public init(named name: String) {
        super.init()
    }

    /// A picture in a file's format.
    public init(imageData: Data) {
        super.init()
    }

    /// A picture that is loaded when needed.
    public init?(url: URL) {
        super.init()
    }
}

/// Somebody who takes part in an intent.
open class INPerson: NSObject {
    /// Their address.
    public let personHandle: INPersonHandle?
    /// The parts of their name.
    public let nameComponents: PersonNameComponents?
    /// Their name; the address when no name was given.
    public let displayName: String
    /// Their picture.
    public let image: INImage?
    /// Their identifier in the contacts.
    public let contactIdentifier: String?
    /// The app's own identifier for them.
    public let customIdentifier: String?
    /// Whether it is the user.
    public let isMe: Bool
    /// Further addresses.
    open var aliases: [INPersonHandle]?
    /// How the address was suggested.
    open var suggestionType: INPersonSuggestionType { .none }

    /// Describes somebody.
    public init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
        contactIdentifier: String?, customIdentifier: String?, isMe: Bool
    ) {
        self.personHandle = personHandle
        self.nameComponents = nameComponents
        let name = [nameComponents?.givenName, nameComponents?.familyName].compactMap { $0 }.joined(separator: " ")
        self.displayName = displayName ?? (name.isEmpty ? personHandle.value ?? "" : name)
        self.image = image
        self.contactIdentifier = contactIdentifier
        self.customIdentifier = customIdentifier
        self.isMe = isMe
        super.init()
    }

    /// Describes somebody else than the user.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
        contactIdentifier: String?, customIdentifier: String?
    ) {
        self.init(
            personHandle: personHandle, nameComponents: nameComponents, displayName: displayName, image: image,
            contactIdentifier: contactIdentifier, customIdentifier: customIdentifier, isMe: false)
    }
}
