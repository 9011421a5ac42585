// SPDX-License-Identifier: MIT

extension HTTP2ClientConnection: TCPConnectionHandler {
    /// TLS is up: sends the preface; requests wait for the server's settings.
    public func connectionOpened(_ connection: TCPConnection) {
        guard !requiresALPN || connection.negotiatedProtocol == "h2" else {
            return abort(
                NetError(.tls, "\(connection.peerAddress) does not speak HTTP/2 (no \"h2\" by ALPN); check the port"))
        }
        phaseTimer.start(after: configuration.connectTimeout) { [weak self] in
            self?.abort(NetError(.timedOut, "\(connection.peerAddress) sent no HTTP/2 settings in time"))
        }
        startPingTimer()
        flush()
    }

    /// Feeds the session and carries out what came of it.
    public func connection(_ connection: TCPConnection, received bytes: UnsafeRawBufferPointer) {
        sawBytes = true
        do {
            handle(try session.receive(bytes))
        } catch {
            return abort(error)
        }
        flush()
    }

    /// Sends what had to wait.
    public func connectionDrained(_ connection: TCPConnection) {
        flush()
    }

    /// Fails what is left without an answer.
    public func connectionClosed(_ connection: TCPConnection, error: NetError?) {
        guard !isClosed else { return }
        isClosed = true
        isUsable = false
        for timer in [deadlineTimer, phaseTimer, pingTimer] { timer.cancel() }
        let reason = closeError ?? error
        let failure = reason ?? NetError(.closed, "the server closed the connection; open a new one")
        closeError = failure
        let unanswered = open.sorted { $0.key < $1.key }.map(\.value)
        let unsent = takeQueue()
        let unansweredPings = pings
        open = [:]
        pings = []
        for request in unanswered { request.completion(.failure(.connectionLost(failure))) }
        for request in unsent { request.completion(.failure(.notSent(failure))) }
        for ping in unansweredPings { ping(false) }
        let handler = handler
        self.handler = nil
        handler?(.closed(reason))
    }

    private func handle(_ events: [HTTP2Session.Event]) {
        for event in events {
            switch event {
            case .response(let stream, let response):
                open.removeValue(forKey: stream)?.completion(.success(response))
            case .streamClosed(let stream, let code):
                guard let request = open.removeValue(forKey: stream) else { continue }
                request.completion(.failure(code == .refusedStream ? .refused : .reset(code)))
            case .settings:
                phaseTimer.cancel()
                settingsArrived()
            case .goAway(let lastStream, let code, let data):
                let text = String(decoding: data.prefix(200), as: UTF8.self)
                retire(NetError(.closed, "the server goes away (\(code) \(text)); open a new connection"))
                handler?(.goAway(lastStream: lastStream, code, debugData: data))
            case .pingAnswered:
                if !pings.isEmpty { pings.removeFirst()(true) }
            case .request: break
            }
        }
    }

    /// Takes no new requests; what waits is given back unsent.
    func retire(_ reason: NetError) {
        guard isUsable else { return }
        isUsable = false
        let unsent = takeQueue()
        guard !unsent.isEmpty else { return }
        later { for request in unsent { request.completion(.failure(.notSent(reason))) } }
    }

    private func takeQueue() -> [Pending] {
        let waiting = Array(queue[queueStart...])
        queue = []
        queueStart = 0
        return waiting
    }

    /// Sends in the next turn of the loop, so that requests made together go out together.
    func planFlush() {
        guard !isFlushPlanned, !isClosed else { return }
        isFlushPlanned = true
        loop.execute { self.flush() }
    }

    func flush() {
        isFlushPlanned = false
        guard let connection, !isClosed, connection.isOpen else { return }
        submitQueued()
        do {
            // Beyond this much unread by the server, more requests only cost memory.
            while connection.bufferedBytes < 1_048_576 {
                let sent = try session.sendOutput { connection.write($0) }
                handle(session.takeEvents())
                guard sent else { break }
            }
        } catch {
            return abort(error)
        }
        if session.isFinished || (!isUsable && open.isEmpty) { finish() }
    }

    private func finish() {
        guard let connection, connection.isOpen else { return }
        if isUsable {
            // nghttp2 ended the session: the server broke the protocol.
            isUsable = false
            closeError = NetError(.protocolViolation, "\(connection.peerAddress) broke HTTP/2; the connection is over")
        } else if open.isEmpty {
            session.terminate(.noError)
            if let last = try? session.takeOutput(), !last.isEmpty { connection.write(last) }
        }
        connection.close()
    }

    private func submitQueued() {
        while queueStart < queue.count, open.count < streamLimit {
            let next = queue[queueStart]
            queueStart += 1
            do {
                let stream = try session.submit(next.request)
                open[stream] = Open(timeout: next.timeout, deadline: next.deadline, completion: next.completion)
            } catch {
                later { next.completion(.failure(.notSent(error))) }
                // The stream numbers are used up or the session ended: nothing more fits on this connection.
                retire(error)
            }
        }
        if queueStart == queue.count {
            queue.removeAll(keepingCapacity: true)
            queueStart = 0
        } else if queueStart > 1_024 {
            queue.removeFirst(queueStart)
            queueStart = 0
        }
    }
}

// MARK: - Time

extension HTTP2ClientConnection {
    /// Makes sure that the timer runs out no later than the deadline.
    func armDeadline(_ deadline: ContinuousClock.Instant) {
        if let armedDeadline, armedDeadline <= deadline { return }
        armedDeadline = deadline
        deadlineTimer.start(after: deadline - .now) { [weak self] in self?.deadlinePassed() }
    }

    private func deadlinePassed() {
        armedDeadline = nil
        let now = ContinuousClock.now
        var late: [(completion: (Answer) -> Void, failure: HTTP2Failure)] = []
        for (stream, request) in open where request.deadline <= now {
            open[stream] = nil
            session.reset(stream, .cancel)
            late.append((request.completion, .timedOut(request.timeout)))
        }
        var waiting: [Pending] = []
        for request in queue[queueStart...] {
            if request.deadline > now {
                waiting.append(request)
            } else {
                let error = NetError(.timedOut, "no stream was free within \(request.timeout)")
                late.append((request.completion, .notSent(error)))
            }
        }
        queue = waiting
        queueStart = 0
        let next = (open.values.map(\.deadline) + waiting.map(\.deadline)).min()
        if let next { armDeadline(next) }
        for (completion, failure) in late { completion(.failure(failure)) }
        planFlush()
    }

    fileprivate func startPingTimer() {
        guard let interval = configuration.pingInterval else { return }
        sawBytes = false
        pingTimer.start(after: interval) { [weak self] in self?.pingIfQuiet() }
    }

    private func pingIfQuiet() {
        guard !isClosed else { return }
        guard !sawBytes else { return startPingTimer() }
        let limit = configuration.pingTimeout
        pingTimer.start(after: limit) { [weak self] in
            self?.abort(NetError(.timedOut, "the server answered no PING within \(limit); the connection is dead"))
        }
        ping { [weak self] isAlive in
            if isAlive { self?.startPingTimer() }
        }
    }
}
