// SPDX-License-Identifier: MIT

extension HTTPDecoder {
    /// Reads a head's lines and sets what follows it.
    mutating func parse(head lines: [ArraySlice<UInt8>]) throws(HTTPViolation) -> Part {
        bodyBytes = 0
        switch role {
        case .server:
            var head = try requestLine(lines[0])
            head.headers = try fields(lines.dropFirst())
            try checkHost(head)
            body = try counted(length(of: head.headers, minorVersion: head.minorVersion) ?? .counted(0))
            return .request(head)
        case .client:
            var head = try statusLine(lines[0])
            head.headers = try fields(lines.dropFirst())
            let length = try length(of: head.headers, minorVersion: head.minorVersion)
            switch head.status {
            case 101: body = .upgraded
            case 100...199: body = .none
            case 204, 304: body = .counted(0)
            default: body = answersHead ? .counted(0) : try counted(length ?? .untilEnd)
            }
            return .response(head)
        }
    }

    private func requestLine(_ line: ArraySlice<UInt8>) throws(HTTPViolation) -> HTTPRequestHead {
        let parts = line.split(separator: HTTPSyntax.space, omittingEmptySubsequences: false)
        guard parts.count == 3, HTTPSyntax.isToken(parts[0]), HTTPRequestHead.isTarget(parts[1]) else {
            throw HTTPViolation(status: 400, message: "the request line is not \"method target version\"")
        }
        return HTTPRequestHead(
            method: String(decoding: parts[0], as: UTF8.self), target: String(decoding: parts[1], as: UTF8.self),
            minorVersion: try version(parts[2]))
    }

    private func statusLine(_ line: ArraySlice<UInt8>) throws(HTTPViolation) -> HTTPResponseHead {
        let parts = line.split(separator: HTTPSyntax.space, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].count == 3, let status = HTTPSyntax.decimal(parts[1]),
            (100...599).contains(status), parts[2].allSatisfy(HTTPSyntax.isValueByte)
        else { throw HTTPViolation(status: 400, message: "the status line is not \"version status reason\"") }
        return HTTPResponseHead(
            status: status, reason: String(decoding: parts[2], as: UTF8.self), minorVersion: try version(parts[0]))
    }

    private func version(_ bytes: ArraySlice<UInt8>) throws(HTTPViolation) -> Int {
        if bytes.elementsEqual("HTTP/1.1".utf8) { return 1 }
        if bytes.elementsEqual("HTTP/1.0".utf8) { return 0 }
        let looksRight = bytes.count == 8 && bytes.starts(with: "HTTP/".utf8)
        throw HTTPViolation(status: looksRight ? 505 : 400, message: "the version is not HTTP/1.0 or HTTP/1.1")
    }

    /// Reads field lines (RFC 9112 §5).
    func fields(_ lines: some Sequence<ArraySlice<UInt8>>) throws(HTTPViolation) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for line in lines {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), HTTPSyntax.isToken(line[..<colon]) else {
                // Folded lines and a space before the colon end here too.
                throw HTTPViolation(status: 400, message: "a field line is not \"name: value\"")
            }
            let value = HTTPSyntax.trim(line[(colon + 1)...])
            guard value.allSatisfy(HTTPSyntax.isValueByte), let text = String(validating: value, as: UTF8.self) else {
                throw HTTPViolation(status: 400, message: "a field value has bytes that are not allowed")
            }
            headers.append(String(decoding: line[..<colon], as: UTF8.self), text)
        }
        return headers
    }

    private func checkHost(_ head: HTTPRequestHead) throws(HTTPViolation) {
        let hosts = head.headers.values(of: "Host")
        guard hosts.count == 1 || (hosts.isEmpty && head.minorVersion == 0) else {
            throw HTTPViolation(status: 400, message: "a request has exactly one Host field")
        }
    }

    /// What the fields say about the body; nil when they say nothing (RFC 9112 §6).
    private func length(of headers: HTTPHeaders, minorVersion: Int) throws(HTTPViolation) -> Body? {
        let lengths = headers.values(of: "Content-Length")
        let codings = headers.values(of: "Transfer-Encoding")
        if !codings.isEmpty {
            guard lengths.isEmpty else {
                throw HTTPViolation(status: 400, message: "Content-Length and Transfer-Encoding together")
            }
            guard minorVersion == 1 else {
                throw HTTPViolation(status: 400, message: "Transfer-Encoding in HTTP/1.0")
            }
            guard codings.count == 1, codings[0].equalsIgnoringASCIICase("chunked") else {
                throw HTTPViolation(status: 501, message: "a transfer coding other than chunked")
            }
            return .chunkSize
        }
        guard let text = lengths.first else { return nil }
        guard lengths.count == 1, let length = HTTPSyntax.decimal(text.utf8) else {
            throw HTTPViolation(status: 400, message: "Content-Length is not one number")
        }
        return .counted(length)
    }

    /// Counts what a Content-Length announces, before any of it comes.
    private mutating func counted(_ body: Body) throws(HTTPViolation) -> Body {
        if case .counted(let length) = body { try count(length) }
        return body
    }

    /// Reads the line before a chunk and counts the chunk (RFC 9112 §7.1).
    mutating func chunkSize(_ line: ArraySlice<UInt8>) throws(HTTPViolation) -> Int {
        let digits = line.prefix { HTTPSyntax.hexValue($0) != nil }
        let extensions = line[digits.endIndex...]
        guard (1...8).contains(digits.count), extensions.isEmpty || extensions.first == UInt8(ascii: ";"),
            extensions.allSatisfy(HTTPSyntax.isValueByte)
        else { throw HTTPViolation(status: 400, message: "a chunk's size is not a hexadecimal number") }
        let size = digits.reduce(0) { $0 << 4 | (HTTPSyntax.hexValue($1) ?? 0) }
        try count(size)
        return size
    }
}
