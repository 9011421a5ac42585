// SPDX-License-Identifier: MIT

import OffhookNet

/// The provider tokens of one key, one for each gateway, shared by all connections.
final class ProviderTokens: Sendable {
    /// What a push gets.
    enum Answer {
        /// Send with this token.
        case use(ProviderTokenMachine.Token)
        /// Send nothing; the reason is Apple's word.
        case refuse(reason: String, PushReaction)
    }

    private let keyID: String
    private let teamID: String
    private let key: ES256PrivateKey
    private let machines = Guarded<[String: ProviderTokenMachine]>([:])

    init(keyID: String, teamID: String, key: ES256PrivateKey) {
        self.keyID = keyID
        self.teamID = teamID
        self.key = key
    }

    /// The token for a gateway; makes it when it is due.
    ///
    /// Signing under the lock lets everyone wait for the one token.
    func token(for host: String, at now: PushTime) -> Answer {
        machines.withLock { machines in
            let effect = machines[host, default: ProviderTokenMachine()].handle(.needed, at: now)
            switch effect {
            case .use(let token): return .use(token)
            case .sign(let issuedAt):
                do {
                    let authorization = try makeToken(issuedAt: issuedAt)
                    let signed = machines[host, default: ProviderTokenMachine()].handle(
                        .signed(authorization: authorization), at: now)
                    guard case .use(let token) = signed else {
                        return .refuse(reason: "NoProviderToken", .stopCredential)
                    }
                    return .use(token)
                } catch {
                    // The key cannot sign; the next push tries again from the start.
                    machines[host] = nil
                    return .refuse(reason: "NoProviderToken", .stopCredential)
                }
            case .stop(let reason): return .refuse(reason: reason, .stopCredential)
            case .wait: return .refuse(reason: "ExpiredProviderToken", .renewProviderToken)
            case .none: return .refuse(reason: "NoProviderToken", .stopCredential)
            }
        }
    }

    /// Tells the gateway's machine how a token fared.
    func report(_ event: ProviderTokenMachine.Event, host: String, at now: PushTime) {
        machines.withLock { _ = $0[host]?.handle(event, at: now) }
    }

    private func makeToken(issuedAt: Int64) throws(NetError) -> String {
        let header = Base64URL.encode("{\"alg\":\"ES256\",\"kid\":\"\(keyID)\"}".utf8)
        let claims = Base64URL.encode("{\"iss\":\"\(teamID)\",\"iat\":\(issuedAt)}".utf8)
        let signed = "\(header).\(claims)"
        return "bearer \(signed).\(Base64URL.encode(try key.sign(Array(signed.utf8))))"
    }
}
