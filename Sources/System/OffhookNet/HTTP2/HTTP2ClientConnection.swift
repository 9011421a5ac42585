// SPDX-License-Identifier: MIT

/// One HTTP/2 connection to a server, over TLS when it has a context: many requests at a time, each answered once.
///
/// A request waits in the queue while the server allows no further stream; before the server's first settings it
/// allows none. A GOAWAY ends the taking of new requests, open ones still complete, then the connection closes.
///
/// - Isolation: the loop's thread, the callbacks included
/// - Note: RFC 9113
public final class HTTP2ClientConnection {
    /// How a connection behaves.
    public struct Configuration: Sendable {
        /// Limits DNS, TCP, TLS and the wait for the server's settings together, each anew from TLS on.
        public var connectTimeout: Duration = .seconds(10)
        /// How long nothing comes before the connection asks with a PING whether the server is there; nil: never.
        public var pingInterval: Duration? = .seconds(60)
        /// How long the server may take to answer a PING before the connection counts as lost.
        public var pingTimeout: Duration = .seconds(10)
        /// How many requests may wait for a stream; one more is not sent.
        public var queueLimit = 10_000
        /// How many bytes of an answer's body are kept.
        public var bodyLimit = 65_536

        /// Makes the usual configuration.
        public init() {}
    }

    /// What happens to the connection as a whole.
    public enum Event: Sendable {
        /// The server's first settings are there; requests go out.
        case opened
        /// The server allows another number of streams at a time.
        case streamLimitChanged(Int)
        /// The server goes away; the connection takes no new request.
        case goAway(lastStream: Int32, HTTP2ErrorCode, debugData: [UInt8])
        /// The connection is over: the last event. Nil: one end wanted it.
        case closed(NetError?)
    }

    /// What a request's completion gets.
    public typealias Answer = Result<HTTP2Response, HTTP2Failure>

    struct Pending {
        let request: HTTP2Request
        let timeout: Duration
        let deadline: ContinuousClock.Instant
        let completion: (Answer) -> Void
    }

    struct Open {
        let timeout: Duration
        let deadline: ContinuousClock.Instant
        let completion: (Answer) -> Void
    }

    /// The loop whose thread owns the connection.
    public let loop: EventLoop
    /// How the connection behaves.
    public let configuration: Configuration
    /// How many streams the server allows at a time; 0 before its first settings.
    public private(set) var streamLimit = 0
    /// Whether new requests are taken: from the start until GOAWAY, close or loss.
    public internal(set) var isUsable = true
    /// How many requests are out and unanswered.
    public var openStreams: Int { open.count }
    /// How many requests wait for a stream.
    public var queuedRequests: Int { queue.count - queueStart }
    /// The server as address and port.
    public var peerAddress: String { connection?.peerAddress ?? "" }

    let session: HTTP2Session
    var connection: TCPConnection?
    var open: [Int32: Open] = [:]
    var queue: [Pending] = []
    var queueStart = 0
    var isFlushPlanned = false
    var isClosed = false
    var closeError: NetError?
    var pings: [(Bool) -> Void] = []
    var handler: ((Event) -> Void)?
    let deadlineTimer: TimerHandle
    let phaseTimer: TimerHandle
    let pingTimer: TimerHandle
    var armedDeadline: ContinuousClock.Instant?
    var sawBytes = false
    var hasSettings = false
    var requiresALPN = false

    private init(loop: EventLoop, configuration: Configuration, handler: @escaping (Event) -> Void) throws(NetError) {
        self.loop = loop
        self.configuration = configuration
        self.handler = handler
        var limits = HTTP2Session.Limits()
        limits.bodyBytes = configuration.bodyLimit
        session = try HTTP2Session(role: .client, limits: limits)
        deadlineTimer = TimerHandle(core: loop.core)
        phaseTimer = TimerHandle(core: loop.core)
        pingTimer = TimerHandle(core: loop.core)
    }

