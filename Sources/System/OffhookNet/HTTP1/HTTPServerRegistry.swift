// SPDX-License-Identifier: MIT

/// The connections and WebSockets of a server; belongs to the loop's thread.
final class HTTPServerRegistry {
    let loop: EventLoop
    let limits: HTTPServerLimits
    let handler: HTTPServer.Handler
    let upgrade: HTTPServer.Upgrade
    private(set) var isDraining = false

    private var requests: [ObjectIdentifier: HTTPServerConnection] = [:]
    private var sockets: [ObjectIdentifier: WebSocket] = [:]
    private var perAddress: [String: Int] = [:]
    private var waiting: [@Sendable () -> Void] = []
    private let timer: TimerHandle

    init(
        loop: EventLoop, limits: HTTPServerLimits, handler: @escaping HTTPServer.Handler,
        upgrade: @escaping HTTPServer.Upgrade
    ) {
        self.loop = loop
        self.limits = limits
        self.handler = handler
        self.upgrade = upgrade
        timer = TimerHandle(core: loop.core)
    }

    var count: Int { requests.count + sockets.count }

    func accept(_ connection: TCPConnection) {
        let isFull =
            count >= limits.connections
            || limits.connectionsPerAddress.map { perAddress[connection.peerHost, default: 0] >= $0 } ?? false
        // A refused client of TLS is not worth the handshake.
        guard !isDraining, !(isFull && connection.isEncrypted) else { return }
        let request = HTTPServerConnection(registry: self, connection: connection, isRefused: isFull)
        connection.handler = request
        if isFull { return }
        requests[ObjectIdentifier(request)] = request
        if limits.connectionsPerAddress != nil { perAddress[connection.peerHost, default: 0] += 1 }
    }

    func ended(_ request: HTTPServerConnection, host: String) {
        guard requests.removeValue(forKey: ObjectIdentifier(request)) != nil else { return }
        leave(host)
    }

    /// A connection became a WebSocket.
    func upgraded(_ request: HTTPServerConnection, to socket: WebSocket, host: String) {
        requests[ObjectIdentifier(request)] = nil
        sockets[ObjectIdentifier(socket)] = socket
        socket.onEnd = { [self] socket in
            sockets[ObjectIdentifier(socket)] = nil
            leave(host)
        }
    }

    private func leave(_ host: String) {
        if limits.connectionsPerAddress != nil, let count = perAddress[host] {
            perAddress[host] = count > 1 ? count - 1 : nil
        }
        finishIfEmpty()
    }

    private func finishIfEmpty() {
        guard isDraining, count == 0 else { return }
        timer.cancel()
        let done = waiting
        waiting = []
        for item in done { item() }
    }

    func drain(within limit: Duration, _ drained: (@Sendable () -> Void)?) {
        isDraining = true
        if let drained { waiting.append(drained) }
        for socket in Array(sockets.values) { socket.close(code: 1001, reason: "the server stops") }
        for request in Array(requests.values) { request.drain() }
        timer.start(after: limit) { [self] in abortAll(nil) }
        finishIfEmpty()
    }

    func abortAll(_ closed: (@Sendable () -> Void)?) {
        isDraining = true
        if let closed { waiting.append(closed) }
        for socket in Array(sockets.values) { socket.abort() }
        for request in Array(requests.values) { request.abort() }
        finishIfEmpty()
    }
}

// Protected by: its loop's thread; other threads only hand it over to that.
extension HTTPServerRegistry: @unchecked Sendable {}
