// SPDX-License-Identifier: MIT

/// Sends HTTP/1.1 requests to servers and gives their whole answers, over TLS for `https`.
///
/// A connection serves one request at a time and is then kept for the next one to the same scheme, host and port.
/// When the server has closed such a kept connection before a byte of the answer came, the request is sent once more on
/// a new connection, if its method is idempotent (RFC 9110 §9.2.2). Nothing else is ever sent again, and redirects are
/// never followed: an answer of 3xx is an answer like any other, for the caller to judge. Bodies are given as they come,
/// without decompressing; the client asks for no compression. Let go, it finishes what is under way and closes the rest.
///
/// - Isolation: any thread
/// - Note: RFC 9110, RFC 9112
public final class HTTPClient: Sendable {
    /// Gets a request's answer or why there is none.
    public typealias Completion = @Sendable (Result<HTTPResponse, NetError>) -> Void

    /// The loop that owns the client's connections.
    public let loop: EventLoop
    /// What the client takes from servers, and how long it waits for them.
    public let limits: HTTPClientLimits
    private let tls: Guarded<TLSContext?>
    private let pool: HTTPClientPool

    /// Makes a client; it connects when there is something to send.
    ///
    /// - Parameters:
    ///   - loop: The loop that owns the connections.
    ///   - tls: The client context for `https`, with the ALPN protocol `http/1.1` or none; nil: the system's trusted
    ///     roots. The certificate must always be one for the URL's host.
    ///   - limits: What servers may do at most.
    public init(loop: EventLoop, tls: TLSContext? = nil, limits: HTTPClientLimits = HTTPClientLimits()) {
        self.loop = loop
        self.limits = limits
        self.tls = Guarded(tls)
        pool = HTTPClientPool(loop: loop, limits: limits)
    }

    deinit {
        let pool = pool
        loop.execute { pool.retire() }
    }

    /// Sends a request and waits for its answer; a cancelled task closes the request's connection.
    ///
    /// - Returns: The answer, whatever its status (200 ... 599); interim answers are skipped.
    /// - Throws: `invalidArgument` for a request that cannot be sent; `connectionRefused`, `dns`, `unreachable`, `tls`
    ///   when there is no connection; `connectionReset` when the server closed too early; `timedOut`; `limitExceeded`;
    ///   `protocolViolation` for an answer that is not HTTP; `cancelled`; `closed` after ``close()``.
    public func send(_ request: HTTPClientRequest) async throws(NetError) -> HTTPResponse {
        let exchange = HTTPClientExchange(loop: loop, request: request)
        let result: Result<HTTPResponse, NetError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start(exchange) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            exchange.cancel()
        }
        return try result.get()
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - completion: Called exactly once on the loop's thread, never before this returns; at once when the loop has
    ///     stopped. The errors are those of ``send(_:)``.
    /// - Returns: The request under way, for cancelling; it need not be kept.
    @discardableResult
    public func send(_ request: HTTPClientRequest, completion: @escaping Completion) -> HTTPClientExchange {
        let exchange = HTTPClientExchange(loop: loop, request: request)
        start(exchange, completion)
        return exchange
    }

    /// Fails the requests under way and those still to come with `closed`, and closes every connection.
    public func close() {
        let pool = pool
        loop.execute { pool.close() }
    }

    /// The connections kept for a next request.
    ///
    /// - Isolation: the loop's thread
    public var idleConnectionCount: Int {
        loop.requireCurrent("HTTPClient.idleConnectionCount")
        return pool.idleCount
    }

    private func start(_ exchange: HTTPClientExchange, _ completion: @escaping Completion) {
        let prepared: Result<HTTPClientExchange.Prepared, NetError>
        do throws(NetError) {
            let address = try ServerURL(exchange.request.url, .http)
            let bytes = try exchange.request.encoded(for: address)
            prepared = .success(
                HTTPClientExchange.Prepared(
                    address: address, bytes: bytes, tls: address.isSecure ? try clientContext() : nil))
        } catch {
            prepared = .failure(error)
        }
        let pool = pool
        if !loop.execute({ pool.start(exchange, prepared, completion) }) {
            completion(.failure(NetError(.closed, "The event loop \"\(loop.name)\" is stopped; make a new one.")))
        }
    }

    /// The context for `https`; the system's roots are read once, when they are needed.
    private func clientContext() throws(NetError) -> TLSContext {
        try tls.withLock { tls throws(NetError) in
            if let tls { return tls }
            let made = try TLSContext.client(alpn: ["http/1.1"])
            tls = made
            return made
        }
    }
}
