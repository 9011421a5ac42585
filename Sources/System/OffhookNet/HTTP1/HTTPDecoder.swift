// SPDX-License-Identifier: MIT

/// Turns the bytes of an HTTP/1.1 connection into heads and bodies, strictly and within limits, without any I/O.
///
/// Bytes go in by ``receive(_:)``, parts come out of ``next()`` until it returns nil. After a violation the decoder is
/// dead: it says the same violation again. Everything that two readers could understand differently is refused
/// (RFC 9112 §11.2, request smuggling): bare CR or LF, folded lines, space before the colon, several or odd
/// Content-Length fields, Content-Length together with Transfer-Encoding, codings other than a single `chunked`.
public struct HTTPDecoder {
    /// Which messages are read.
    public enum Role: Hashable, Sendable {
        /// Reads requests.
        case server
        /// Reads responses.
        case client
    }

    /// A piece of a message.
    public enum Part: Hashable, Sendable {
        /// A request's head came (role server).
        case request(HTTPRequestHead)
        /// A response's head came (role client), interim ones included.
        case response(HTTPResponseHead)
        /// Bytes of the body came; never empty.
        case body([UInt8])
        /// The message is complete. Follows each head, also without body, except a response of 100 ... 199.
        case end
    }

    enum Body: Equatable {
        /// A head is next.
        case none
        /// Bytes left of a body with Content-Length.
        case counted(Int)
        /// The line with a chunk's size is next.
        case chunkSize
        /// Bytes left of a chunk.
        case chunk(Int)
        /// The line end after a chunk is next.
        case chunkEnd
        /// Trailer fields until an empty line.
        case trailer
        /// A response's body until the connection ends.
        case untilEnd
        /// The connection belongs to another protocol now.
        case upgraded
    }

    /// Role client: whether the next final response answers HEAD and so has no body, whatever its fields announce.
    ///
    /// Stays as it is set (RFC 9112 §6.3).
    public var answersHead = false

    let role: Role
    let limits: HTTPLimits
    var body = Body.none
    var bodyBytes = 0
    var hasEnded = false
    private var buffer: [UInt8] = []
    private var start = 0
    /// How far a line end has been looked for already.
    private var scanned = 0
    private var violation: HTTPViolation?

    /// Makes a decoder at the start of a connection.
    public init(role: Role, limits: HTTPLimits = HTTPLimits()) {
        self.role = role
        self.limits = limits
    }

