// SPDX-License-Identifier: MIT

/// Opens WebSockets in the client role.
public enum WebSocketClient {
    /// Connects to a WebSocket address.
    ///
    /// Returns at once; `opened` or `closed` follows on the loop's thread. A server that answers with another status
    /// than 101 is reported with that status and the error code `handshakeRefused`; an unusable address or field is
    /// reported as `invalidArgument`.
    ///
    /// - Parameters:
    ///   - url: `ws://` or `wss://` with host, optional port, path and query.
    ///   - loop: The loop that owns the WebSocket.
    ///   - headers: Extra fields of the request, such as Authorization.
    ///   - subprotocols: The subprotocols offered, most wanted first.
    ///   - tls: The client context for `wss`; nil: the system's trusted roots.
    ///   - limits: What the server may do at most.
    ///   - handlers: Told what happens.
    /// - Returns: The WebSocket, which may be sent on and closed at once.
    /// - Isolation: any thread
    @discardableResult
    public static func connect(
        to url: String, on loop: EventLoop, headers: HTTPHeaders = [:], subprotocols: [String] = [],
        tls: TLSContext? = nil, limits: WebSocketLimits = WebSocketLimits(), handlers: WebSocketHandlers
    ) -> WebSocket {
        let socket = WebSocket(
            loop: loop, role: .client, limits: limits, handlers: handlers, phase: .connecting, peerAddress: "")
        let address: ServerURL
        var context: TLSContext?
        do throws(NetError) {
            address = try ServerURL(url, .webSocket)
            if let name = headers.firstInvalidName {
                throw NetError(.invalidArgument, "The field \"\(name)\" has characters that HTTP does not allow.")
            }
            guard subprotocols.allSatisfy({ HTTPSyntax.isToken($0.utf8) }) else {
                throw NetError(.invalidArgument, "A subprotocol's name is a token, such as \"chat.v1\".")
            }
            if address.isSecure { context = if let tls { tls } else { try .client(alpn: ["http/1.1"]) } }
        } catch {
            socket.announceLater(error)
            return socket
        }
        let handshake = ClientHandshake(
            socket: socket, url: address, tls: context, subprotocols: subprotocols, headers: headers)
        if !loop.execute({ handshake.start() }) {
            socket.announceLater(NetError(.closed, "The event loop \"\(loop.name)\" is stopped; make a new one."))
        }
        return socket
    }
}

extension WebSocket {
    /// Reports that it never came to be: on the loop's thread, or at once when the loop has stopped.
    fileprivate func announceLater(_ error: NetError) {
        if !loop.execute({ self.fail(error) }) {
            end = WebSocketClose(code: WebSocketCloseCode.abnormal, error: error)
            announceEnd()
        }
    }
}

/// A client's connection until its handshake is done; then the WebSocket takes over.
private final class ClientHandshake: TCPConnectionHandler {
    private let socket: WebSocket
    private let url: ServerURL
    private let tls: TLSContext?
    private let subprotocols: [String]
    private let key = WebSocketHandshake.makeKey()
    private let request: [UInt8]
    private let timer: TimerHandle
    private var decoder = HTTPDecoder(role: .client, limits: HTTPLimits(bodyBytes: 65_536))

    init(socket: WebSocket, url: ServerURL, tls: TLSContext?, subprotocols: [String], headers: HTTPHeaders) {
        self.socket = socket
        self.url = url
        self.tls = tls
        self.subprotocols = subprotocols
        timer = TimerHandle(core: socket.loop.core)
        request =
            WebSocketHandshake.request(to: url, key: key, subprotocols: subprotocols, extra: headers).encoded
    }

    func start() {
        guard socket.phase == .connecting else { return }
        let limit = socket.limits.connectTimeout
        timer.start(after: limit) { [self] in
            socket.fail(
                NetError(.timedOut, "The WebSocket handshake with \(url.authority) took longer than \(limit)."))
        }
        socket.peerAddress = url.authority
        socket.connection = TCPConnection.connect(
            on: socket.loop, host: url.host, port: url.port, tls: tls, timeout: limit, handler: self)
    }

    func connectionOpened(_ connection: TCPConnection) {
        connection.write(request)
    }

    func connection(_ connection: TCPConnection, received bytes: UnsafeRawBufferPointer) {
        guard socket.phase == .connecting else { return }
        decoder.receive(bytes)
        do {
            while let part = try decoder.next() {
                guard case .response(let head) = part, head.status == 101 || head.status >= 200 else { continue }
                return finish(head, connection)
            }
        } catch {
            refused("it is no HTTP: \(error.message)", .protocolViolation)
        }
    }

    private func finish(_ head: HTTPResponseHead, _ connection: TCPConnection) {
        guard head.status == 101 else {
            socket.end = WebSocketClose(
                code: WebSocketCloseCode.abnormal, reason: head.reason, status: head.status,
                error: NetError(
                    .handshakeRefused,
                    "\(url.authority) refused the WebSocket with status \(head.status) \(head.reason)."))
            return socket.fail(nil)
        }
        if let fault = WebSocketHandshake.fault(of: head, key: key, subprotocols: subprotocols) {
            return refused(fault, .protocolViolation)
        }
        timer.cancel()
        socket.subprotocol = head.headers["Sec-WebSocket-Protocol"]
        socket.open(on: connection, remainder: decoder.takeRemainder())
    }

    private func refused(_ why: String, _ code: NetError.Code) {
        socket.fail(NetError(code, "The answer of \(url.authority) is no WebSocket handshake: \(why)."))
    }

    func connectionEnded(_ connection: TCPConnection) {
        refused("the connection ended before an answer", .connectionReset)
    }

    func connectionClosed(_ connection: TCPConnection, error: NetError?) {
        timer.cancel()
        socket.connectionClosed(connection, error: error)
    }
}

// Protected by: the loop's thread, which it is handed over to at once.
extension ClientHandshake: @unchecked Sendable {}
