// SPDX-License-Identifier: MIT

/// Turns the bytes of a WebSocket into messages, strictly and within limits, without any I/O (RFC 6455).
///
/// Refused: reserved bits and opcodes, wrong masking for the role, lengths not in their shortest form, long or
/// fragmented control frames, continuations without a start, new messages inside a fragmented one, text that is not
/// UTF-8, close frames with one byte, a bad code or a bad reason, and what is over the limits. A frame's announced
/// length is checked before any of its payload is kept. An idle decoder holds no memory of its own.
public struct WebSocketDecoder {
    private struct Frame {
        var opcode: WebSocketOpcode
        var isFinal: Bool
        var mask: WebSocketMask?
        var length: Int
        var position = 0
    }

    private enum Header {
        case incomplete
        case complete(Frame, count: Int)
        case refused(WebSocketViolation)
    }

    /// Which end decodes: a server wants masked frames, a client unmasked ones.
    public let role: WebSocketRole
    /// The bytes of a message at most, over all its fragments.
    public let messageBytes: Int
    /// The bytes of a frame's payload at most.
    public let frameBytes: Int

    private var header: [UInt8] = []
    private var frame: Frame?
    private var control: [UInt8] = []
    private var message: [UInt8] = []
    private var messageKind: WebSocketOpcode?
    private var isOver = false

    /// Makes a decoder at the start of a connection.
    public init(role: WebSocketRole, messageBytes: Int = 65_536, frameBytes: Int? = nil) {
        self.role = role
        self.messageBytes = messageBytes
        self.frameBytes = min(frameBytes ?? messageBytes, messageBytes)
    }

    /// Takes bytes from the connection and returns what they complete, in order.
    ///
    /// After `close` or `violation`, always the last event, everything is ignored.
    public mutating func receive(_ bytes: UnsafeRawBufferPointer) -> [WebSocketEvent] {
        var events: [WebSocketEvent] = []
        var rest = bytes[...]
        while !isOver {
            if frame == nil {
                guard let started = takeHeader(&rest, &events) else { break }
                frame = started
            }
            guard var current = frame else { break }
            takePayload(&rest, of: &current)
            frame = current
            guard current.position == current.length else { break }
            frame = nil
            finish(current, &events)
        }
        return events
    }

    private mutating func refuse(_ violation: WebSocketViolation, _ events: inout [WebSocketEvent]) {
        isOver = true
        header = []
        control = []
        message = []
        frame = nil
        events.append(.violation(violation))
    }

    // MARK: - Header

    private mutating func takeHeader(
        _ rest: inout Slice<UnsafeRawBufferPointer>, _ events: inout [WebSocketEvent]
    ) -> Frame? {
        let parsed: Header
        let old = header.count
        if old == 0 {
            parsed = parse(UnsafeRawBufferPointer(rebasing: rest))
        } else {
            header.append(contentsOf: rest.prefix(14 - old))
            parsed = header.withUnsafeBytes { parse($0) }
        }
        switch parsed {
        case .incomplete:
            if old == 0 { header = Array(rest) }
            rest = rest[rest.endIndex...]
            return nil
        case .complete(let frame, let count):
            rest = rest.dropFirst(count - old)
            header = []
            return frame
        case .refused(let violation):
            refuse(violation, &events)
            return nil
        }
    }

