// SPDX-License-Identifier: MIT

/// One header field of an HTTP/2 message.
public struct HTTP2Header: Hashable, Sendable {
    /// The name in lower case (RFC 9113 §8.2.1).
    public var name: String
    /// The value.
    public var value: String
    /// Whether it is sent as a literal that no compressor on the way may index (RFC 7541 §7.1.3).
    ///
    /// For secrets, and for values that differ in every request and would only push others out of the table.
    public var isNeverIndexed: Bool

    /// Makes a field of a name in lower case and its value.
    public init(_ name: String, _ value: String, isNeverIndexed: Bool = false) {
        self.name = name
        self.value = value
        self.isNeverIndexed = isNeverIndexed
    }
}

/// A request as HTTP/2 carries it.
public struct HTTP2Request: Hashable, Sendable {
    /// The method, such as `POST`.
    public var method: String
    /// The scheme; `https` over TLS.
    public var scheme: String
    /// The host the request is for, with the port when it is not the usual one.
    public var authority: String
    /// The path with its query.
    ///
    /// It is always sent never-indexed.
    public var path: String
    /// The other fields in their order; names in lower case.
    public var headers: [HTTP2Header]
    /// The body; empty: the request ends with its headers.
    public var body: [UInt8]
    /// Whether the peer sent a larger body than the limit, so that ``body`` holds its beginning alone.
    public var isBodyTruncated = false

    /// Makes a request.
    public init(
        method: String, scheme: String = "https", authority: String, path: String, headers: [HTTP2Header] = [],
        body: [UInt8] = []
    ) {
        self.method = method
        self.scheme = scheme
        self.authority = authority
        self.path = path
        self.headers = headers
        self.body = body
    }

    /// The first value of a field, by its name in lower case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}

/// An answer as HTTP/2 carries it.
public struct HTTP2Response: Hashable, Sendable {
    /// The status code, 100 to 599.
    public var status: Int
    /// The fields in their order; names in lower case.
    public var headers: [HTTP2Header]
    /// The body, possibly empty.
    public var body: [UInt8]
    /// Whether the peer sent a larger body than the limit, so that ``body`` holds its beginning alone.
    public var isBodyTruncated = false

    /// Makes an answer.
    public init(status: Int, headers: [HTTP2Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first value of a field, by its name in lower case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}

/// Why a stream or a connection was ended (RFC 9113 §7).
public struct HTTP2ErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number on the wire.
    public let rawValue: UInt32

    /// Makes a code of the number on the wire; unknown numbers are allowed.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Nothing is wrong.
    public static let noError = HTTP2ErrorCode(rawValue: 0)
    /// The peer broke the protocol.
    public static let protocolError = HTTP2ErrorCode(rawValue: 1)
    /// The sender of the code failed inside.
    public static let internalError = HTTP2ErrorCode(rawValue: 2)
    /// The stream was not processed at all; the request may be sent again (RFC 9113 §8.7).
    public static let refusedStream = HTTP2ErrorCode(rawValue: 7)
    /// The stream is no longer wanted.
    public static let cancel = HTTP2ErrorCode(rawValue: 8)
    /// The peer does too much.
    public static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 11)

    /// The name of RFC 9113 for the known codes, else the number.
    public var description: String {
        switch rawValue {
        case 0: "NO_ERROR"
        case 1: "PROTOCOL_ERROR"
        case 2: "INTERNAL_ERROR"
        case 3: "FLOW_CONTROL_ERROR"
        case 4: "SETTINGS_TIMEOUT"
        case 5: "STREAM_CLOSED"
        case 6: "FRAME_SIZE_ERROR"
        case 7: "REFUSED_STREAM"
        case 8: "CANCEL"
        case 9: "COMPRESSION_ERROR"
        case 10: "CONNECT_ERROR"
        case 11: "ENHANCE_YOUR_CALM"
        case 12: "INADEQUATE_SECURITY"
        case 13: "HTTP_1_1_REQUIRED"
        default: "error \(rawValue)"
        }
    }
}
