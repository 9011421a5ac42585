// SPDX-License-Identifier: MIT

/// A WebSocket, of either role, bound to an event loop (RFC 6455).
///
/// Pings, pongs, the close handshake and the limits are its own business; the handlers see whole messages. It keeps
/// itself and its handlers alive until `closed`.
public final class WebSocket {
    enum Phase {
        /// A client's connection or handshake is under way; messages wait. Leaves to: open, closed.
        case connecting
        /// Messages go both ways. Leaves to: closing, closed.
        case open
        /// A close frame was sent; the peer's end is awaited. Leaves to: closed.
        case closing
        /// Over, or about to be; `closed` has been or will be called in a moment.
        case closed
    }

    /// The loop whose thread calls the handlers.
    public let loop: EventLoop
    /// Which end this is.
    public let role: WebSocketRole
    /// The subprotocol both ends agreed on; nil for none.
    ///
    /// Final from `opened` on; read it on the loop's thread.
    public internal(set) var subprotocol: String?
    /// The peer as address and port.
    ///
    /// Final from `opened` on; read it on the loop's thread.
    public internal(set) var peerAddress: String

    let limits: WebSocketLimits
    let encoder: WebSocketEncoder
    var phase: Phase
    var connection: TCPConnection?
    var decoder: WebSocketDecoder
    var handlers: WebSocketHandlers?
    /// How it will be reported, as far as it is known.
    var end: WebSocketClose?
    var receivedClose = false
    var isPingPending = false
    /// Pings, and the time for closing.
    let timer: TimerHandle
    /// What was sent before it was open.
    var early: [UInt8] = []
    /// Tells the server that this one is over.
    var onEnd: ((WebSocket) -> Void)?

    init(
        loop: EventLoop, role: WebSocketRole, limits: WebSocketLimits, handlers: WebSocketHandlers, phase: Phase,
        peerAddress: String
    ) {
        self.loop = loop
        self.role = role
        self.limits = limits
        self.handlers = handlers
        self.phase = phase
        self.peerAddress = peerAddress
        encoder = WebSocketEncoder(role: role)
        decoder = WebSocketDecoder(role: role, messageBytes: limits.messageBytes, frameBytes: limits.frameBytes)
        timer = TimerHandle(core: loop.core)
    }

    /// Sends a text message.
    ///
    /// Before the WebSocket is open it waits; when it is closing or closed it is dropped.
    ///
    /// - Isolation: any thread; the messages of one thread keep their order
    public func send(text: String) {
        onLoop { $0.sendData($0.encoder.text(text)) }
    }

    /// Sends a binary message.
    ///
    /// Before the WebSocket is open it waits; when it is closing or closed it is dropped.
    ///
    /// - Isolation: any thread; the messages of one thread keep their order
    public func send(binary: [UInt8]) {
        onLoop { $0.sendData($0.encoder.binary(binary)) }
    }

    /// Sends a ping now; a peer that then says nothing within the pong timeout is cut off.
    ///
    /// - Isolation: any thread
    public func ping() {
        onLoop { $0.sendPing() }
    }

    /// Closes with a close frame; what was sent before goes out first.
    ///
    /// `closed` follows.
    ///
    /// - Parameters:
    ///   - code: 1000 ... 1003, 1007 ... 1014 or 3000 ... 4999.
    ///   - reason: For people; cut to 123 bytes.
    /// - Precondition: The code is one that may be sent.
    /// - Isolation: any thread
    public func close(code: Int = 1000, reason: String = "") {
        precondition(WebSocketCloseCode.mayBeSent(code), "\(code) is no close code that may be sent (RFC 6455 §7.4)")
        onLoop { $0.startClosing(code: code, reason: reason) }
    }

    /// Cuts the connection at once, without a close frame.
    ///
    /// `closed` follows with code 1006.
    ///
    /// - Isolation: any thread
    public func abort() {
        onLoop { $0.fail(nil) }
    }

    /// The bytes sent that still wait for the peer to read.
    ///
    /// - Isolation: the loop's thread
    public var bufferedBytes: Int {
        loop.requireCurrent("WebSocket.bufferedBytes")
        return (connection?.bufferedBytes ?? 0) + early.count
    }

    /// Stops taking messages, so that the peer's sending stalls in the end.
    ///
    /// Pings are not answered meanwhile.
    ///
    /// - Isolation: the loop's thread
    public func pauseReading() {
        connection?.pauseReading()
    }

    /// Takes messages again.
    ///
    /// - Isolation: the loop's thread
    public func resumeReading() {
        connection?.resumeReading()
    }

    func onLoop(_ work: @escaping @Sendable (WebSocket) -> Void) {
        if loop.isCurrent {
            work(self)
        } else {
            loop.execute { work(self) }
        }
    }
}

// Protected by: its loop's thread; members for any thread hand over to it.
extension WebSocket: @unchecked Sendable {}
