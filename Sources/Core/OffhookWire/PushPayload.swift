// SPDX-License-Identifier: MIT

public import OffhookCore

/// The body of a VoIP push: one invitation, in at most 5,120 bytes of JSON.
///
/// Two forms carry the same. Nested: everything under the key `offhook`, for apps whose pushes have other content too.
/// Flat: `offhook` is the schema version and the fields stand beside it, for hosts that read the dictionary themselves.
public struct PushPayload: Hashable, Sendable {
    /// How the fields are laid out.
    public enum Form: String, Hashable, Sendable, CaseIterable {
        /// `{"aps":{},"offhook":{"v":1,"call":…}}`.
        case nested
        /// `{"aps":{},"offhook":1,"call":…}`.
        case flat
    }

    /// The schema version this code writes and reads.
    public static let version = 1
    /// What APNs accepts for a VoIP push, in bytes.
    public static let maximumSize = 5120

    /// What the push offers.
    public var invitation: Invitation

    /// Makes a payload.
    public init(invitation: Invitation) {
        self.invitation = invitation
    }

    /// The payload as JSON in UTF-8.
    ///
    /// - Throws: ``WireError/badField(_:reason:)`` if name or handle is empty or longer than 256 bytes,
    ///   ``WireError/tooLarge(bytes:limit:)`` past 5,120 bytes; nothing else.
    public func encoded(as form: Form = .nested) throws(WireError) -> [UInt8] {
        guard (1...256).contains(invitation.callerName.utf8.count) else {
            throw .badField("name", reason: "has 1 to 256 bytes")
        }
        guard (1...256).contains(invitation.callerHandle.value.utf8.count) else {
            throw .badField("handle.value", reason: "has 1 to 256 bytes")
        }
        let version = JSONValue.integer(Int64(PushPayload.version))
        var object: JSONObject = ["aps": .object([:])]
        switch form {
        case .nested:
            var inner: JSONObject = ["v": version]
            inner.set("call", invitation.call)
            inner.set(invitation)
            object.append("offhook", .object(inner))
        case .flat:
            object.append("offhook", version)
            object.set("call", invitation.call)
            object.set(invitation)
        }
        let bytes = JSONValue.object(object).bytes
        guard bytes.count <= PushPayload.maximumSize else {
            throw .tooLarge(bytes: bytes.count, limit: PushPayload.maximumSize)
        }
        return bytes
    }

    /// Reads a payload in either form, `offhook` also as a string that holds the object.
    ///
    /// - Throws: ``WireError``; ``WireError/missingField(_:)`` with `offhook` for a push that is not ours.
    public static func decode(_ bytes: [UInt8]) throws(WireError) -> PushPayload {
        guard bytes.count <= maximumSize else { throw .tooLarge(bytes: bytes.count, limit: maximumSize) }
        guard case .object(let object) = try JSONValue.parse(bytes, maximumDepth: WireCodec.maximumDepth) else {
            throw .notAnObject
        }
        switch try WireFields(object).required("offhook") {
        case .integer(let version):
            try check(.integer(version))
            return PushPayload(invitation: try WireFields(object).invitation())
        case .object(let inner): return try decode(inner)
        case .string(let text):
            guard case .object(let inner) = try JSONValue.parse(text, maximumDepth: WireCodec.maximumDepth) else {
                throw .badField("offhook", reason: "is an object, or a string that holds one")
            }
            return try decode(inner)
        case .null, .bool, .number, .array:
            throw .badField("offhook", reason: "is an object, or the version before flat fields")
        }
    }

    private static func decode(_ inner: JSONObject) throws(WireError) -> PushPayload {
        try check(inner["v"])
        return PushPayload(invitation: try WireFields(inner, prefix: "offhook.").invitation())
    }

    private static func check(_ version: JSONValue?) throws(WireError) {
        guard case .integer(let number) = version else { throw .unsupportedVersion(nil) }
        guard number == PushPayload.version else {
            throw .unsupportedVersion(Int(truncatingIfNeeded: number))
        }
    }
}
