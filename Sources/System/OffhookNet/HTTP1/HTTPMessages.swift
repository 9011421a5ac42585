// SPDX-License-Identifier: MIT

/// A whole request with its body, as a server's handler gets it.
public struct HTTPRequest: Hashable, Sendable {
    /// Request line and fields.
    public var head: HTTPRequestHead
    /// The body; empty when there is none.
    public var body: [UInt8]
    /// The client as address and port, as TCP says it; behind a proxy that is the proxy.
    public var peerAddress: String
    /// Whether the request came over TLS that ends here.
    public var isEncrypted: Bool

    /// Makes a request.
    public init(
        head: HTTPRequestHead, body: [UInt8] = [], peerAddress: String = "", isEncrypted: Bool = false
    ) {
        self.head = head
        self.body = body
        self.peerAddress = peerAddress
        self.isEncrypted = isEncrypted
    }

    /// The method, such as `GET`.
    public var method: String { head.method }
    /// The target up to the question mark.
    public var path: String { head.path }
    /// The fields.
    public var headers: HTTPHeaders { head.headers }
}

/// A whole response as a server's handler gives it and a client gets it.
///
/// A handler's response that HTTP cannot carry (a status outside 200 to 599, a field with a line break) is answered with 500
/// instead: it may come from what a client sent.
public struct HTTPResponse: Hashable, Sendable {
    /// The status code: 200 to 599.
    public var status: Int
    /// The fields; a handler's Content-Length, Connection and Transfer-Encoding are the server's business and ignored.
    public var headers: HTTPHeaders
    /// The body.
    public var body: [UInt8]

    /// Makes a response.
    public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A response of plain text in UTF-8, with a line end.
    public static func text(_ status: Int, _ text: String, headers: HTTPHeaders = [:]) -> HTTPResponse {
        var headers = headers
        headers.append("Content-Type", "text/plain; charset=utf-8")
        return HTTPResponse(status: status, headers: headers, body: Array((text + "\n").utf8))
    }

    /// A response of JSON.
    public static func json(_ status: Int, _ body: [UInt8], headers: HTTPHeaders = [:]) -> HTTPResponse {
        var headers = headers
        headers.append("Content-Type", "application/json")
        return HTTPResponse(status: status, headers: headers, body: body)
    }

    /// The response as bytes for a request.
    func encoded(closes: Bool, withoutBody: Bool) -> [UInt8] {
        guard (200...599).contains(status), headers.firstInvalidName == nil else {
            return HTTPResponse.text(500, "The server made an answer that HTTP cannot carry.")
                .encoded(closes: closes, withoutBody: withoutBody)
        }
        var fields = HTTPHeaders()
        // A 426 names its protocol in Upgrade, and Connection must list that (RFC 9110 §7.8).
        let upgrades = headers.contains("Upgrade")
        for field in headers where !Self.owned.contains(where: { $0.equalsIgnoringASCIICase(field.name) }) {
            fields.append(field.name, field.value)
        }
        if status != 204 && status != 304 { fields.append("Content-Length", String(body.count)) }
        let options = (upgrades ? ["Upgrade"] : []) + (closes ? ["close"] : [])
        if !options.isEmpty { fields.append("Connection", options.joined(separator: ", ")) }
        let bytes = HTTPResponseHead(status: status, headers: fields).encoded
        return withoutBody || status == 204 || status == 304 ? bytes : bytes + body
    }

    private static let owned = ["Content-Length", "Connection", "Transfer-Encoding"]
}

/// A server's decision about a request for a WebSocket.
public enum WebSocketUpgrade: Sendable {
    /// The handshake is finished with 101; the handlers are the new socket's own. A subprotocol must be one of those
    /// that the client offered.
    case accept(
        WebSocketHandlers, subprotocol: String? = nil, headers: HTTPHeaders = [:],
        limits: WebSocketLimits = WebSocketLimits())
    /// The response is sent instead and the connection closed.
    case refuse(HTTPResponse)
}
