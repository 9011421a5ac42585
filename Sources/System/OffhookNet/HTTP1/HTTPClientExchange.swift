// SPDX-License-Identifier: MIT

/// A request under way and the answer to come; made by ``HTTPClient/send(_:completion:)``.
public final class HTTPClientExchange {
    /// A request that can be sent.
    struct Prepared: Sendable {
        let address: ServerURL
        let bytes: [UInt8]
        let tls: TLSContext?
    }

    private enum Phase {
        /// Not handed to the pool yet. Leaves to: running, over.
        case new
        /// A connection has it. Leaves to: over.
        case running(HTTPClient.Completion)
        /// The completion was called, or will be at the start when it was cancelled before.
        case over
    }

    /// What was asked for.
    public let request: HTTPClientRequest
    private let loop: EventLoop
    private let timer: TimerHandle
    private var phase = Phase.new
    private var pool: HTTPClientPool?
    /// The connection that has the request now.
    private var connection: HTTPClientConnection?
    private(set) var wasSentAgain = false

    init(loop: EventLoop, request: HTTPClientRequest) {
        self.loop = loop
        self.request = request
        timer = TimerHandle(core: loop.core)
    }

    /// Closes the request's connection and fails it with `cancelled`; too late when it has its answer.
    ///
    /// - Isolation: any thread
    public func cancel() {
        // A stopped loop has failed it already.
        loop.execute { self.abort(NetError(.cancelled, "The request was cancelled by its caller.")) }
    }

    /// Takes the request up; false when it was cancelled before that, and the completion has been called.
    func begin(in pool: HTTPClientPool, _ completion: @escaping HTTPClient.Completion) -> Bool {
        guard case .new = phase else {
            completion(.failure(NetError(.cancelled, "The request was cancelled by its caller.")))
            return false
        }
        phase = .running(completion)
        self.pool = pool
        return true
    }

    func startTimer(_ limit: Duration, server: String) {
        timer.start(after: limit) { [self] in
            abort(
                NetError(
                    .timedOut, "\(server) did not answer the \(request.method) within \(limit); is it overloaded?"))
        }
    }

    /// A connection has the request from now on.
    func sent(on connection: HTTPClientConnection) {
        self.connection = connection
    }

    /// The connection was lost; whether the request may be sent once more.
    func maySendAgain() -> Bool {
        guard case .running = phase, request.isIdempotent, !wasSentAgain else { return false }
        wasSentAgain = true
        connection = nil
        return true
    }

    /// Calls the completion, once.
    func finish(_ result: Result<HTTPResponse, NetError>) {
        guard case .running(let completion) = phase else { return }
        phase = .over
        timer.cancel()
        connection = nil
        let pool = pool
        self.pool = nil
        pool?.ended(self)
        completion(result)
    }

    /// Fails the request and cuts its connection.
    func abort(_ error: NetError) {
        switch phase {
        case .new: phase = .over
        case .running:
            let connection = connection
            finish(.failure(error))
            connection?.abort()
        case .over: break
        }
    }
}

// Protected by: its loop's thread; other threads only hand it over to that.
extension HTTPClientExchange: @unchecked Sendable {}
