// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookWire

extension HTTPRoutes {
    static let peersPath = "/v1/peers"
    /// How many peers an answer holds at most.
    static let peersPerPage = 100

    /// Whom a signed-in user can call (R95): everybody the server knows but the user, in the order of their ids.
    ///
    /// `?after=ID` asks for those behind an id; `more` says whether there are any behind the last one.
    func peers(_ request: HTTPRequest) -> HTTPResponse {
        let claims: SessionTokens.Claims
        do {
            claims = try tokens.verify(
                SessionTokens.bearer(request.headers["Authorization"]), at: switchboard.clock.now)
        } catch {
            return HTTPRoutes.failure(
                401, "unauthorized", error.advice, headers: ["WWW-Authenticate": "Bearer"])
        }
        let after = request.head.query.flatMap { HTTPRoutes.value(of: "after", in: $0) } ?? ""
        do {
            let (peers, more) = try switchboard.peers(of: claims.user, after: after, limit: HTTPRoutes.peersPerPage)
            let body: JSONObject = [
                "user": .string(claims.user), "peers": .array(peers.map(\.json)), "more": .bool(more),
            ]
            return .json(200, JSONValue.object(body).bytes)
        } catch {
            return HTTPRoutes.failure(500, "internal", "The database cannot be read now.")
        }
    }

    /// The value of a query's field, percent-decoded; nil when there is none or it is no UTF-8.
    static func value(of field: String, in query: String) -> String? {
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0] == field else { continue }
            var bytes: [UInt8] = []
            var rest = Array(parts[1].utf8)[...]
            while let byte = rest.popFirst() {
                guard byte == UInt8(ascii: "%") else {
                    bytes.append(byte)
                    continue
                }
                guard let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2
                else { return nil }
                bytes.append(code)
                rest.removeFirst(2)
            }
            return String(validating: bytes, as: UTF8.self)
        }
        return nil
    }
}

/// Somebody who can be called.
struct Peer: Hashable {
    var user: StoredUser
    /// Whether a device of the user is connected now.
    var isOnline: Bool
    /// Whether a call can reach a device of the user: a connected one, or one with a push token.
    var isReachable: Bool

    var json: JSONValue {
        .object([
            "user": .string(user.id), "name": .string(user.name), "online": .bool(isOnline),
            "reachable": .bool(isReachable),
            "handle": .object(["kind": .string(user.handle.kind.rawValue), "value": .string(user.handle.value)]),
        ])
    }
}

extension Switchboard {
    /// The users that the server knows, without one, behind an id, and whether there are more.
    func peers(
        of user: String, after id: String, limit: Int
    ) throws(StoreFailure) -> (peers: [Peer], more: Bool) {
        let found = try store.users(after: id, without: user, limit: limit + 1)
        let peers = found.prefix(limit).map { user, hasToken in
            let isOnline = connectionCount(of: user.id) > 0
            return Peer(user: user, isOnline: isOnline, isReachable: hasToken || isOnline)
        }
        return (peers, found.count > limit)
    }
}
