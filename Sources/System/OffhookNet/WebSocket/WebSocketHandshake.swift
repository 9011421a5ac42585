// SPDX-License-Identifier: MIT

/// The opening handshake of RFC 6455 §4, without any I/O.
enum WebSocketHandshake {
    private static let guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// A new random key for a client's request.
    static func makeKey() -> String {
        base64(SecureRandom.bytes(16))
    }

    /// The Sec-WebSocket-Accept that answers a key.
    static func accept(for key: String) -> String {
        base64(SHA1.hash(Array((key + guid).utf8)))
    }

    /// What is wrong with a request as an opening handshake; nil when it is one.
    static func refusal(of head: HTTPRequestHead) -> HTTPResponse? {
        guard head.method == "GET", head.minorVersion == 1, head.headers.list(of: "Upgrade", contains: "websocket"),
            head.headers.list(of: "Connection", contains: "upgrade")
        else {
            return .text(
                426, "This is a WebSocket address: connect with a WebSocket client.",
                headers: ["Upgrade": "websocket", "Connection": "Upgrade"])
        }
        guard head.headers["Sec-WebSocket-Version"] == "13" else {
            return .text(
                426, "Only WebSocket version 13 is spoken here.",
                headers: ["Sec-WebSocket-Version": "13", "Upgrade": "websocket", "Connection": "Upgrade"])
        }
        guard let key = head.headers["Sec-WebSocket-Key"], isKey(key) else {
            return .text(400, "Sec-WebSocket-Key is not 16 bytes in Base64.")
        }
        return nil
    }

    /// Whether the request asks for a WebSocket at all.
    static func isAsked(by head: HTTPRequestHead) -> Bool {
        head.headers.list(of: "Upgrade", contains: "websocket")
    }

    /// The server's answer to a request that ``refusal(of:)`` found right.
    static func response(to head: HTTPRequestHead, subprotocol: String?, extra: HTTPHeaders) -> HTTPResponseHead {
        var headers: HTTPHeaders = [
            "Upgrade": "websocket", "Connection": "Upgrade",
            "Sec-WebSocket-Accept": accept(for: head.headers["Sec-WebSocket-Key"] ?? ""),
        ]
        if let subprotocol { headers.append("Sec-WebSocket-Protocol", subprotocol) }
        for field in extra { headers.append(field.name, field.value) }
        return HTTPResponseHead(status: 101, headers: headers)
    }

    /// The client's request.
    static func request(
        to url: ServerURL, key: String, subprotocols: [String], extra: HTTPHeaders
    ) -> HTTPRequestHead {
        var headers: HTTPHeaders = [
            "Host": url.authority, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key,
            "Sec-WebSocket-Version": "13",
        ]
        if !subprotocols.isEmpty { headers.append("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", ")) }
        for field in extra { headers.append(field.name, field.value) }
        return HTTPRequestHead(method: "GET", target: url.target, headers: headers)
    }

    /// What is wrong with a server's 101 as an answer to a request with that key; nil when it is right.
    static func fault(of head: HTTPResponseHead, key: String, subprotocols: [String]) -> String? {
        guard head.headers.list(of: "Upgrade", contains: "websocket"),
            head.headers.list(of: "Connection", contains: "upgrade")
        else { return "the 101 does not say that it upgrades to websocket" }
        guard head.headers["Sec-WebSocket-Accept"] == accept(for: key) else {
            return "Sec-WebSocket-Accept does not answer the key"
        }
        guard !head.headers.contains("Sec-WebSocket-Extensions") else { return "an extension nobody asked for" }
        if head.headers.contains("Sec-WebSocket-Protocol") {
            guard let chosen = head.headers["Sec-WebSocket-Protocol"], subprotocols.contains(chosen) else {
                return "a subprotocol nobody asked for"
            }
        }
        return nil
    }

    /// Whether a text is 16 bytes in Base64 (RFC 4648 §4) with zero padding bits.
    private static func isKey(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 24 && bytes.hasSuffix("==") && bytes.dropLast(2).allSatisfy(alphabet.contains)
            && "AQgw".utf8.contains(bytes[21])
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for position in 0..<4 {
                text.append(
                    position <= group.count ? alphabet[value >> (18 - 6 * position) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Array where Element == UInt8 {
    fileprivate func hasSuffix(_ text: String) -> Bool {
        suffix(text.utf8.count).elementsEqual(text.utf8)
    }
}
