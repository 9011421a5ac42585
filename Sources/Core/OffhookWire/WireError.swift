// SPDX-License-Identifier: MIT

/// Why a frame or a push payload cannot be read or built; never holds what the frame said.
public enum WireError: Error, Hashable, Sendable {
    /// The frame is larger than the limit, in bytes.
    case tooLarge(bytes: Int, limit: Int)
    /// The frame is no JSON text: at which byte, and what is wrong there.
    case malformedJSON(offset: Int, reason: String)
    /// More arrays and objects are nested than the limit.
    case tooDeep(limit: Int)
    /// The frame is JSON, but no object.
    case notAnObject
    /// The protocol version, `v`, is another; nil when it is missing or no integer.
    case unsupportedVersion(Int?)
    /// The message type is none of this version's.
    case unknownType
    /// A field that the message needs is missing.
    case missingField(String)
    /// A field has the wrong kind of value or one out of range; the reason says what it should be.
    case badField(String, reason: String)
}

extension WireError: CustomStringConvertible {
    /// What is wrong and what it should be, for people.
    public var description: String {
        switch self {
        case .tooLarge(let bytes, let limit): "\(bytes) bytes are more than the \(limit) allowed"
        case .malformedJSON(let offset, let reason): "no JSON at byte \(offset): \(reason)"
        case .tooDeep(let limit): "more than \(limit) nested arrays and objects"
        case .notAnObject: "a message is a JSON object"
        case .unsupportedVersion(let version?): "version \(version) is not spoken here; send \"v\":1"
        case .unsupportedVersion(nil): "the version is missing; send \"v\":1"
        case .unknownType: "no such message type"
        case .missingField(let name): "the field \"\(name)\" is missing"
        case .badField(let name, let reason): "the field \"\(name)\" \(reason)"
        }
    }

    /// The code to report this fault with on the wire.
    public var code: WireFailure.Code {
        switch self {
        case .tooLarge: .limitExceeded
        case .unsupportedVersion: .unsupportedVersion
        case .malformedJSON, .tooDeep, .notAnObject, .unknownType, .missingField, .badField: .malformed
        }
    }
}
