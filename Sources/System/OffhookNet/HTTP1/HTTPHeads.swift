// SPDX-License-Identifier: MIT

/// The first part of a request: request line and fields.
public struct HTTPRequestHead: Hashable, Sendable {
    /// The method, such as `GET`; case matters.
    public var method: String
    /// The target as it was sent, such as `/calls?since=1`.
    public var target: String
    /// The minor version of HTTP/1: 0 or 1.
    public var minorVersion: Int
    /// The fields.
    public var headers: HTTPHeaders

    /// Makes a request head.
    public init(method: String, target: String, headers: HTTPHeaders = [:], minorVersion: Int = 1) {
        self.method = method
        self.target = target
        self.headers = headers
        self.minorVersion = minorVersion
    }

    /// The target up to the question mark, percent signs as they are.
    public var path: String {
        target.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(target[..<$0]) } ?? target
    }

    /// The target after the question mark, percent signs as they are; nil without one.
    public var query: String? {
        target.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(target[target.utf8.index(after: $0)...]) }
    }

    /// The head as bytes, the empty line included.
    ///
    /// - Precondition: Method, target and fields have no byte that the grammar does not allow.
    public var encoded: [UInt8] {
        precondition(HTTPSyntax.isToken(method.utf8), "a method is a token")
        precondition(HTTPRequestHead.isTarget(target.utf8), "a target has visible ASCII characters only")
        return HTTPHeadEncoder.encode("\(method) \(target) HTTP/1.\(minorVersion)", headers)
    }

    /// Whether the bytes are visible ASCII characters alone.
    static func isTarget(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    }
}

/// The first part of a response: status line and fields.
public struct HTTPResponseHead: Hashable, Sendable {
    /// The status code: 100 to 599.
    public var status: Int
    /// The words after the code; often empty.
    public var reason: String
    /// The minor version of HTTP/1: 0 or 1.
    public var minorVersion: Int
    /// The fields.
    public var headers: HTTPHeaders

    /// Makes a response head; the reason is the usual one unless given.
    public init(status: Int, reason: String? = nil, headers: HTTPHeaders = [:], minorVersion: Int = 1) {
        self.status = status
        self.reason = reason ?? HTTPResponseHead.usualReason(status)
        self.headers = headers
        self.minorVersion = minorVersion
    }

    /// The head as bytes, the empty line included.
    ///
    /// - Precondition: Status, reason and fields have no byte that the grammar does not allow.
    public var encoded: [UInt8] {
        precondition((100...599).contains(status), "a status is 100 to 599")
        precondition(reason.utf8.allSatisfy(HTTPSyntax.isValueByte), "a reason has no control characters")
        return HTTPHeadEncoder.encode("HTTP/1.\(minorVersion) \(status) \(reason)", headers)
    }

    /// The reason phrase of RFC 9110 for a status; empty for an unknown one.
    static func usualReason(_ status: Int) -> String {
        switch status {
        case 101: "Switching Protocols"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Content"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: ""
        }
    }
}

/// Writes heads; refuses what would let a value break out of its line.
enum HTTPHeadEncoder {
    static func encode(_ firstLine: String, _ headers: HTTPHeaders) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        bytes.append(contentsOf: firstLine.utf8)
        bytes.append(contentsOf: [HTTPSyntax.carriageReturn, HTTPSyntax.lineFeed])
        for field in headers {
            precondition(HTTPSyntax.isToken(field.name.utf8), "\"\(field.name)\" is no field name")
            precondition(
                field.value.utf8.allSatisfy(HTTPSyntax.isValueByte),
                "the value of \(field.name) has a control character; encode it first")
            bytes.append(contentsOf: field.name.utf8)
            bytes.append(contentsOf: [UInt8(ascii: ":"), HTTPSyntax.space])
            bytes.append(contentsOf: field.value.utf8)
            bytes.append(contentsOf: [HTTPSyntax.carriageReturn, HTTPSyntax.lineFeed])
        }
        bytes.append(contentsOf: [HTTPSyntax.carriageReturn, HTTPSyntax.lineFeed])
        return bytes
    }
}
