// SPDX-License-Identifier: MIT

/// A `ws://` or `wss://` address (RFC 6455 §3).
struct WebSocketURL: Hashable, Sendable {
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
    /// - Throws: ``NetError`` with code `invalidArgument`, which never quotes the query: it may hold a secret.
    init(_ text: String) throws(NetError) {
        let shown = text.split(separator: "?", maxSplits: 1).first.map(String.init) ?? ""
        let wrong = NetError(
            .invalidArgument, "\"\(shown)\" is no WebSocket address; it looks like wss://host:port/path.")
        guard let mark = text.range(of: "://") else { throw wrong }
        let scheme = text[..<mark.lowerBound].lowercased()
        guard scheme == "ws" || scheme == "wss" else { throw wrong }
        isSecure = scheme == "wss"
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
