// SPDX-License-Identifier: MIT

import OffhookNet

extension VirtualAPNs {
    /// Takes a connection in; called on the gateway's thread before the connection's first byte.
    func serve(_ connection: HTTP2ServerConnection) {
        let keys = Dictionary(configuration.keys.map { ($0.keyID, $0) }, uniquingKeysWith: { first, _ in first })
        let judge = ProviderConnection(
            environment: configuration.environment, keys: keys, bundles: configuration.bundles,
            acceptsUnknownTokens: configuration.acceptsUnknownTokens)
        let desk = state.withLock { state in
            state.connections += 1
            let desk = Desk(
                gateway: self, connection: connection, number: state.connections, judge: judge,
                streamLimit: state.streamLimit)
            state.desks[state.connections] = desk
            return desk
        }
        desk.tell(.connected(peer: connection.peerAddress))
        desk.watchSilence()
        connection.onRequest = { desk.received($1, on: $0) }
        connection.onClosed = { _ in desk.closed() }
    }
}

/// Serves one connection.
///
/// - Isolation: the gateway's thread
final class Desk {
    private weak var gateway: VirtualAPNs?
    private let connection: HTTP2ServerConnection
    private let number: Int
    private let configuration: VirtualAPNs.Configuration
    private let clockOffset: Guarded<Int64>
    private var judge: ProviderConnection
    private var allowedStreams: UInt32 = 1
    /// Whether APNs trusts the connection with more than one stream.
    private var isTrusted = false
    private var streamLimit: UInt32?
    private var isOver = false

    init(
        gateway: VirtualAPNs, connection: HTTP2ServerConnection, number: Int, judge: ProviderConnection,
        streamLimit: UInt32?
    ) {
        self.gateway = gateway
        self.connection = connection
        self.number = number
        self.judge = judge
        self.streamLimit = streamLimit
        configuration = gateway.configuration
        clockOffset = gateway.clockOffset
    }

    private var now: Int64 { configuration.clock() &+ clockOffset.withLock { $0 } }

    func tell(_ kind: @autoclosure () -> GatewayEvent.Kind) {
        guard let onEvent = configuration.onEvent else { return }
        onEvent(GatewayEvent(time: now, connection: number, kind: kind()))
    }

    func closed() {
        isOver = true
        gateway?.state.withLock { _ = $0.desks.removeValue(forKey: number) }
        tell(.disconnected)
    }

    func received(_ request: HTTP2Request, on stream: Int32) {
        tell(.requested(path: request.path, bytes: request.body.count))
        guard let fault = gateway?.takeFault(path: request.path) else { return process(request, on: stream) }
        tell(.faulted(fault))
        switch fault {
        case .answer(let status, let reason):
            let body = reason.map { Array("{\"reason\":\"\($0)\"}".utf8) } ?? []
            var headers: [HTTP2Header] = []
            if let id = request.header("apns-id") { headers.append(HTTP2Header("apns-id", id)) }
            connection.respond(HTTP2Response(status: status, headers: headers, body: body), on: stream)
        case .answerWith(let status, let body):
            connection.respond(HTTP2Response(status: status, body: Array(body.utf8)), on: stream)
        case .goAway(let reason, let processesRequest):
            let last = processesRequest ? stream : max(0, stream - 2)
            connection.goAway(lastStream: last, .noError, debugData: Array("{\"reason\":\"\(reason)\"}".utf8))
            if processesRequest { process(request, on: stream) }
        case .refuseStream: connection.reset(stream, .refusedStream)
        case .resetStream(let code): connection.reset(stream, code)
        case .delay(let duration):
            connection.loop.schedule(after: duration) { [self] in process(request, on: stream) }
        case .neverAnswer: break
        case .closeConnection: connection.abort()
        case .deliverThenClose:
            process(request, on: stream, answers: false)
            connection.abort()
        }
    }

    private func process(_ request: HTTP2Request, on stream: Int32, answers: Bool = true) {
        guard let gateway else { return connection.abort() }
        let devices = gateway.state.withLock { $0.devices }
        switch judge.judge(request, devices: devices, at: now) {
        case .accept(let delivery):
            tell(.accepted(delivery))
            if answers { accept(delivery, on: stream) }
            gateway.arrive(delivery, connection: number)
        case .expire(let delivery):
            tell(.accepted(delivery))
            if answers { accept(delivery, on: stream) }
            tell(.expired(delivery))
        case .refuse(let refusal):
            tell(.refused(refusal))
            if answers { refuse(refusal, on: stream) }
        }
        // One stream until the first valid token; then many.
        if judge.teamID != nil, !configuration.throttlesAfterRefusal { trust(true) }
    }

    private func accept(_ delivery: Delivery, on stream: Int32) {
        var headers = [HTTP2Header("apns-id", delivery.id, isNeverIndexed: true)]
        if let uniqueID = delivery.uniqueID {
            headers.append(HTTP2Header("apns-unique-id", uniqueID, isNeverIndexed: true))
        }
        connection.respond(HTTP2Response(status: 200, headers: headers), on: stream)
        trust(true)
    }

    private func refuse(_ refusal: Refusal, on stream: Int32) {
        let timestamp = refusal.tokenInvalidSince.map { ",\"timestamp\":\($0)" } ?? ""
        let body = "{\"reason\":\"\(refusal.reason)\"\(timestamp)}"
        connection.respond(
            HTTP2Response(
                status: refusal.status,
                headers: [HTTP2Header("apns-id", refusal.id), HTTP2Header("content-type", "application/json")],
                body: Array(body.utf8)),
            on: stream)
        if configuration.throttlesAfterRefusal { trust(false) }
    }

    // MARK: - The connection as a whole

    private func trust(_ isTrusted: Bool) {
        self.isTrusted = isTrusted
        setStreams()
    }

    func setStreamLimit(_ limit: UInt32?) {
        streamLimit = limit
        setStreams()
    }

    private func setStreams() {
        let streams = isTrusted ? streamLimit ?? configuration.concurrentStreams : 1
        guard allowedStreams != streams, !isOver else { return }
        allowedStreams = streams
        connection.setConcurrentStreams(streams)
    }

    func goAway(reason: String) {
        guard !isOver else { return }
        let body = Array("{\"reason\":\"\(reason)\"}".utf8)
        connection.goAway(lastStream: connection.lastProcessedStream, .noError, debugData: body)
    }

    func abort() {
        if !isOver { connection.abort() }
    }

    /// Sends the connection away when nothing has come for the idle time.
    func watchSilence() {
        guard let limit = configuration.idleTimeout else { return }
        let rest = max(limit - connection.silence, .milliseconds(1))
        let loop = connection.loop
        loop.schedule(after: rest) { [weak self] in
            // In a turn of its own: what came meanwhile is read first.
            loop.execute { [weak self] in self?.endSilence(limit) }
        }
    }

    private func endSilence(_ limit: Duration) {
        guard !isOver else { return }
        guard connection.silence >= limit else { return watchSilence() }
        goAway(reason: "IdleTimeout")
        connection.close()
    }
}

// Protected by: the gateway's thread, where all of it runs.
extension Desk: @unchecked Sendable {}
