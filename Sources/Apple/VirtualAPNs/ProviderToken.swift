// SPDX-License-Identifier: MIT

import OffhookNet

/// A provider token (JWT) taken apart, its signature checked.
///
/// - Note: RFC 7515, RFC 7519; APNs allows ES256 alone.
struct ProviderToken {
    /// Why a token is none.
    struct Flaw: Error {
        let explanation: String
    }

    let key: ProviderKey
    /// When the token says it was made, in seconds since 1970.
    let issuedAt: Double

    /// Reads the value of an `authorization` field.
    init(authorization: String, keys: [String: ProviderKey]) throws(Flaw) {
        let parts = authorization.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw Flaw(explanation: "the authorization field is not \"bearer <token>\"")
        }
        let sections = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        guard sections.count == 3, let header = Base64URL.decode(sections[0]).flatMap(JSONText.members),
            let claims = Base64URL.decode(sections[1]).flatMap(JSONText.members),
            let signature = Base64URL.decode(sections[2])
        else { throw Flaw(explanation: "the token is no JWT of three base64url parts with JSON objects inside") }
        guard header["alg"] == .string("ES256") else {
            throw Flaw(explanation: "the token's alg is not ES256, the only one APNs takes")
        }
        guard case .string(let keyID) = header["kid"], let key = keys[keyID] else {
            throw Flaw(explanation: "the token's kid names no key that Apple knows")
        }
        guard claims["iss"] == .string(key.teamID) else {
            throw Flaw(explanation: "the token's iss is not the team that owns key \(keyID)")
        }
        guard case .number(let issuedAt) = claims["iat"] else {
            throw Flaw(explanation: "the token's iat is no number of seconds since 1970")
        }
        guard signature.count == 64 else {
            throw Flaw(
                explanation: "the signature has \(signature.count) bytes; JOSE wants R and S raw, 64 bytes, not DER")
        }
        let signed = Array((sections[0] + "." + sections[1]).utf8)
        guard key.publicKey.verify(signature, over: signed) else {
            throw Flaw(explanation: "the signature is not one of key \(keyID) over this token")
        }
        self.key = key
        self.issuedAt = issuedAt
    }
}
