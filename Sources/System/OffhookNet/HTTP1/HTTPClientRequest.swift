// SPDX-License-Identifier: MIT

/// A request as ``HTTPClient`` sends it.
public struct HTTPClientRequest: Hashable, Sendable {
    /// The method, such as `GET`; case matters.
    public var method: String
    /// `http://` or `https://` with host, optional port, path and query; percent signs go out as they are.
    public var url: String
    /// The fields.
    ///
    /// Host, Content-Length and Transfer-Encoding are the client's business and refused here. `Connection: close` is
    /// obeyed.
    public var headers: HTTPHeaders
    /// The body; empty when there is none.
    public var body: [UInt8]

    /// Makes a request.
    public init(method: String = "GET", url: String, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// Whether sending it twice is as good as sending it once (RFC 9110 §9.2.2).
    var isIdempotent: Bool {
        ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(method)
    }

    /// The request as bytes.
    ///
    /// - Throws: ``NetError`` with code `invalidArgument` for what HTTP cannot carry or the client itself writes.
    func encoded(for address: ServerURL) throws(NetError) -> [UInt8] {
        guard HTTPSyntax.isToken(method.utf8), method != "CONNECT" else {
            throw NetError(
                .invalidArgument, "The method is not one of a request to a server; it is a word such as GET or POST.")
        }
        if let name = headers.firstInvalidName {
            throw NetError(
                .invalidArgument,
                "The field \"\(name.filter(\.isPrintable))\" has characters that HTTP does not allow; encode its value."
            )
        }
        if let name = Self.owned.first(where: headers.contains) {
            throw NetError(.invalidArgument, "Leave out the field \(name): the client writes it itself.")
        }
        var fields: HTTPHeaders = ["Host": address.authority]
        for field in headers { fields.append(field.name, field.value) }
        if !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method) {
            fields.append("Content-Length", String(body.count))
        }
        return HTTPRequestHead(method: method, target: address.target, headers: fields).encoded + body
    }

    private static let owned = ["Host", "Content-Length", "Transfer-Encoding"]
}
