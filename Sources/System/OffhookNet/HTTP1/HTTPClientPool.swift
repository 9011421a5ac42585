// SPDX-License-Identifier: MIT

/// The connections and requests of a client; belongs to the loop's thread.
final class HTTPClientPool {
    /// What a connection can be used again for: RFC 9110 §4.3.1's origin.
    struct Origin: Hashable {
        let isSecure: Bool
        let host: String
        let port: Int

        init(_ address: ServerURL) {
            isSecure = address.isSecure
            host = address.host.lowercased()
            port = address.port
        }
    }

    let loop: EventLoop
    let limits: HTTPClientLimits
    /// The connections without a request, the one unused for longest first; one for an origin at most.
    private var idle: [HTTPClientConnection] = []
    private var open: [ObjectIdentifier: HTTPClientExchange] = [:]
    private var isRetired = false
    private var isClosed = false

    init(loop: EventLoop, limits: HTTPClientLimits) {
        self.loop = loop
        self.limits = limits
    }

    var idleCount: Int { idle.count }

    // MARK: - Requests

    func start(
        _ exchange: HTTPClientExchange, _ prepared: Result<HTTPClientExchange.Prepared, NetError>,
        _ completion: @escaping HTTPClient.Completion
    ) {
        guard exchange.begin(in: self, completion) else { return }
        guard !isClosed else {
            return exchange.finish(.failure(NetError(.closed, "The HTTP client was closed; make a new one.")))
        }
        guard open.count < limits.requests else {
            return exchange.finish(
                .failure(
                    NetError(
                        .limitExceeded, "\(open.count) requests are under way already; send fewer at a time.")))
        }
        switch prepared {
        case .failure(let error): exchange.finish(.failure(error))
        case .success(let prepared):
            open[ObjectIdentifier(exchange)] = exchange
            exchange.startTimer(limits.requestTimeout, server: prepared.address.authority)
            if let index = idle.firstIndex(where: { $0.origin == Origin(prepared.address) }) {
                idle.remove(at: index).send(exchange, prepared)
            } else {
                sendOnNewConnection(exchange, prepared)
            }
        }
    }

    func sendOnNewConnection(_ exchange: HTTPClientExchange, _ prepared: HTTPClientExchange.Prepared) {
        HTTPClientConnection(pool: self, prepared.address).connect(exchange, prepared)
    }

    func ended(_ exchange: HTTPClientExchange) {
        open[ObjectIdentifier(exchange)] = nil
    }

    // MARK: - Connections

    /// Keeps a connection for the next request, or says false.
    func keep(_ connection: HTTPClientConnection) -> Bool {
        guard !isRetired, limits.idleConnections > 0 else { return false }
        // The younger one: the server will keep it for longer.
        if let index = idle.firstIndex(where: { $0.origin == connection.origin }) { idle.remove(at: index).close() }
        if idle.count >= limits.idleConnections { idle.removeFirst().close() }
        idle.append(connection)
        return true
    }

    /// An idle connection is over.
    func lost(_ connection: HTTPClientConnection) {
        idle.removeAll { $0 === connection }
    }

    /// Keeps no connection any more; requests under way go on.
    func retire() {
        isRetired = true
        let connections = idle
        idle = []
        for connection in connections { connection.close() }
    }

    /// Ends everything.
    func close() {
        isClosed = true
        retire()
        for exchange in Array(open.values) {
            exchange.abort(NetError(.closed, "The HTTP client was closed before the answer came."))
        }
    }
}

// Protected by: its loop's thread; other threads only hand it over to that.
extension HTTPClientPool: @unchecked Sendable {}
