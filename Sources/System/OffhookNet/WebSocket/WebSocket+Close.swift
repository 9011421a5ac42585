// SPDX-License-Identifier: MIT

extension WebSocket {
    /// This end closes: the close frame, then the peer's close frame is awaited.
    func startClosing(code: Int, reason: String) {
        switch phase {
        case .connecting:
            end = end ?? WebSocketClose(code: code, reason: reason)
            finish()
        case .open:
            end = end ?? WebSocketClose(code: code, reason: reason)
            phase = .closing
            connection?.write(encoder.close(code: code, reason: reason))
            timer.start(after: limits.closeTimeout) { [unowned self] in connection?.abort() }
        case .closing, .closed: break
        }
    }

    /// The peer's close frame came, as the first one or as the answer to ours.
    func peerCloses(code: Int?, reason: String) {
        receivedClose = true
        let error = end?.error
        end = WebSocketClose(code: code ?? WebSocketCloseCode.none, reason: reason, error: error)
        if phase == .open {
            phase = .closing
            connection?.write(encoder.close(code: code))
            timer.start(after: limits.closeTimeout) { [unowned self] in connection?.abort() }
        }
        // The server ends TCP, the client waits for that a while (RFC 6455 §7.1.1).
        if role == .server { connection?.close() }
    }

    /// The peer broke a rule: say so and close, without waiting for its close frame (RFC 6455 §7.1.7).
    func refuse(_ violation: WebSocketViolation) {
        let code: NetError.Code = violation.code == 1009 ? .limitExceeded : .protocolViolation
        let wasOpen = phase == .open
        if end == nil {
            end = WebSocketClose(
                code: violation.code, reason: violation.message,
                error: NetError(code, "\(peerAddress) broke the WebSocket protocol: \(violation.message)."))
        }
        phase = .closing
        if wasOpen { connection?.write(encoder.close(code: violation.code, reason: violation.message)) }
        connection?.close()
    }

    /// Cuts the connection because of an error, nil when that is wanted.
    func fail(_ error: NetError?) {
        switch phase {
        case .connecting, .open, .closing:
            if end == nil { end = WebSocketClose(code: WebSocketCloseCode.abnormal, error: error) }
            finish()
        case .closed: break
        }
    }

    /// Gives up the connection; `closed` comes when it is gone.
    private func finish() {
        phase = .closed
        timer.cancel()
        if let connection {
            connection.abort()
        } else if !loop.execute({ self.announceEnd() }) {
            announceEnd()
        }
    }

    /// The peer's TCP end came.
    public func connectionEnded(_ connection: TCPConnection) {
        connection.close()
    }

    /// TCP is gone, so the WebSocket is.
    public func connectionClosed(_ connection: TCPConnection, error: NetError?) {
        if end == nil {
            end = WebSocketClose(
                code: WebSocketCloseCode.abnormal,
                error: error
                    ?? NetError(.connectionReset, "\(peerAddress) ended the connection without a close frame."))
        }
        announceEnd()
    }

    func announceEnd() {
        phase = .closed
        timer.cancel()
        connection = nil
        early = []
        let end = end ?? WebSocketClose(code: WebSocketCloseCode.abnormal)
        let handlers = handlers
        let onEnd = onEnd
        self.handlers = nil
        self.onEnd = nil
        handlers?.closed(self, end)
        onEnd?(self)
    }
}
