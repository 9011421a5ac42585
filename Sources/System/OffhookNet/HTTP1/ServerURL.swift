// SPDX-License-Identifier: MIT

/// The address of something on a server: `http://`, `https://` (RFC 9110 §4.2), `ws://` or `wss://` (RFC 6455 §3).
struct ServerURL: Hashable, Sendable {
    /// Which addresses are meant.
    enum Kind {
        /// `http://` and `https://`.
        case http
        /// `ws://` and `wss://`.
        case webSocket

        /// The scheme without TLS; with TLS it has an s more.
        fileprivate var scheme: String {
            switch self {
            case .http: "http"
            case .webSocket: "ws"
            }
        }

        fileprivate var name: String {
            switch self {
            case .http: "HTTP"
            case .webSocket: "WebSocket"
            }
        }
    }

    /// Whether TLS is wanted.
    let isSecure: Bool
    /// The host; an IPv6 address without its brackets.
    let host: String
    /// The port, the scheme's own unless the address has one.
    let port: Int
    /// Path and query, at least `/`.
    let target: String

    /// Reads an address.
    ///
    /// - Throws: ``NetError`` with code `invalidArgument`, which quotes neither query nor user: they may be secret.
    init(_ text: String, _ kind: Kind) throws(NetError) {
        let shown = text.prefix { $0 != "?" }.split(separator: "@").last?.filter(\.isPrintable) ?? ""
        let wrong = NetError(
            .invalidArgument,
            "\"\(shown)\" is no \(kind.name) address; it looks like \(kind.scheme)s://host:port/path.")
        guard let mark = text.range(of: "://") else { throw wrong }
        let scheme = text[..<mark.lowerBound].lowercased()
        isSecure = scheme == kind.scheme + "s"
        guard isSecure || scheme == kind.scheme else { throw wrong }
        let rest = text[mark.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        let authority = rest[..<end]
        guard !authority.contains("@"), !rest[end...].contains("#") else { throw wrong }
        let hostEnd: Substring.Index
        if authority.first == "[" {
            guard let bracket = authority.firstIndex(of: "]") else { throw wrong }
            host = String(authority[authority.index(after: authority.startIndex)..<bracket])
            hostEnd = authority.index(after: bracket)
        } else {
            hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
            host = String(authority[..<hostEnd])
        }
        let portText = authority[hostEnd...]
        if portText.isEmpty {
            port = isSecure ? 443 : 80
        } else {
            guard portText.first == ":", let number = HTTPSyntax.decimal(portText.utf8.dropFirst()),
                (1...65_535).contains(number)
            else { throw wrong }
            port = number
        }
        let path = rest[end...]
        target = path.first == "/" ? String(path) : "/" + path
        guard !host.isEmpty, HTTPRequestHead.isTarget(target.utf8), HTTPRequestHead.isTarget(host.utf8) else {
            throw wrong
        }
    }

    /// Host and port for the Host field; the port is left out when it is the scheme's own.
    var authority: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }
}

extension String {
    /// The first place of a text, without Foundation.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
