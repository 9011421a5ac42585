// SPDX-License-Identifier: MIT

/// A server's connection as long as it speaks HTTP; belongs to the loop's thread.
final class HTTPServerConnection: TCPConnectionHandler {
    private enum Phase {
        /// Waits for the connection or the next request. Leaves to: receiving, over.
        case idle
        /// A request has begun to come. Leaves to: handling, over.
        case receiving
        /// The handler has the request; further bytes wait. Leaves to: answering, over.
        case handling
        /// The answer is on its way; the next request is not taken before it has left. Leaves to: idle, over.
        case answering
        /// Closed, closing, or a WebSocket now.
        case over
    }

    private let registry: HTTPServerRegistry
    private let connection: TCPConnection
    private let host: String
    private let isRefused: Bool
    private let timer: TimerHandle
    private var decoder: HTTPDecoder
    private var phase = Phase.idle
    private var request: HTTPRequest?
    private var requestNumber = 0

    init(registry: HTTPServerRegistry, connection: TCPConnection, isRefused: Bool) {
        self.registry = registry
        self.connection = connection
        self.isRefused = isRefused
        host = connection.peerHost
        decoder = HTTPDecoder(role: .server, limits: registry.limits.messages)
        timer = TimerHandle(core: registry.loop.core)
    }

    func connectionOpened(_ connection: TCPConnection) {
        if isRefused { return refuse(.text(503, "The server is full; try again later.")) }
        startTimer(registry.limits.requestTimeout)
    }

    func connection(_ connection: TCPConnection, received bytes: UnsafeRawBufferPointer) {
        guard phase != .over else { return }
        decoder.receive(bytes)
        switch phase {
        case .idle, .receiving: advance()
        // Pipelined requests wait; their sender has to as well.
        case .handling, .answering: connection.pauseReading()
        case .over: break
        }
    }

    func connectionDrained(_ connection: TCPConnection) {
        takeNext()
    }

    func connectionEnded(_ connection: TCPConnection) {
        // A client may shut down its sending side after its requests and still read the answers.
        switch phase {
        case .idle, .receiving: close()
        case .handling, .answering, .over: break
        }
    }

    func connectionClosed(_ connection: TCPConnection, error: NetError?) {
        phase = .over
        timer.cancel()
        registry.ended(self, host: host)
    }

    func drain() {
        switch phase {
        case .idle, .answering: close()
        case .receiving, .handling, .over: break
        }
    }

    func abort() {
        connection.abort()
    }

    // MARK: - Requests

    private func advance() {
        do {
            while phase == .idle || phase == .receiving, let part = try decoder.next() {
                switch part {
                case .request(let head): begin(head)
                case .body(let bytes): request?.body.append(contentsOf: bytes)
                case .end: complete()
                case .response: break
                }
            }
            if phase == .idle, decoder.bufferedBytes > 0 {
                phase = .receiving
                if requestNumber > 0 { startTimer(registry.limits.requestTimeout) }
            }
        } catch {
            refuse(.text(error.status, "Bad request: \(error.message)."))
        }
    }

    private func begin(_ head: HTTPRequestHead) {
        if phase == .idle, requestNumber > 0 { startTimer(registry.limits.requestTimeout) }
        phase = .receiving
        request = HTTPRequest(
            head: head, peerAddress: connection.peerAddress, isEncrypted: connection.isEncrypted)
        if head.minorVersion == 1, head.headers.list(of: "Expect", contains: "100-continue"),
            decoder.bufferedBytes == 0
        {
            connection.write(HTTPResponseHead(status: 100, reason: "Continue").encoded)
        }
    }

    private func complete() {
        guard let request else { return }
        self.request = nil
        requestNumber += 1
        timer.cancel()
        if WebSocketHandshake.isAsked(by: request.head) { return startWebSocket(request) }
        phase = .handling
        let number = requestNumber
        let isHead = request.method == "HEAD"
        let closes = request.head.minorVersion == 0 || request.headers.list(of: "Connection", contains: "close")
        let loop = registry.loop
        registry.handler(request) { [self] response in
            if loop.isCurrent {
                respond(response, to: number, closes: closes, isHead: isHead)
            } else {
                loop.execute { self.respond(response, to: number, closes: closes, isHead: isHead) }
            }
        }
    }

    private func respond(_ response: HTTPResponse, to number: Int, closes: Bool, isHead: Bool) {
        guard phase == .handling, number == requestNumber else { return }
        let isLast = connection.peerHasEnded && decoder.bufferedBytes == 0
        let closes = closes || registry.isDraining || isLast
        connection.write(response.encoded(closes: closes, withoutBody: isHead))
        if closes { return close() }
        phase = .answering
        startTimer(registry.limits.keepAliveTimeout)
        // Who does not read its answers gets no more of them: else they would pile up here without limit.
        guard connection.bufferedBytes == 0 else { return }
        // In a turn of its own, so that many pipelined requests do not nest.
        registry.loop.execute { [self] in
            if number == requestNumber { takeNext() }
        }
    }

    private func takeNext() {
        guard phase == .answering else { return }
        phase = .idle
        connection.resumeReading()
        advance()
        if phase == .idle || phase == .receiving, connection.peerHasEnded { close() }
    }

    private func startWebSocket(_ request: HTTPRequest) {
        if let refusal = WebSocketHandshake.refusal(of: request.head) { return refuse(refusal) }
        guard request.body.isEmpty else { return refuse(.text(400, "A WebSocket handshake has no body.")) }
        if registry.isDraining { return refuse(.text(503, "The server stops.")) }
        switch registry.upgrade(request) {
        case .refuse(let response): refuse(response)
        case .accept(let handlers, let subprotocol, let headers, let limits):
            guard headers.firstInvalidName == nil else {
                return refuse(.text(500, "The server made an answer that HTTP cannot carry."))
            }
            precondition(
                subprotocol.map { request.headers.list(of: "Sec-WebSocket-Protocol").contains($0) } ?? true,
                "a subprotocol is one of those that the client offered (RFC 6455 §4.2.2)")
            let head = WebSocketHandshake.response(to: request.head, subprotocol: subprotocol, extra: headers)
            phase = .over
            let socket = WebSocket(
                loop: registry.loop, role: .server, limits: limits, handlers: handlers, phase: .connecting,
                peerAddress: connection.peerAddress)
            socket.subprotocol = subprotocol
            registry.upgraded(self, to: socket, host: host)
            connection.write(head.encoded)
            socket.open(on: connection, remainder: decoder.takeRemainder())
        }
    }

    // MARK: - Ends

    /// Answers and closes, whatever else was to come.
    private func refuse(_ response: HTTPResponse) {
        connection.write(response.encoded(closes: true, withoutBody: false))
        close()
    }

    private func close() {
        phase = .over
        timer.cancel()
        connection.close()
    }

    private func startTimer(_ limit: Duration) {
        timer.start(after: limit) { [self] in
            switch phase {
            case .receiving: refuse(.text(408, "The request did not come within \(limit)."))
            case .idle, .answering: close()
            case .handling, .over: break
            }
        }
    }
}

// Protected by: its loop's thread; a response from another thread is handed over to that.
extension HTTPServerConnection: @unchecked Sendable {}