    /// Starts to connect; events follow, never before this returns.
    ///
    /// - Parameters:
    ///   - loop: The loop that owns the connection; the caller runs on its thread.
    ///   - host: A name or a numeric address, which the certificate must carry.
    ///   - port: 1 ... 65535.
    ///   - tls: A client context that offers `h2`; nil: plain HTTP/2 with prior knowledge.
    ///   - configuration: How the connection behaves.
    ///   - handler: Told what happens to the connection; held until `closed`.
    /// - Returns: The connection, which already takes requests.
    /// - Throws: ``NetError`` with code `resources` when memory is short.
    public static func connect(
        on loop: EventLoop, host: String, port: Int, tls: TLSContext?, configuration: Configuration = Configuration(),
        handler: @escaping (Event) -> Void
    ) throws(NetError) -> HTTP2ClientConnection {
        loop.requireCurrent("HTTP2ClientConnection.connect")
        let client = try HTTP2ClientConnection(loop: loop, configuration: configuration, handler: handler)
        client.requiresALPN = tls != nil
        client.connection = TCPConnection.connect(
            on: loop, host: host, port: port, tls: tls, timeout: configuration.connectTimeout, handler: client)
        return client
    }

    /// Sends a request as soon as the server allows a stream.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - timeout: From now until the whole answer is there, the wait for a stream included.
    ///   - completion: Called exactly once, never before this returns.
    public func send(_ request: HTTP2Request, timeout: Duration, completion: @escaping (Answer) -> Void) {
        loop.requireCurrent("HTTP2ClientConnection.send")
        guard isUsable, queuedRequests < configuration.queueLimit else {
            let error =
                isUsable
                ? NetError(.limitExceeded, "\(queuedRequests) requests already wait; open another connection")
                : closeError ?? NetError(.closed, "the connection takes no more requests; open another one")
            later { completion(.failure(.notSent(error))) }
            return
        }
        let deadline = ContinuousClock.now + timeout
        queue.append(Pending(request: request, timeout: timeout, deadline: deadline, completion: completion))
        armDeadline(deadline)
        planFlush()
    }

    /// Asks whether the server is there.
    ///
    /// - Parameter completion: Called once: true when the server answered, false when the connection ended first.
    public func ping(_ completion: @escaping (Bool) -> Void) {
        loop.requireCurrent("HTTP2ClientConnection.ping")
        guard !isClosed else { return later { completion(false) } }
        pings.append(completion)
        session.ping()
        planFlush()
    }

    /// Takes no new requests, lets the open ones complete, then closes.
    ///
    /// Waiting ones are not sent.
    public func close() {
        loop.requireCurrent("HTTP2ClientConnection.close")
        retire(NetError(.closed, "the connection was closed"))
        planFlush()
    }

    /// Ends the connection at once; open requests fail.
    ///
    /// - Parameter error: What the open requests and `closed` are told; nil: it was wanted.
    public func abort(_ error: NetError? = nil) {
        loop.requireCurrent("HTTP2ClientConnection.abort")
        isUsable = false
        closeError = closeError ?? error
        connection?.abort(error)
    }

    /// Runs work in a later turn of the loop, or now when the loop is stopping.
    func later(_ work: @escaping () -> Void) {
        let work = LoopBound(work)
        if !loop.execute({ work.run() }) { work.run() }
    }

    func settingsArrived() {
        let isFirst = !hasSettings
        let limit = session.peerConcurrentStreams
        guard isFirst || limit != streamLimit else { return }
        hasSettings = true
        streamLimit = limit
        handler?(isFirst ? .opened : .streamLimitChanged(limit))
    }
}

// Protected by: its loop's thread, which every public member is called on.
extension HTTP2ClientConnection: @unchecked Sendable {}

/// Carries work made on a loop's thread to a later turn of that thread.
struct LoopBound {
    private let work: () -> Void

    init(_ work: @escaping () -> Void) {
        self.work = work
    }

    func run() {
        work()
    }
}

// Protected by: made and run on one loop's thread.
extension LoopBound: @unchecked Sendable {}
