// SPDX-License-Identifier: MIT

public import Foundation
public import OffhookCore
import OffhookWire

/// The body of a VoIP push, as a test writes it.
///
/// ```swift
/// phone.push(to: "com.example.calls", ["caller": "Alice"])
/// phone.push(to: "com.example.calls", .offhook(caller: "Alice", handle: "alice", at: phone.now))
/// ```
public struct PushBody: Hashable, Sendable {
    /// A value of JSON.
    public indirect enum Value: Hashable, Sendable {
        /// A text.
        case string(String)
        /// A whole number.
        case integer(Int64)
        /// A number.
        case number(Double)
        /// True or false.
        case bool(Bool)
        /// A list.
        case array([Value])
        /// An object.
        case object([String: Value])
        /// Null.
        case null
    }

    /// The body's bytes: JSON in UTF-8 when it was made of JSON.
    public var data: Data

    /// Makes a body of any bytes, also of such that are no JSON.
    public init(data: Data) {
        self.data = data
    }

    /// Makes a body of a JSON object; its keys are written in order, so that equal bodies have equal bytes.
    public init(_ object: [String: Value]) {
        data = Data(Value.object(object).text.utf8)
    }

    /// Makes the body that a ``PlainCallApp`` reads.
    public static func plain(_ call: UUID, caller: String) -> PushBody {
        ["call": .string(call.uuidString), "caller": .string(caller)]
    }

    /// Makes the body that Offhook's server sends: an invitation.
    ///
    /// - Parameters:
    ///   - call: The call's identity.
    ///   - caller: The caller's name, 1 to 256 bytes of UTF-8; another one gives a body that no app can read.
    ///   - handle: The caller's address.
    ///   - video: Whether the caller offers video.
    ///   - issued: When the server created the call; the phone's time, unless the push is an old one.
    ///   - lasting: How long the call rings from then on.
    /// - Returns: The body.
    public static func offhook(
        call: UUID = UUID(), caller: String, handle: String, video: Bool = false, at issued: Date,
        lasting: TimeSpan = .seconds(60)
    ) -> PushBody {
        let issuedAt = Instant(milliseconds: Int64((issued.timeIntervalSince1970 * 1000).rounded()))
        let invitation = Invitation(
            call: CallID(call.uuidString) ?? CallID(high: 0, low: 0), callerName: caller,
            callerHandle: Handle(value: handle), video: video, issuedAt: issuedAt, expiresAt: issuedAt + lasting)
        return PushBody(data: Data((try? PushPayload(invitation: invitation).encoded()) ?? []))
    }
}

extension PushBody: ExpressibleByDictionaryLiteral {
    /// Makes a body of a JSON object; of a key that comes twice the last value counts.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init(Dictionary(elements) { $1 })
    }
}

extension PushBody.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// Makes a text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Makes a whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Makes true or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Makes a number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Makes a list.
    public init(arrayLiteral elements: PushBody.Value...) { self = .array(elements) }
    /// Makes an object; of a key that comes twice the last value counts.
    public init(dictionaryLiteral elements: (String, PushBody.Value)...) {
        self = .object(Dictionary(elements) { $1 })
    }
    /// Makes null.
    public init(nilLiteral: ()) { self = .null }

    /// The value as JSON.
    var text: String {
        switch self {
        case .string(let value): JSONValue.string(value).text
        case .integer(let value): String(value)
        case .number(let value): value.isFinite ? String(value) : "null"
        case .bool(let value): String(value)
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let object):
            "{"
                + object.sorted { $0.key < $1.key }
                .map { "\(JSONValue.string($0.key).text):\($0.value.text)" }.joined(separator: ",") + "}"
        case .null: "null"
        }
    }
}

extension JSONValue {
    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension VirtualPhone {
    /// Hands the phone a VoIP push for an app, as APNs would.
    ///
    /// - Parameters:
    ///   - bundle: The app; it must have registered for pushes once (K1).
    ///   - body: The push's body.
    ///   - sentAt: When the server sent it; nil means now. An old push need not be reported (K8).
    /// - Returns: What became of it; ``PushReceipt/unknownToken`` when the app has no token.
    @discardableResult
    public func push(to bundle: String, _ body: PushBody, sentAt: Date? = nil) -> PushReceipt {
        guard let token = pushToken(for: bundle) else { return .unknownToken }
        return receivePush(token: token, payload: body.data, sentAt: sentAt)
    }
}