    /// Takes bytes from the connection; ``next()`` gives what they complete.
    public mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        if start > 0 {
            buffer.removeFirst(start)
            scanned = Swift.max(0, scanned - start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The peer sends nothing more: completes a response whose body has no length.
    public mutating func receiveEnd() {
        hasEnded = true
    }

    /// The next part, nil when more bytes are needed.
    public mutating func next() throws(HTTPViolation) -> Part? {
        if let violation { throw violation }
        do {
            return try advance()
        } catch {
            violation = error
            buffer = []
            start = 0
            scanned = 0
            throw error
        }
    }

    /// Whether the connection stands between two messages.
    public var isIdle: Bool { body == .none && bufferedBytes == 0 }

    /// The bytes received and not used.
    public var bufferedBytes: Int { buffer.count - start }

    /// Hands out the bytes received and not used; they belong to the protocol after an upgrade.
    public mutating func takeRemainder() -> [UInt8] {
        let rest = Array(buffer[start...])
        buffer = []
        start = 0
        scanned = 0
        body = .upgraded
        return rest
    }

    private mutating func advance() throws(HTTPViolation) -> Part? {
        while true {
            switch body {
            case .none:
                // TLS on a plain port, for example, shall not wait for a time limit. An empty line ends here too.
                if bufferedBytes > 0, !HTTPSyntax.isTokenByte(buffer[start]) {
                    throw HTTPViolation(status: 400, message: "this does not begin like HTTP")
                }
                guard let lines = try takeBlock() else { return nil }
                return try parse(head: lines)
            case .counted(0):
                body = .none
                return .end
            case .counted(let left):
                return takeBody(left) { .counted($0) }
            case .chunkSize:
                guard let line = try takeLine(limit: 256, status: 400) else { return nil }
                let size = try chunkSize(line)
                body = size == 0 ? .trailer : .chunk(size)
            case .chunk(0):
                body = .chunkEnd
            case .chunk(let left):
                return takeBody(left) { .chunk($0) }
            case .chunkEnd:
                guard let line = try takeLine(limit: 0, status: 400) else { return nil }
                guard line.isEmpty else { throw HTTPViolation(status: 400, message: "a chunk is longer than it says") }
                body = .chunkSize
            case .trailer:
                guard let fields = try takeBlock() else { return nil }
                // Read for their syntax, then dropped: nothing here gives trailers a meaning.
                _ = try self.fields(fields)
                body = .none
                return .end
            case .untilEnd:
                if bufferedBytes == 0 {
                    guard hasEnded else { return nil }
                    body = .upgraded
                    return .end
                }
                try count(bufferedBytes)
                return takeBody(bufferedBytes) { _ in .untilEnd }
            case .upgraded:
                return nil
            }
        }
    }

    private mutating func takeBody(_ left: Int, _ then: (Int) -> Body) -> Part? {
        let count = min(left, bufferedBytes)
        guard count > 0 else { return nil }
        let bytes = Array(buffer[start..<start + count])
        start += count
        scanned = start
        body = then(left - count)
        return .body(bytes)
    }

    /// Counts bytes of the body against the limit.
    mutating func count(_ bytes: Int) throws(HTTPViolation) {
        let (sum, overflow) = bodyBytes.addingReportingOverflow(bytes)
        guard !overflow, sum <= limits.bodyBytes else {
            throw HTTPViolation(status: 413, message: "the body is longer than \(limits.bodyBytes) bytes")
        }
        bodyBytes = sum
    }

    // MARK: - Lines

    /// Takes lines up to an empty one, without that.
    private mutating func takeBlock() throws(HTTPViolation) -> [ArraySlice<UInt8>]? {
        var position = max(scanned, start)
        while position < buffer.count {
            guard buffer[position] == HTTPSyntax.lineFeed else {
                position += 1
                continue
            }
            guard position > start, buffer[position - 1] == HTTPSyntax.carriageReturn else {
                throw HTTPViolation(status: 400, message: "a line ends with LF alone")
            }
            let emptyLine =
                position - 1 == start
                || (position >= start + 3 && buffer[position - 2] == HTTPSyntax.lineFeed)
            position += 1
            guard emptyLine else { continue }
            let block = buffer[start..<position - 2]
            guard position - start <= limits.headBytes else { throw tooLong }
            start = position
            scanned = position
            return try lines(of: block)
        }
        scanned = position
        guard bufferedBytes <= limits.headBytes else { throw tooLong }
        return nil
    }

    private var tooLong: HTTPViolation {
        HTTPViolation(status: 431, message: "the head is longer than \(limits.headBytes) bytes")
    }

    /// Splits a block of whole lines; the line ends are checked already, a CR inside a line is not.
    private func lines(of block: ArraySlice<UInt8>) throws(HTTPViolation) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = block
        while let end = rest.firstIndex(of: HTTPSyntax.lineFeed) {
            let line = rest[rest.startIndex..<end - 1]
            guard !line.contains(HTTPSyntax.carriageReturn) else {
                throw HTTPViolation(status: 400, message: "a CR stands inside a line")
            }
            lines.append(line)
            guard lines.count <= limits.headerCount + 1 else {
                throw HTTPViolation(status: 431, message: "more than \(limits.headerCount) fields")
            }
            rest = rest[(end + 1)...]
        }
        return lines
    }

    /// Takes one line of at most so many bytes.
    private mutating func takeLine(limit: Int, status: Int) throws(HTTPViolation) -> ArraySlice<UInt8>? {
        let window = buffer[start...].prefix(limit + 2)
        guard let end = window.firstIndex(of: HTTPSyntax.lineFeed) else {
            guard window.count < limit + 2 else { throw HTTPViolation(status: status, message: "a line is too long") }
            return nil
        }
        guard end > start, buffer[end - 1] == HTTPSyntax.carriageReturn else {
            throw HTTPViolation(status: 400, message: "a line ends with LF alone")
        }
        let line = buffer[start..<end - 1]
        start = end + 1
        scanned = start
        return line
    }
}
