// SPDX-License-Identifier: MIT

/// Turns messages into the frames of RFC 6455, without any I/O.
///
/// A client's frames get a new unpredictable mask each; a server's get none. No extension is used.
public struct WebSocketEncoder: Hashable, Sendable {
    /// Which end sends.
    public let role: WebSocketRole

    /// Makes an encoder.
    public init(role: WebSocketRole) {
        self.role = role
    }

    /// A text message as one frame.
    public func text(_ text: String) -> [UInt8] {
        var text = text
        return text.withUTF8 { frame(.text, UnsafeRawBufferPointer($0)) }
    }

    /// A binary message as one frame.
    public func binary(_ bytes: [UInt8]) -> [UInt8] {
        frame(.binary, bytes)
    }

    /// A ping of at most 125 bytes.
    ///
    /// - Precondition: At most 125 bytes.
    public func ping(_ bytes: [UInt8] = []) -> [UInt8] {
        frame(.ping, bytes)
    }

    /// A pong of at most 125 bytes.
    ///
    /// - Precondition: At most 125 bytes.
    public func pong(_ bytes: [UInt8]) -> [UInt8] {
        frame(.pong, bytes)
    }

    /// A close frame.
    ///
    /// - Parameters:
    ///   - code: 1000 ... 1003, 1007 ... 1014 or 3000 ... 4999; nil: a frame without code and reason.
    ///   - reason: For people; cut to what fits, 123 bytes of UTF-8.
    /// - Returns: The frame's bytes.
    /// - Precondition: The code is one that may be sent.
    public func close(code: Int?, reason: String = "") -> [UInt8] {
        guard let code else { return frame(.close, []) }
        precondition(WebSocketCloseCode.mayBeSent(code), "\(code) is no close code that may be sent (RFC 6455 §7.4)")
        var payload = [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)]
        for scalar in reason.unicodeScalars {
            let bytes = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            guard payload.count + bytes.count <= 125 else { break }
            payload.append(contentsOf: bytes)
        }
        return frame(.close, payload)
    }

    /// One frame of any kind, for messages sent in fragments.
    ///
    /// - Precondition: A control frame is final and has at most 125 bytes.
    public func frame(_ opcode: WebSocketOpcode, isFinal: Bool = true, _ payload: [UInt8]) -> [UInt8] {
        payload.withUnsafeBytes { frame(opcode, isFinal: isFinal, $0) }
    }

    /// One frame of any kind of bytes that need only stay valid during the call.
    ///
    /// - Precondition: A control frame is final and has at most 125 bytes.
    public func frame(
        _ opcode: WebSocketOpcode, isFinal: Bool = true, _ payload: UnsafeRawBufferPointer
    ) -> [UInt8] {
        frame(opcode, isFinal: isFinal, payload, mask: role == .client ? .random() : nil)
    }

    func frame(
        _ opcode: WebSocketOpcode, isFinal: Bool, _ payload: UnsafeRawBufferPointer, mask: WebSocketMask?
    ) -> [UInt8] {
        precondition(!opcode.isControl || (isFinal && payload.count <= 125), "a control frame is short and final")
        let count = payload.count
        return [UInt8](unsafeUninitializedCapacity: count + 14) { frame, size in
            var index = 0
            func put(_ byte: UInt8) {
                frame.initializeElement(at: index, to: byte)
                index += 1
            }
            let maskBit: UInt8 = mask == nil ? 0 : 0x80
            put(opcode.rawValue | (isFinal ? 0x80 : 0))
            switch count {
            case ...125: put(UInt8(count) | maskBit)
            case ...0xffff:
                put(126 | maskBit)
                for shift in [8, 0] { put(UInt8(truncatingIfNeeded: count >> shift)) }
            default:
                put(127 | maskBit)
                for shift in stride(from: 56, through: 0, by: -8) { put(UInt8(truncatingIfNeeded: count >> shift)) }
            }
            if let mask { for position in 0..<4 { put(mask[position]) } }
            if count > 0 {
                let body = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(frame)[index..<index + count])
                body.copyMemory(from: payload)
                mask?.apply(to: body, position: 0)
            }
            size = index + count
        }
    }
}
