// SPDX-License-Identifier: MIT

/// Which end of a WebSocket this is; a client masks what it sends, a server must not (RFC 6455 §5.1).
public enum WebSocketRole: Hashable, Sendable {
    /// The end that accepted the handshake.
    case server
    /// The end that asked for it.
    case client
}

/// The kind of a frame (RFC 6455 §5.2).
public enum WebSocketOpcode: UInt8, Hashable, Sendable {
    /// Continues a fragmented message.
    case continuation = 0x0
    /// Starts or is a text message.
    case text = 0x1
    /// Starts or is a binary message.
    case binary = 0x2
    /// Closes the connection.
    case close = 0x8
    /// Asks for a pong.
    case ping = 0x9
    /// Answers a ping.
    case pong = 0xA

    /// Whether frames of this kind stand for themselves: at most 125 bytes, never fragmented.
    public var isControl: Bool { rawValue & 0x8 != 0 }
}

/// What a decoder found in the bytes of a WebSocket.
public enum WebSocketEvent: Hashable, Sendable {
    /// A whole text message came.
    case text(String)
    /// A whole binary message came.
    case binary([UInt8])
    /// A ping came; a pong with the same bytes is due.
    case ping([UInt8])
    /// A pong came.
    case pong([UInt8])
    /// A close frame came; nothing follows. The code is nil when the frame had none.
    case close(code: Int?, reason: String)
    /// The peer broke the protocol or a limit; nothing follows.
    case violation(WebSocketViolation)
}

/// Why a peer's WebSocket bytes are refused.
public struct WebSocketViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The close code to answer with: 1002 protocol, 1007 not UTF-8, 1009 too big.
    public var code: Int
    /// The broken rule in words; quotes nothing of what was sent.
    public var message: String

    /// Makes a violation.
    public init(code: Int, message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the rule.
    public var description: String { "\(code): \(message)" }

    static func broken(_ message: String) -> WebSocketViolation { WebSocketViolation(code: 1002, message: message) }
}

/// The rules for close codes (RFC 6455 §7.4).
enum WebSocketCloseCode {
    /// Stands for a close frame without a code; never sent.
    static let none = 1005
    /// Stands for a connection that ended without a close frame; never sent.
    static let abnormal = 1006

    /// Whether a close frame may carry the code.
    static func mayBeSent(_ code: Int) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
