// SPDX-License-Identifier: MIT

import OffhookNet

/// A fault as one types it: `NAME[:VALUE][*COUNT][@TOKEN]`.
///
/// | text | fault |
/// |---|---|
/// | `503`, `429:TooManyRequests` | answers with that status and reason; Apple's usual reason unless given |
/// | `edge:520` | answers with that status and an HTML page, as a machine on the way does |
/// | `reset`, `reset:8` | resets the stream, with INTERNAL_ERROR or that HTTP/2 code |
/// | `refuse` | resets the stream with REFUSED_STREAM: the request was not looked at |
/// | `goaway`, `goaway:Shutdown` | GOAWAY; the request is still answered |
/// | `goaway-unprocessed` | GOAWAY; the request was not looked at |
/// | `delay:1500ms`, `delay:2s` | answers so much later |
/// | `silence` | never answers |
/// | `close` | cuts the connection without looking at the request |
/// | `deliver-close` | delivers the push, then cuts the connection before the answer |
///
/// `*3` is for three requests, `*forever` for all, one unless given; `@abcd` is for that device token alone.
public struct FaultOrder: Hashable, Sendable {
    /// What to do instead of the gateway's work.
    public var fault: GatewayFault
    /// For how many requests; nil: for all.
    public var count: Int?
    /// For requests to this device token alone; nil: for all.
    public var token: String?

    /// Why a text is no fault.
    public struct Flaw: Error, Hashable, Sendable {
        /// What is wrong and what to write.
        public let message: String
    }

    /// The names, for help and messages.
    public static let names = [
        "STATUS[:REASON]", "edge:STATUS", "reset[:CODE]", "refuse", "goaway[:REASON]", "goaway-unprocessed[:REASON]",
        "delay:TIME", "silence", "close", "deliver-close",
    ]

    /// Reads a fault.
    ///
    /// - Throws: ``Flaw`` that says what to write instead.
    public init(_ text: String) throws(Flaw) {
        var rest = Substring(text)
        if let at = rest.lastIndex(of: "@") {
            let token = rest[rest.index(after: at)...]
            guard !token.isEmpty, token.allSatisfy(\.isHexDigit) else {
                throw Flaw(message: "'\(text)': after @ comes a device token in hexadecimal")
            }
            self.token = token.lowercased()
            rest = rest[..<at]
        }
        count = 1
        if let star = rest.lastIndex(of: "*") {
            let word = rest[rest.index(after: star)...]
            rest = rest[..<star]
            if word == "forever" {
                count = nil
            } else {
                guard let number = Int(word), (1...1_000_000).contains(number) else {
                    throw Flaw(message: "'\(text)': after * comes a count, 1 to 1000000, or forever")
                }
                count = number
            }
        }
        let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first ?? ""
        let value = parts.count > 1 ? parts[1] : nil
        fault = try Self.fault(String(name), value.map(String.init), text: text)
    }

    private static func fault(_ name: String, _ value: String?, text: String) throws(Flaw) -> GatewayFault {
        switch name {
        case "refuse": return try alone(.refuseStream, value, text)
        case "silence": return try alone(.neverAnswer, value, text)
        case "close": return try alone(.closeConnection, value, text)
        case "deliver-close": return try alone(.deliverThenClose, value, text)
        case "goaway": return .goAway(reason: try reason(value, text) ?? "Shutdown", processesRequest: true)
        case "goaway-unprocessed":
            return .goAway(reason: try reason(value, text) ?? "Shutdown", processesRequest: false)
        case "reset":
            guard let value else { return .resetStream(.internalError) }
            guard let code = UInt32(value) else { throw Flaw(message: "'\(text)': an HTTP/2 error code is a number") }
            return .resetStream(HTTP2ErrorCode(rawValue: code))
        case "edge":
            let page = "<html><head><title>\(value ?? "520")</title></head><body>cloud edge</body></html>"
            return .answerWith(status: try status(value ?? "520", text), body: page)
        case "delay":
            guard let value, let time = TimeText.milliseconds(value), time > 0 else {
                throw Flaw(message: "'\(text)': delay takes a time, such as delay:1500ms or delay:2s")
            }
            return .delay(.milliseconds(time))
        default:
            guard name.first?.isNumber == true else {
                throw Flaw(message: "'\(text)' is no fault; known: \(names.joined(separator: ", "))")
            }
            let status = try status(name, text)
            return .answer(status: status, reason: try reason(value, text) ?? usualReasons[status])
        }
    }

    private static let usualReasons = [
        400: "BadDeviceToken", 403: "InvalidProviderToken", 404: "BadPath", 405: "MethodNotAllowed",
        410: "Unregistered", 413: "PayloadTooLarge", 429: "TooManyRequests", 500: "InternalServerError",
        503: "ServiceUnavailable",
    ]

    private static func alone(_ fault: GatewayFault, _ value: String?, _ text: String) throws(Flaw) -> GatewayFault {
        guard value == nil else { throw Flaw(message: "'\(text)': this fault takes no value") }
        return fault
    }

    private static func status(_ word: String, _ text: String) throws(Flaw) -> Int {
        guard let status = Int(word), (200...599).contains(status) else {
            throw Flaw(message: "'\(text)': a status is 200 to 599")
        }
        return status
    }

    private static func reason(_ value: String?, _ text: String) throws(Flaw) -> String? {
        guard let value else { return nil }
        guard (1...64).contains(value.utf8.count), value.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { throw Flaw(message: "'\(text)': a reason is one word, such as ServiceUnavailable") }
        return value
    }
}

/// Times as one types them: `1500ms`, `2s`, `90m`, `2h`, with `+` or `-` in front where both make sense.
public enum TimeText {
    /// The time in milliseconds; nil when the text is none, or more than 1,000 days.
    public static func milliseconds(_ text: String) -> Int64? {
        let units: [(String, Int64)] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)]
        guard let (unit, factor) = units.first(where: { text.hasSuffix($0.0) }),
            let number = Int64(text.dropLast(unit.count)), number.magnitude <= 86_400_000_000 / UInt64(factor)
        else { return nil }
        return number * factor
    }
}
