// SPDX-License-Identifier: MIT

/// A TCP connection, encrypted when it has a TLS context, bound to an event loop.
///
/// Everything is called on the loop's thread, and the handler is called there. The connection keeps itself and its
/// handler alive until `connectionClosed`.
///
/// - Isolation: the loop's thread
public final class TCPConnection {
    enum Phase {
        /// Looking for the host or waiting for TCP. Leaves to: handshaking, open, closed.
        case connecting
        /// TCP is up, TLS is not. Leaves to: open, closing, closed.
        case handshaking
        /// Both directions work. Leaves to: closing, closed.
        case open
        /// This end wants to close; the queue is on its way out. Leaves to: lingering, closed.
        case closing
        /// Everything is sent; waits for the peer's end, dropping what comes. Leaves to: closed.
        case lingering
        /// Over. `connectionClosed` has been or will be called in a moment.
        case closed
    }

    /// The loop whose thread owns the connection.
    public let loop: EventLoop
    /// The peer as address and port, such as `127.0.0.1:5000`; the wanted host and port before the connection is up.
    public internal(set) var peerAddress: String
    /// The peer's address without the port.
    public internal(set) var peerHost: String
    /// What is told about the connection.
    ///
    /// Held until `connectionClosed`, then let go.
    public var handler: (any TCPConnectionHandler)?

    var phase: Phase
    var socket: TCPSocket?
    let tls: TLSEngine?
    var error: NetError?
    var isReading = false
    var wantsReading = true
    var peerHasEnded = false
    var hasEndedWriting = false
    var isShutDown = false
    var isDrainPending = false
    /// Plain bytes written before the connection was up.
    var early: [UInt8] = []
    /// Limits connect and TLS handshake, later the close.
    let phaseTimer: TimerHandle
    var idle: IdleWatch?
    var addresses: [SocketAddress] = []

    init(loop: EventLoop, peerAddress: String, peerHost: String, phase: Phase, tls: TLSEngine?) {
        self.loop = loop
        self.peerAddress = peerAddress
        self.peerHost = peerHost
        self.phase = phase
        self.tls = tls
        phaseTimer = TimerHandle(core: loop.core)
    }

    /// Whether bytes can be written.
    public var isOpen: Bool {
        switch phase {
        case .connecting, .handshaking, .open: !hasEndedWriting
        case .closing, .lingering, .closed: false
        }
    }

    /// The bytes that were written and still wait for the peer to read, those of TLS included.
    public var bufferedBytes: Int {
        (socket?.queuedBytes ?? 0) + early.count
    }

    /// The protocol that TLS agreed on, such as `h2`; nil without TLS or agreement.
    public var negotiatedProtocol: String? { tls?.negotiatedProtocol }

    /// Whether the connection is encrypted.
    public var isEncrypted: Bool { tls != nil }

    /// Stops taking bytes from the peer, so that its sending stalls in the end.
    public func pauseReading() {
        loop.requireCurrent("TCPConnection.pauseReading")
        wantsReading = false
        updateReading()
    }

    /// Takes bytes from the peer again.
    public func resumeReading() {
        loop.requireCurrent("TCPConnection.resumeReading")
        wantsReading = true
        updateReading()
    }

    /// Closes the connection with `timedOut` when no byte comes for so long, at most half as long later; nil: never.
    public var idleTimeout: Duration? {
        get { idle?.limit }
        set {
            loop.requireCurrent("TCPConnection.idleTimeout")
            idle?.cancel()
            idle = newValue.map { IdleWatch(connection: self, limit: $0) }
            if phase == .open { idle?.start() }
        }
    }

    /// Sends what is written, then says that nothing more comes; the peer may go on.
    ///
    /// Writes after that are dropped. Does nothing unless the connection is open.
    public func endWriting() {
        loop.requireCurrent("TCPConnection.endWriting")
        startShutdown()
    }

    /// Sends what is written, then closes; waits up to 3 s for a peer that does not read or does not close.
    ///
    /// `connectionClosed` follows. Bytes that still come are dropped.
    public func close() {
        loop.requireCurrent("TCPConnection.close")
        startClosing()
    }

    /// Closes at once; what is still in the queue is lost.
    ///
    /// `connectionClosed` follows.
    ///
    /// - Parameter error: What `connectionClosed` will say; nil: the close was wanted.
    public func abort(_ error: NetError? = nil) {
        loop.requireCurrent("TCPConnection.abort")
        finish(error)
    }
}

// Protected by: its loop's thread, which every public member is called on.
extension TCPConnection: @unchecked Sendable {}
