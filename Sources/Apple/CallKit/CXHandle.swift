// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// How a person is reached: an address and its kind.
///
/// Two handles of the same kind and address are equal.
open class CXHandle: NSObject, NSSecureCoding, NSCopying {
    /// The kinds of addresses.
    public enum HandleType: Int, Sendable {
        /// An address of the app's own, such as a user name.
        case generic = 1
        /// A telephone number.
        case phoneNumber = 2
        /// An e-mail address.
        case emailAddress = 3
    }

    private let storedType: HandleType
    private let storedValue: String

    /// The kind of address.
    open var type: CXHandle.HandleType { storedType }
    /// The address.
    open var value: String { storedValue }

    /// Makes a handle.
    public init(type: CXHandle.HandleType, value: String) {
        storedType = type
        storedValue = value
    }

    // MARK: - Coding, copying, equality

    /// Handles are archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads a handle from an archive; nil when the archive holds none.
    public required init?(coder: NSCoder) {
        guard let type = HandleType(rawValue: coder.decodeInteger(forKey: "type")),
            let value = coder.string(forKey: "value")
        else { return nil }
        storedType = type
        storedValue = value
    }

    /// Writes the handle to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(type.rawValue, forKey: "type")
        coder.encode(NSString(string: value), forKey: "value")
    }

    /// The handle itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether another object is a handle of the same kind and address.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CXHandle else { return false }
        return type == other.type && value == other.value
    }

    /// Equal handles have equal hashes.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(type)
        hasher.combine(value)
        return hasher.finalize()
    }

    // MARK: - Boundary

    var boundaryValue: HandleValue {
        HandleValue(type: type.rawValue, value: value)
    }

    convenience init(_ value: HandleValue) {
        self.init(type: HandleType(rawValue: value.type) ?? .generic, value: value.value)
    }
}
