// SPDX-License-Identifier: MIT

import CUV

extension TCPConnection {
    /// How long a wanted close may take before it becomes an abort.
    static let closeLimit = Duration.seconds(3)

    func startClosing() {
        switch phase {
        case .connecting, .handshaking: finish(nil)
        case .open:
            startShutdown()
            guard phase == .open else { return }
            phase = .closing
            idle?.cancel()
            phaseTimer.start(after: Self.closeLimit) { [self] in finish(nil) }
            updateReading()
            if isShutDown { linger() }
        case .closing, .lingering, .closed: break
        }
    }

    /// Ends this direction behind everything that is queued.
    func startShutdown() {
        guard phase == .open, !hasEndedWriting, let socket else { return }
        hasEndedWriting = true
        tls?.shutdown()
        flushTLS()
        guard phase == .open else { return }
        let status = socket.shutdown()
        if status < 0 { finish(nil) }
    }

    func socketShutDown(status: Int32) {
        isShutDown = true
        guard status == 0 else { return fail(.system(status, "Writing to \(peerAddress) failed")) }
        if phase == .closing { linger() }
    }

    /// Waits for the peer's end.
    private func linger() {
        // Closing with unread input would make the system send a reset, which can destroy what was just sent.
        phase = .lingering
        if peerHasEnded { finish(nil) }
    }

    /// Ends on an error of the connection; while closing it is as good as closed.
    func fail(_ error: NetError) {
        switch phase {
        case .connecting, .handshaking, .open: finish(error)
        case .closing, .lingering: finish(nil)
        case .closed: break
        }
    }

    /// Ends the connection; `connectionClosed` comes in a later turn of the loop.
    func finish(_ error: NetError?) {
        guard phase != .closed else { return }
        phase = .closed
        self.error = error
        phaseTimer.cancel()
        idle?.cancel()
        idle = nil
        addresses = []
        early = []
        if let socket {
            socket.closeHandle()
        } else if !loop.execute({ self.announceClose() }) {
            announceClose()
        }
    }

    func socketClosed(_ socket: TCPSocket) {
        guard socket === self.socket else { return }
        self.socket = nil
        announceClose()
    }

    private func announceClose() {
        let handler = handler
        self.handler = nil
        handler?.connectionClosed(self, error: error)
    }
}

/// Watches for a connection on which nothing comes.
final class IdleWatch {
    let limit: Duration
    private unowned let connection: TCPConnection
    private let timer: TimerHandle
    private var sawBytes = false
    private var quietLooks = 0

    init(connection: TCPConnection, limit: Duration) {
        self.connection = connection
        self.limit = limit
        timer = TimerHandle(core: connection.loop.core)
    }

    func start() {
        // Half the limit per look: cheap for busy connections, and at most one and a half times late.
        timer.start(after: limit / 2, every: limit / 2) { [weak self] in self?.look() }
    }

    func touch() {
        sawBytes = true
    }

    func cancel() {
        timer.cancel()
    }

    private func look() {
        quietLooks = sawBytes ? 0 : quietLooks + 1
        sawBytes = false
        guard quietLooks >= 2 else { return }
        connection.fail(NetError(.timedOut, "\(connection.peerAddress) sent nothing for \(limit)."))
    }
}
