// SPDX-License-Identifier: MIT

/// One client's HTTP/2 connection to a server.
///
/// Everything a server can do to a client is a call of its own, so that tests can make each fault happen.
///
/// - Isolation: the loop's thread, the callbacks included
/// - Note: RFC 9113
public final class HTTP2ServerConnection {
    /// Called for each whole request with its stream, which ``respond(_:on:)`` answers now or later.
    public var onRequest: ((_ stream: Int32, _ request: HTTP2Request) -> Void)?
    /// Called when a stream is over before it was answered.
    public var onStreamClosed: ((_ stream: Int32, _ code: HTTP2ErrorCode) -> Void)?
    /// Called once when the connection is over; then both callbacks are let go.
    public var onClosed: ((NetError?) -> Void)?

    /// The loop whose thread owns the connection.
    public var loop: EventLoop { connection.loop }
    /// The client as address and port.
    public var peerAddress: String { connection.peerAddress }
    /// The highest stream of the client that was taken up; 0: none yet.
    public var lastProcessedStream: Int32 { session.lastProcessedStream }

    /// How long nothing has come from the client; zero before its first bytes.
    public var silence: Duration { heardAt.map { ContinuousClock.now - $0 } ?? .zero }

    private var heardAt: ContinuousClock.Instant?
    private let connection: TCPConnection
    private let session: HTTP2Session
    private let requiresALPN: Bool
    private let idleTimeout: Duration?
    private var isFlushPlanned = false
    private var isClosing = false

    init(_ connection: TCPConnection, limits: HTTP2Server.Limits, requiresALPN: Bool) throws(NetError) {
        self.connection = connection
        self.requiresALPN = requiresALPN
        idleTimeout = limits.idleTimeout
        session = try HTTP2Session(
            role: .server,
            limits: HTTP2Session.Limits(
                concurrentStreams: limits.concurrentStreams, bodyBytes: limits.bodyBytes,
                headerBytes: limits.headerBytes))
    }

    /// Answers a request.
    ///
    /// - Returns: False when the stream is gone or already answered.
    @discardableResult
    public func respond(_ response: HTTP2Response, on stream: Int32) -> Bool {
        defer { planFlush() }
        return session.respond(response, on: stream)
    }

    /// Ends a stream without an answer; ``HTTP2ErrorCode/refusedStream`` says that it was not looked at.
    public func reset(_ stream: Int32, _ code: HTTP2ErrorCode) {
        session.reset(stream, code)
        planFlush()
    }

    /// Says that streams above the last one are not taken up; the connection stays for those below.
    public func goAway(lastStream: Int32, _ code: HTTP2ErrorCode, debugData: [UInt8] = []) {
        session.goAway(lastStream: lastStream, code, debugData: debugData)
        planFlush()
    }

    /// Allows the client another number of streams at a time.
    public func setConcurrentStreams(_ count: UInt32) {
        session.setConcurrentStreams(count)
        planFlush()
    }

    /// Sends what is written, then closes the connection.
    public func close() {
        flush()
        isClosing = true
        connection.close()
    }

    /// Cuts the connection at once.
    public func abort() {
        isClosing = true
        connection.abort()
    }

    private func planFlush() {
        guard !isFlushPlanned else { return }
        isFlushPlanned = true
        loop.execute { self.flush() }
    }

    private func flush() {
        isFlushPlanned = false
        guard !isClosing, connection.isOpen else { return }
        do {
            while connection.bufferedBytes < 1_048_576 {
                let sent = try session.sendOutput { connection.write($0) }
                handle(session.takeEvents())
                guard sent else { break }
            }
        } catch {
            return connection.abort(error)
        }
        if session.isFinished {
            isClosing = true
            connection.close()
        }
    }

    private func handle(_ events: [HTTP2Session.Event]) {
        for event in events {
            switch event {
            case .request(let stream, let request): onRequest?(stream, request)
            case .streamClosed(let stream, let code): onStreamClosed?(stream, code)
            case .settings, .goAway, .pingAnswered, .response: break
            }
        }
    }
}

extension HTTP2ServerConnection: TCPConnectionHandler {
    /// TLS is up: sends the settings.
    public func connectionOpened(_ connection: TCPConnection) {
        guard !requiresALPN || connection.negotiatedProtocol == "h2" else {
            return connection.abort(
                NetError(.tls, "the client \(connection.peerAddress) did not ask for \"h2\" by ALPN"))
        }
        connection.idleTimeout = idleTimeout
        flush()
    }

    /// Feeds the session and hands out whole requests.
    public func connection(_ connection: TCPConnection, received bytes: UnsafeRawBufferPointer) {
        heardAt = .now
        do {
            handle(try session.receive(bytes))
        } catch {
            return connection.abort(error)
        }
        flush()
    }

    /// Sends what had to wait.
    public func connectionDrained(_ connection: TCPConnection) {
        flush()
    }

    /// Tells the owner and lets go of it.
    public func connectionClosed(_ connection: TCPConnection, error: NetError?) {
        isClosing = true
        let onClosed = onClosed
        onRequest = nil
        onStreamClosed = nil
        self.onClosed = nil
        onClosed?(error)
    }
}

// Protected by: its loop's thread, which every public member is called on.
extension HTTP2ServerConnection: @unchecked Sendable {}
