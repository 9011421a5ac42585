// SPDX-License-Identifier: MIT

extension WebSocket: TCPConnectionHandler {
    /// Takes over a connection whose handshake is done, with what came after the handshake.
    func open(on connection: TCPConnection, remainder: [UInt8]) {
        self.connection = connection
        peerAddress = connection.peerAddress
        connection.handler = self
        phase = .open
        startPinging()
        let waiting = early
        early = []
        if !waiting.isEmpty { connection.write(waiting) }
        handlers?.opened(self)
        if !remainder.isEmpty { remainder.withUnsafeBytes { receive($0) } }
    }

    // MARK: - Sending

    func sendData(_ frame: [UInt8]) {
        switch phase {
        case .connecting:
            guard early.isEmpty || early.count + frame.count <= limits.outboundBytes else { return tooSlow() }
            early.append(contentsOf: frame)
        case .open:
            guard let connection else { return }
            let waiting = connection.bufferedBytes
            guard waiting == 0 || waiting + frame.count <= limits.outboundBytes else { return tooSlow() }
            connection.write(frame)
        case .closing, .closed: break
        }
    }

    private func tooSlow() {
        end = WebSocketClose(
            code: 1013, reason: "reads too slowly",
            error: NetError(
                .limitExceeded, "\(peerAddress) reads too slowly: \(limits.outboundBytes) bytes wait for it."))
        startClosing(code: 1013, reason: "reads too slowly")
    }

    // MARK: - Receiving

    /// Bytes came from the peer.
    public func connection(_ connection: TCPConnection, received bytes: UnsafeRawBufferPointer) {
        receive(bytes)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) {
        if isPingPending {
            // Whatever came shows that the peer is there.
            isPingPending = false
            startPinging()
        }
        for event in decoder.receive(bytes) {
            guard phase == .open || phase == .closing, !receivedClose else { return }
            handle(event)
        }
    }

    private func handle(_ event: WebSocketEvent) {
        switch event {
        case .text(let text): if phase == .open { handlers?.text(self, text) }
        case .binary(let bytes): if phase == .open { handlers?.binary(self, bytes) }
        case .ping(let bytes): sendData(encoder.pong(bytes))
        case .pong: break
        case .close(let code, let reason): peerCloses(code: code, reason: reason)
        case .violation(let violation): refuse(violation)
        }
    }

    /// Everything waiting has gone out.
    public func connectionDrained(_ connection: TCPConnection) {
        if phase == .open { handlers?.drained(self) }
    }

    // MARK: - Pings

    func startPinging() {
        guard phase == .open else { return }
        guard let interval = limits.pingInterval else { return timer.cancel() }
        timer.start(after: interval) { [unowned self] in sendPing() }
    }

    func sendPing() {
        guard phase == .open else { return }
        isPingPending = true
        sendData(encoder.ping())
        guard phase == .open else { return }
        timer.start(after: limits.pongTimeout) { [unowned self] in
            // While this end does not read, silence proves nothing.
            if connection?.wantsReading == false {
                isPingPending = false
                return startPinging()
            }
            fail(NetError(.timedOut, "\(peerAddress) did not answer a ping within \(limits.pongTimeout)."))
        }
    }
}
