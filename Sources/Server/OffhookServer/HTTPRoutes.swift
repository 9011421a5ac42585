// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookWire

/// The HTTP side of the server: health, peers, call records, and who may open a WebSocket; bound to the server's thread.
struct HTTPRoutes: Sendable {
    let switchboard: Switchboard
    let tokens: SessionTokens
    let configuration: ServerConfiguration

    static let socketPath = "/v1/socket"
    private static let callsPrefix = "/v1/calls/"

    func respond(to request: HTTPRequest) -> HTTPResponse {
        let path = request.path
        if path == HTTPRoutes.socketPath {
            return HTTPRoutes.failure(
                426, "upgradeRequired", "This is a WebSocket; send an upgrade request.",
                headers: ["Upgrade": "websocket"])
        }
        guard path == "/v1/health" || path == HTTPRoutes.peersPath || path.hasPrefix(HTTPRoutes.callsPrefix) else {
            return HTTPRoutes.failure(404, "notFound", "There is nothing at this path.")
        }
        guard request.method == "GET" || request.method == "HEAD" else {
            return HTTPRoutes.failure(
                405, "methodNotAllowed", "Only GET is understood here.", headers: ["Allow": "GET, HEAD"])
        }
        if path == HTTPRoutes.peersPath { return peers(request) }
        return path == "/v1/health" ? health() : record(String(path.dropFirst(HTTPRoutes.callsPrefix.count)), request)
    }

    private func health() -> HTTPResponse {
        let body: JSONObject = [
            "status": .string("ok"), "calls": .integer(Int64(switchboard.calls.count)),
            "connections": .integer(Int64(switchboard.connections.count)),
        ]
        return .json(200, JSONValue.object(body).bytes)
    }

    private func record(_ id: String, _ request: HTTPRequest) -> HTTPResponse {
        guard let key = configuration.apiKey else {
            return HTTPRoutes.failure(
                403, "forbidden", "The server was started without an API key, so call records are closed.")
        }
        let given = (try? SessionTokens.bearer(request.headers["Authorization"])) ?? ""
        guard ConstantTime.equal(SHA256.hash(Array(given.utf8)), SHA256.hash(Array(key.utf8))) else {
            return HTTPRoutes.failure(
                401, "unauthorized", "Send the API key as Authorization: Bearer.",
                headers: ["WWW-Authenticate": "Bearer"])
        }
        do {
            guard let call = CallID(id), let record = try switchboard.record(call) else {
                return HTTPRoutes.failure(404, "unknownCall", "There is no such call.")
            }
            return .json(200, record.json.bytes)
        } catch {
            return HTTPRoutes.failure(500, "internal", "The database cannot be read now.")
        }
    }

    /// Decides about a WebSocket: path, origin, token, number of connections.
    func upgrade(_ request: HTTPRequest) -> WebSocketUpgrade {
        guard request.path == HTTPRoutes.socketPath else {
            return .refuse(
                HTTPRoutes.failure(404, "notFound", "The WebSocket is at \(HTTPRoutes.socketPath)."))
        }
        // A browser always says which page connects; an app never does.
        if let origin = request.headers["Origin"], !configuration.allowedOrigins.contains(origin) {
            return .refuse(HTTPRoutes.failure(403, "forbidden", "This web page may not connect."))
        }
        let claims: SessionTokens.Claims
        do {
            claims = try tokens.verify(
                SessionTokens.bearer(request.headers["Authorization"]), at: switchboard.clock.now)
        } catch {
            switchboard.note("a connection was refused: token \(error.rawValue)", rule: "unauthorized")
            return .refuse(
                HTTPRoutes.failure(401, "unauthorized", error.advice, headers: ["WWW-Authenticate": "Bearer"]))
        }
        guard switchboard.connectionCount(of: claims.user) < configuration.limits.connectionsPerUser else {
            return .refuse(HTTPRoutes.failure(429, "limitExceeded", "This user has too many connections."))
        }
        var limits = WebSocketLimits()
        limits.messageBytes = WireCodec.maximumClientFrame
        limits.frameBytes = WireCodec.maximumClientFrame
        limits.outboundBytes = configuration.limits.outgoingBytes
        let switchboard = switchboard
        let handlers = WebSocketHandlers(
            opened: { switchboard.opened(claims, $0) }, text: { switchboard.received($1, on: $0) },
            closed: { socket, _ in switchboard.closed(socket) })
        return .accept(handlers, limits: limits)
    }

    static func failure(
        _ status: Int, _ code: String, _ message: String, headers: HTTPHeaders = [:]
    ) -> HTTPResponse {
        let error: JSONObject = ["code": .string(code), "message": .string(message)]
        return .json(status, JSONValue.object(["error": .object(error)]).bytes, headers: headers)
    }
}

extension SessionTokens.Fault {
    /// What the client can do.
    var advice: String {
        switch self {
        case .missing: "Send the session token as Authorization: Bearer."
        case .malformed: "This is no session token."
        case .algorithm: "Session tokens are signed with HS256."
        case .signature: "The session token is not signed by this server's secret."
        case .expired: "The session token's time is over; get a new one."
        }
    }
}

extension CallRecord {
    /// The record as `GET /v1/calls/…` answers it; times that have not come are left out.
    var json: JSONValue {
        var object: JSONObject = [
            "call": .string(call.description), "state": .string(state.rawValue),
            "caller": .object(["user": .string(caller.user), "device": .string(caller.device)]),
            "callee": .string(callee), "video": .bool(video),
            "createdAt": .integer(times.createdAt.milliseconds), "expiresAt": .integer(expiresAt.milliseconds),
        ]
        object["rangAt"] = times.rangAt.map { .integer($0.milliseconds) }
        object["answeredAt"] = times.answeredAt.map { .integer($0.milliseconds) }
        object["connectedAt"] = times.connectedAt.map { .integer($0.milliseconds) }
        object["endedAt"] = times.endedAt.map { .integer($0.milliseconds) }
        object["reason"] = reason.map { .string($0.rawValue) }
        object["answeredBy"] = answeredBy.map { .string($0) }
        object["devices"] = .array(
            devices.map { .object(["device": .string($0.device), "state": .string($0.state.rawValue)]) })
        return .object(object)
    }
}

extension Switchboard {
    /// What is known of a call, from memory or from the store.
    func record(_ call: CallID) throws(StoreFailure) -> CallRecord? {
        commit()
        if let live = calls[call] { return CallRecord(live.machine) }
        return try store.call(call).map { CallRecord($0) }
    }
}