    private func parse(_ bytes: UnsafeRawBufferPointer) -> Header {
        guard let first = bytes.first else { return .incomplete }
        guard first & 0x70 == 0 else { return .refused(.broken("a reserved bit is set")) }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0f) else {
            return .refused(.broken("the opcode is reserved"))
        }
        let isFinal = first & 0x80 != 0
        guard isFinal || !opcode.isControl else { return .refused(.broken("a control frame is fragmented")) }
        switch (opcode, messageKind) {
        case (.continuation, nil): return .refused(.broken("a continuation without a message"))
        case (.text, .some), (.binary, .some): return .refused(.broken("a new message inside a fragmented one"))
        case (.continuation, .some), (.text, nil), (.binary, nil), (.close, _), (.ping, _), (.pong, _): break
        }
        guard bytes.count >= 2 else { return .incomplete }
        let isMasked = bytes[1] & 0x80 != 0
        guard isMasked == (role == .server) else {
            return .refused(.broken(isMasked ? "a server's frame is masked" : "a client's frame is not masked"))
        }
        let short = Int(bytes[1] & 0x7f)
        guard short <= 125 || !opcode.isControl else {
            return .refused(.broken("a control frame is longer than 125 bytes"))
        }
        let extra = short == 126 ? 2 : short == 127 ? 8 : 0
        guard bytes.count >= 2 + extra else { return .incomplete }
        var length = UInt64(short)
        if extra > 0 {
            length = bytes[2..<2 + extra].reduce(0) { $0 << 8 | UInt64($1) }
            guard length >> 63 == 0 else { return .refused(.broken("a length has its highest bit set")) }
            guard length > (extra == 2 ? 125 : 0xffff) else {
                return .refused(.broken("a length is not in its shortest form"))
            }
        }
        if let violation = checkSize(length, opcode) { return .refused(violation) }
        let count = 2 + extra + (isMasked ? 4 : 0)
        guard bytes.count >= count else { return .incomplete }
        var mask: WebSocketMask?
        if isMasked {
            let key = bytes.loadUnaligned(fromByteOffset: 2 + extra, as: UInt32.self)
            mask = WebSocketMask(key: UInt32(littleEndian: key))
        }
        return .complete(Frame(opcode: opcode, isFinal: isFinal, mask: mask, length: Int(length)), count: count)
    }

    private func checkSize(_ length: UInt64, _ opcode: WebSocketOpcode) -> WebSocketViolation? {
        guard !opcode.isControl else { return nil }
        guard length <= UInt64(frameBytes) else {
            return WebSocketViolation(code: 1009, message: "a frame is longer than \(frameBytes) bytes")
        }
        guard message.count + Int(length) <= messageBytes else {
            return WebSocketViolation(code: 1009, message: "a message is longer than \(messageBytes) bytes")
        }
        return nil
    }

    // MARK: - Payload

    private mutating func takePayload(_ rest: inout Slice<UnsafeRawBufferPointer>, of frame: inout Frame) {
        let count = min(rest.count, frame.length - frame.position)
        guard count > 0 else { return }
        let bytes = UnsafeRawBufferPointer(rebasing: rest.prefix(count))
        rest = rest.dropFirst(count)
        if frame.opcode.isControl {
            Self.append(bytes, to: &control, frame)
        } else {
            Self.append(bytes, to: &message, frame)
        }
        frame.position += count
    }

    private static func append(_ bytes: UnsafeRawBufferPointer, to array: inout [UInt8], _ frame: Frame) {
        let start = array.count
        array.append(contentsOf: bytes)
        guard let mask = frame.mask else { return }
        array.withUnsafeMutableBytes {
            mask.apply(to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]), position: frame.position)
        }
    }

    private mutating func finish(_ frame: Frame, _ events: inout [WebSocketEvent]) {
        switch frame.opcode {
        case .continuation: break
        case .text, .binary: messageKind = frame.opcode
        case .ping: events.append(.ping(takeControl()))
        case .pong: events.append(.pong(takeControl()))
        case .close: finishClose(takeControl(), &events)
        }
        guard !frame.opcode.isControl, frame.isFinal else { return }
        let bytes = message
        message = []
        let isText = messageKind == .text
        messageKind = nil
        guard isText else { return events.append(.binary(bytes)) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return refuse(WebSocketViolation(code: 1007, message: "a text message is not UTF-8"), &events)
        }
        events.append(.text(text))
    }

    private mutating func takeControl() -> [UInt8] {
        let bytes = control
        control = []
        return bytes
    }

    private mutating func finishClose(_ payload: [UInt8], _ events: inout [WebSocketEvent]) {
        guard !payload.isEmpty else {
            isOver = true
            return events.append(.close(code: nil, reason: ""))
        }
        guard payload.count >= 2 else { return refuse(.broken("a close frame has one byte"), &events) }
        let code = Int(payload[0]) << 8 | Int(payload[1])
        guard WebSocketCloseCode.mayBeSent(code) else {
            return refuse(.broken("a close frame has a code that must not be sent"), &events)
        }
        guard let reason = String(validating: payload[2...], as: UTF8.self) else {
            return refuse(WebSocketViolation(code: 1007, message: "a close reason is not UTF-8"), &events)
        }
        isOver = true
        message = []
        events.append(.close(code: code, reason: reason))
    }
}
