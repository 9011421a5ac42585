// SPDX-License-Identifier: MIT

import OffhookNet

extension VirtualAPNs {
    /// Takes a connection in; called on the gateway's thread before the connection's first byte.
    func serve(_ connection: HTTP2ServerConnection) {
        let number = state.withLock { state in
            state.connections += 1
            return state.connections
        }
        let keys = Dictionary(configuration.keys.map { ($0.keyID, $0) }, uniquingKeysWith: { first, _ in first })
        let judge = ProviderConnection(
            environment: configuration.environment, keys: keys, bundles: configuration.bundles)
        let desk = Desk(gateway: self, connection: connection, number: number, judge: judge)
        desk.tell(.connected(peer: connection.peerAddress))
        connection.onRequest = { desk.received($1, on: $0) }
        connection.onClosed = { _ in desk.tell(.disconnected) }
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
    private var judge: ProviderConnection
    private var allowedStreams: UInt32 = 1

    init(gateway: VirtualAPNs, connection: HTTP2ServerConnection, number: Int, judge: ProviderConnection) {
        self.gateway = gateway
        self.connection = connection
        self.number = number
        self.judge = judge
        configuration = gateway.configuration
    }

    func tell(_ kind: @autoclosure () -> GatewayEvent.Kind) {
        guard let onEvent = configuration.onEvent else { return }
        onEvent(GatewayEvent(time: configuration.clock(), connection: number, kind: kind()))
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
        switch judge.judge(request, devices: devices, at: configuration.clock()) {
        case .accept(let delivery):
            tell(.accepted(delivery))
            if answers { accept(delivery, on: stream) }
            devices.devices[delivery.token]?.deliver(delivery)
            tell(.delivered(delivery))
        case .expire(let delivery):
            tell(.accepted(delivery))
            if answers { accept(delivery, on: stream) }
            tell(.expired(delivery))
        case .refuse(let refusal):
            tell(.refused(refusal))
            if answers { refuse(refusal, on: stream) }
        }
        // One stream until the first valid token; then many.
        if judge.teamID != nil, allowedStreams == 1, !configuration.throttlesAfterRefusal { allowMany() }
    }

    private func accept(_ delivery: Delivery, on stream: Int32) {
        var headers = [HTTP2Header("apns-id", delivery.id, isNeverIndexed: true)]
        if let uniqueID = delivery.uniqueID {
            headers.append(HTTP2Header("apns-unique-id", uniqueID, isNeverIndexed: true))
        }
        connection.respond(HTTP2Response(status: 200, headers: headers), on: stream)
        allowMany()
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
        if configuration.throttlesAfterRefusal, allowedStreams > 1 {
            allowedStreams = 1
            connection.setConcurrentStreams(1)
        }
    }

    private func allowMany() {
        guard allowedStreams != configuration.concurrentStreams else { return }
        allowedStreams = configuration.concurrentStreams
        connection.setConcurrentStreams(allowedStreams)
    }
}

// Protected by: the gateway's thread, where all of it runs.
extension Desk: @unchecked Sendable {}
