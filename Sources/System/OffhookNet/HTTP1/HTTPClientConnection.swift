// SPDX-License-Identifier: MIT

/// A client's connection, which serves one request at a time; belongs to the loop's thread.
final class HTTPClientConnection: TCPConnectionHandler {
    private enum Phase {
        /// A request is sent or waits for the connection; no byte of the answer has come. Leaves to: answering, over.
        case waiting(HTTPClientExchange, HTTPClientExchange.Prepared)
        /// The answer has begun to come. Leaves to: idle, over.
        case answering(HTTPClientExchange)
        /// Kept by the pool for a next request. Leaves to: waiting, over.
        case idle
        /// Closed or closing.
        case over
    }

    /// Interim answers before the final one; no server has a use for more.
    private static let interimLimit = 32

    let origin: HTTPClientPool.Origin
    private let pool: HTTPClientPool
    private let server: String
    private let idleTimer: TimerHandle
    private var decoder: HTTPDecoder
    private var connection: TCPConnection?
    private var phase = Phase.idle
    private var wasUsed = false
    /// The final answer's head, then its body so far; not in the phase, where appending would copy.
    private var head: HTTPResponseHead?
    private var body: [UInt8] = []
    private var interimCount = 0

    init(pool: HTTPClientPool, _ address: ServerURL) {
        self.pool = pool
        origin = HTTPClientPool.Origin(address)
        server = address.authority
        idleTimer = TimerHandle(core: pool.loop.core)
        decoder = HTTPDecoder(role: .client, limits: pool.limits.messages)
    }

    // MARK: - Requests

    /// Connects for a first request.
    func connect(_ exchange: HTTPClientExchange, _ prepared: HTTPClientExchange.Prepared) {
        begin(exchange, prepared)
        let connection = TCPConnection.connect(
            on: pool.loop, host: prepared.address.host, port: prepared.address.port, tls: prepared.tls,
            timeout: pool.limits.connectTimeout, handler: self)
        self.connection = connection
        connection.write(prepared.bytes)
    }

    /// Sends a further request.
    func send(_ exchange: HTTPClientExchange, _ prepared: HTTPClientExchange.Prepared) {
        idleTimer.cancel()
        wasUsed = true
        begin(exchange, prepared)
        connection?.write(prepared.bytes)
    }

    private func begin(_ exchange: HTTPClientExchange, _ prepared: HTTPClientExchange.Prepared) {
        decoder.answersHead = exchange.request.method == "HEAD"
        phase = .waiting(exchange, prepared)
        interimCount = 0
        exchange.sent(on: self)
    }

    /// Cuts the connection; its request has been told already.
    func abort() {
        phase = .over
        idleTimer.cancel()
        connection?.abort()
    }

    /// Closes an idle connection.
    func close() {
        phase = .over
        idleTimer.cancel()
        connection?.close()
    }

    // MARK: - Answers

    func connection(_ connection: TCPConnection, received bytes: UnsafeRawBufferPointer) {
        switch phase {
        case .waiting(let exchange, _):
            phase = .answering(exchange)
            decoder.receive(bytes)
            advance()
        case .answering:
            decoder.receive(bytes)
            advance()
        case .idle:
            // Nobody asked, so it would be taken for the answer to the next request.
            pool.lost(self)
            close()
        case .over: break
        }
    }

    private func advance() {
        do {
            while case .answering(let exchange) = phase, let part = try decoder.next() {
                switch part {
                case .response(let head) where head.status >= 200: self.head = head
                case .response(let head): skip(head)
                case .body(let bytes): body.append(contentsOf: bytes)
                case .end: complete(exchange)
                case .request: break
                }
            }
        } catch {
            let isTooLong = error.status == 413 || error.status == 431
            fail(
                isTooLong
                    ? NetError(
                        .limitExceeded,
                        "The answer of \(server) is too long: \(error.message). Ask for less or raise the limits.")
                    : NetError(.protocolViolation, "The answer of \(server) is not HTTP/1.1: \(error.message)."))
        }
    }

    private func skip(_ interim: HTTPResponseHead) {
        interimCount += 1
        if interim.status == 101 {
            fail(
                NetError(
                    .protocolViolation, "\(server) switched to another protocol; use WebSocketClient for a WebSocket."))
        } else if interimCount > Self.interimLimit {
            fail(NetError(.protocolViolation, "\(server) sent more than \(Self.interimLimit) interim answers."))
        }
    }

    private func complete(_ exchange: HTTPClientExchange) {
        guard let connection, let head else { return }
        let response = HTTPResponse(status: head.status, headers: head.headers, body: body)
        self.head = nil
        body = []
        let canStay =
            head.minorVersion == 1 && !head.headers.list(of: "Connection", contains: "close")
            && !exchange.request.headers.list(of: "Connection", contains: "close")
            && decoder.isIdle && connection.bufferedBytes == 0 && connection.isOpen && !connection.peerHasEnded
        phase = .idle
        if canStay, pool.keep(self) {
            idleTimer.start(after: pool.limits.idleTimeout) { [self] in
                pool.lost(self)
                close()
            }
        } else {
            close()
        }
        exchange.finish(.success(response))
    }

    // MARK: - Ends

    func connectionEnded(_ connection: TCPConnection) {
        switch phase {
        case .waiting: lost(connection, nil)
        case .answering:
            // Without its close_notify anybody on the way could have cut the body short (RFC 9112 §9.8).
            if connection.tls?.receivedCloseNotify ?? true {
                decoder.receiveEnd()
                advance()
            }
            lost(connection, nil)
        case .idle:
            pool.lost(self)
            close()
        case .over: connection.close()
        }
    }

    func connectionClosed(_ connection: TCPConnection, error: NetError?) {
        idleTimer.cancel()
        lost(connection, error)
        self.connection = nil
    }

    /// The connection is no more: sends its request again where that is right, or fails it.
    private func lost(_ connection: TCPConnection, _ error: NetError?) {
        switch phase {
        case .waiting(let exchange, let prepared):
            let isReset = error == nil || error?.code == .connectionReset
            if wasUsed, isReset, exchange.maySendAgain() {
                abort()
                return pool.sendOnNewConnection(exchange, prepared)
            }
            let advice =
                wasUsed && isReset && !exchange.request.isIdempotent
                ? " Whether it has acted is not known; send the \(exchange.request.method) again if that does no harm."
                : ""
            let why = error?.message ?? "\(server) closed the connection without an answer."
            fail(NetError(error?.code ?? .connectionReset, why + advice))
        case .answering:
            fail(
                error
                    ?? NetError(.connectionReset, "\(server) closed the connection before its answer was complete."))
        case .idle:
            pool.lost(self)
            phase = .over
        case .over: break
        }
    }

    private func fail(_ error: NetError) {
        switch phase {
        case .waiting(let exchange, _), .answering(let exchange):
            abort()
            exchange.finish(.failure(error))
        case .idle, .over: break
        }
    }
}

// Protected by: its loop's thread, which the pool and the connection call it on.
extension HTTPClientConnection: @unchecked Sendable {}
