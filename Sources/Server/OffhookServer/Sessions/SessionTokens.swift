// SPDX-License-Identifier: MIT

public import OffhookCore
import OffhookNet
import OffhookWire

/// Makes and checks session tokens: JSON Web Tokens (RFC 7519) signed with HMAC-SHA256.
///
/// The app's own backend mints them for the users it has authenticated, with the shared secret; `offhook serve
/// --dev-token` mints them for development. The algorithm is fixed: what the token's header asks for is only compared.
public struct SessionTokens: Sendable {
    /// What a token proves.
    public struct Claims: Hashable, Sendable {
        /// The user, `sub`.
        public var user: String
        /// The only device that may use the token, `device`; nil: any device of the user.
        public var device: String?
        /// The user's name to show, `name`; the signer vouches for it.
        public var name: String?
        /// From when on the token is worthless, `exp`.
        public var expiresAt: Instant

        /// Makes claims.
        public init(user: String, device: String? = nil, name: String? = nil, expiresAt: Instant) {
            self.user = user
            self.device = device
            self.name = name
            self.expiresAt = expiresAt
        }
    }

    /// Why a token proves nothing.
    public enum Fault: String, Error, Hashable, Sendable, CaseIterable {
        /// There is no `Authorization: Bearer` header.
        case missing
        /// It is no JSON Web Token, or lacks a claim.
        case malformed
        /// It is signed in another way than HS256.
        case algorithm
        /// Another secret signed it, or it was changed.
        case signature
        /// Its time is over.
        case expired
    }

    private let secret: [UInt8]
    private static let header = Base64URL.encode(#"{"alg":"HS256","typ":"JWT"}"#.utf8)
    private static let maximumLength = 4096

    /// Takes the secret, at least 32 bytes.
    ///
    /// - Throws: ``ServerError`` of code `configuration` for a shorter one.
    public init(secret: [UInt8]) throws(ServerError) {
        guard secret.count >= 32 else {
            throw ServerError(
                .configuration, "The token secret has \(secret.count) bytes; give at least 32 random ones.")
        }
        self.secret = secret
    }

    /// A token with these claims.
    public func mint(_ claims: Claims) -> String {
        var object: JSONObject = ["sub": .string(claims.user)]
        if let device = claims.device { object["device"] = .string(device) }
        if let name = claims.name { object["name"] = .string(name) }
        object["exp"] = .integer(claims.expiresAt.milliseconds / 1000)
        let signed = SessionTokens.header + "." + Base64URL.encode(JSONValue.object(object).bytes)
        return signed + "." + Base64URL.encode(SHA256.authenticationCode(Array(signed.utf8), key: secret))
    }

    /// What a token proves at that time.
    ///
    /// The signature is compared in a time that depends on its length alone, before anything else is read but the
    /// algorithm.
    public func verify(_ token: String, at now: Instant) throws(Fault) -> Claims {
        guard token.utf8.count <= SessionTokens.maximumLength else { throw .malformed }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = SessionTokens.object(parts[0]) else { throw .malformed }
        guard header["alg"] == .string("HS256") else { throw .algorithm }
        guard header["crit"] == nil else { throw .malformed }
        guard let signature = Base64URL.decode(parts[2]) else { throw .malformed }
        let signed = Array(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        guard ConstantTime.equal(signature, SHA256.authenticationCode(signed, key: secret)) else { throw .signature }
        guard let claims = SessionTokens.object(parts[1]),
            case .string(let user)? = claims["sub"], (1...256).contains(user.utf8.count),
            let expiry = SessionTokens.seconds(claims["exp"])
        else { throw .malformed }
        guard now < Instant(milliseconds: expiry * 1000) else { throw .expired }
        if let start = claims["nbf"] {
            guard let seconds = SessionTokens.seconds(start) else { throw .malformed }
            guard now >= Instant(milliseconds: seconds * 1000) else { throw .expired }
        }
        return Claims(
            user: user, device: try SessionTokens.text(claims["device"]), name: try SessionTokens.text(claims["name"]),
            expiresAt: Instant(milliseconds: expiry * 1000))
    }

    /// The token of an `Authorization: Bearer` header.
    static func bearer(_ header: String?) throws(Fault) -> String {
        guard let header else { throw .missing }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw .missing }
        return String(parts[1])
    }

    private static func object(_ part: Substring) -> JSONObject? {
        guard let bytes = Base64URL.decode(part), case .object(let object)? = try? JSONValue.parse(bytes) else {
            return nil
        }
        return object
    }

    private static func seconds(_ value: JSONValue?) -> Int64? {
        guard case .integer(let seconds)? = value, (0...9_007_199_254_740).contains(seconds) else { return nil }
        return seconds
    }

    private static func text(_ value: JSONValue?) throws(Fault) -> String? {
        switch value {
        case nil, .null?: return nil
        case .string(let text)?:
            guard (1...256).contains(text.utf8.count) else { throw .malformed }
            return text
        default: throw .malformed
        }
    }
}
