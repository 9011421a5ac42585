// SPDX-License-Identifier: MIT

/// Turns messages into JSON text frames and back; docs/protocol.md is the contract.
///
/// Decoding is strict about what it knows and silent about what it does not: unknown fields are ignored, so that a
/// newer peer may add some; a known field with a wrong value is an error that names it. No input traps.
public enum WireCodec {
    /// The protocol version this code speaks, the envelope's `v`.
    public static let version = 1
    /// The largest frame a client may send, in bytes.
    public static let maximumClientFrame = 65_536
    /// The largest frame a server may send, in bytes: a welcome can carry many calls.
    public static let maximumServerFrame = 262_144
    /// How many arrays and objects may be nested.
    public static let maximumDepth = 16
    /// How many calls a hello may ask for.
    public static let maximumCallsInHello = 32

    static func object(_ text: String, limit: Int) throws(WireError) -> JSONObject {
        let size = text.utf8.count
        guard size <= limit else { throw .tooLarge(bytes: size, limit: limit) }
        guard case .object(let object) = try JSONValue.parse(text, maximumDepth: maximumDepth) else {
            throw .notAnObject
        }
        guard case .integer(let version) = object["v"] else { throw .unsupportedVersion(nil) }
        guard version == WireCodec.version else {
            throw .unsupportedVersion(Int(truncatingIfNeeded: version))
        }
        return object
    }

    /// The message id of a frame that cannot be decoded otherwise, to name it in the error; nil if it has none.
    public static func messageID(ofBrokenFrame text: String) -> String? {
        guard text.utf8.count <= maximumClientFrame,
            case .object(let object)? = try? JSONValue.parse(text, maximumDepth: maximumDepth),
            case .string(let id)? = object["id"], isMessageID(id)
        else { return nil }
        return id
    }

    /// Whether a text is 1 to 64 visible ASCII characters.
    static func isMessageID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
