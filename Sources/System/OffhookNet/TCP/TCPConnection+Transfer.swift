// SPDX-License-Identifier: MIT

extension TCPConnection {
    /// Writes bytes; what the system does not take at once waits in the queue, see ``bufferedBytes``.
    ///
    /// Before the connection is open the bytes wait for it. Dropped after ``endWriting()`` and ``close()``.
    /// A failure comes as `connectionClosed`, never from inside this call.
    ///
    /// - Isolation: the loop's thread
    public func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { write($0) }
    }

    /// Writes bytes that need only stay valid during the call.
    ///
    /// - Isolation: the loop's thread
    public func write(_ bytes: UnsafeRawBufferPointer) {
        loop.requireCurrent("TCPConnection.write")
        switch phase {
        case .connecting, .handshaking: early.append(contentsOf: bytes)
        case .open:
            guard !hasEndedWriting else { return }
            guard let tls else { return send(bytes) }
            do {
                try tls.write(bytes)
                flushTLS()
            } catch {
                failTLS(error)
            }
        case .closing, .lingering, .closed: return
        }
    }

    /// Sends what the TLS engine has to say.
    func flushTLS() {
        tls?.sendOutput { send($0) }
    }

    /// Sends the alert, then gives up.
    func failTLS(_ error: NetError) {
        flushTLS()
        finish(NetError(error.code, "\(peerAddress): \(error.message)"))
    }

    /// Hands bytes to the socket as they are.
    private func send(_ bytes: UnsafeRawBufferPointer) {
        guard let socket, !bytes.isEmpty else { return }
        let status = socket.write(bytes)
        if status < 0 { return fail(.system(status, "Writing to \(peerAddress) failed")) }
        if socket.queuedBytes > 0 { isDrainPending = true }
    }

    func socketWrote(_ socket: TCPSocket, status: Int32) {
        guard socket === self.socket, phase != .closed else { return }
        if status < 0 { return fail(.system(status, "Writing to \(peerAddress) failed")) }
        guard isDrainPending, socket.queuedBytes == 0 else { return }
        isDrainPending = false
        if phase == .open { handler?.connectionDrained(self) }
    }

    func updateReading() {
        guard let socket else { return }
        let should: Bool
        switch phase {
        case .connecting, .open: should = wantsReading && !peerHasEnded
        case .handshaking, .closing, .lingering: should = !peerHasEnded
        case .closed: should = false
        }
        guard should != isReading else { return }
        isReading = should
        if should {
            let status = socket.startReading()
            if status < 0 { fail(.system(status, "Reading from \(peerAddress) failed")) }
        } else {
            socket.stopReading()
        }
    }

    func socketReceived(_ bytes: UnsafeRawBufferPointer) {
        idle?.touch()
        switch phase {
        case .handshaking, .open: break
        case .connecting, .closing, .lingering, .closed: return
        }
        guard let tls else {
            handler?.connection(self, received: bytes)
            return
        }
        do {
            let plain = try tls.receive(bytes)
            flushTLS()
            if phase == .handshaking, tls.isHandshakeComplete {
                open()
                updateReading()
            }
            if !plain.isEmpty, phase == .open {
                plain.withUnsafeBytes { handler?.connection(self, received: $0) }
            }
            if tls.receivedCloseNotify, !peerHasEnded { socketEnded() }
        } catch {
            failTLS(error)
        }
    }

    /// The peer sends nothing more.
    func socketEnded() {
        guard phase != .closed, !peerHasEnded else { return }
        peerHasEnded = true
        updateReading()
        switch phase {
        case .connecting, .handshaking:
            finish(NetError(.connectionReset, "\(peerAddress) closed the connection during the TLS handshake."))
        case .open: handler?.connectionEnded(self)
        case .closing: break
        case .lingering: finish(nil)
        case .closed: break
        }
    }
}
