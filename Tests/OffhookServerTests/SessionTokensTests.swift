// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookServer
import Testing

@Suite("Session tokens")
struct SessionTokensTests {
    private static let now = Instant(milliseconds: 1_700_000_000_000)
    private static let secret = Array("a secret of the tests, long enough.".utf8)
    private let tokens: SessionTokens

    init() throws {
        tokens = try SessionTokens(secret: SessionTokensTests.secret)
    }

    private func fault(_ token: String, at now: Instant = now) -> SessionTokens.Fault? {
        do {
            _ = try tokens.verify(token, at: now)
            return nil
        } catch {
            return error
        }
    }

    /// A token with any header and claims, rightly signed.
    private func signed(_ header: String, _ claims: String) -> String {
        let text = Base64URL.encode(header.utf8) + "." + Base64URL.encode(claims.utf8)
        let code = SHA256.authenticationCode(Array(text.utf8), key: SessionTokensTests.secret)
        return text + "." + Base64URL.encode(code)
    }

    @Test("A token proves what was put into it until its time is over")
    func roundTrip() throws {
        let claims = SessionTokens.Claims(
            user: "alice", device: "a1", name: "Alice \"A\" 🙂", expiresAt: SessionTokensTests.now + .seconds(60))
        let token = tokens.mint(claims)
        #expect(try tokens.verify(token, at: SessionTokensTests.now) == claims)
        #expect(try tokens.verify(token, at: claims.expiresAt - .milliseconds(1)) == claims)
        #expect(fault(token, at: claims.expiresAt) == .expired)
    }

    @Test("Every single changed character is noticed")
    func everyChange() {
        let token = tokens.mint(
            SessionTokens.Claims(user: "alice", expiresAt: SessionTokensTests.now + .seconds(60)))
        let characters = Array(token)
        for index in characters.indices where characters[index] != "." {
            var changed = characters
            changed[index] = changed[index] == "A" ? "B" : "A"
            #expect(fault(String(changed)) != nil, "character \(index)")
        }
        for length in 0..<characters.count { #expect(fault(String(characters[..<length])) != nil) }
    }

    @Test(
        "The algorithm is fixed, whatever the token asks for",
        arguments: ["none", "None", "HS384", "RS256", "ES256", "hs256", ""])
    func algorithms(algorithm: String) {
        let claims = #"{"sub":"alice","exp":9999999999}"#
        #expect(fault(signed(#"{"alg":"\#(algorithm)","typ":"JWT"}"#, claims)) == .algorithm)
        let header = Base64URL.encode(#"{"alg":"\#(algorithm)"}"#.utf8)
        #expect(fault(header + "." + Base64URL.encode(claims.utf8) + ".") == .algorithm)
    }

    @Test("A key id in the header changes nothing; critical extensions are refused")
    func headers() {
        let claims = #"{"sub":"alice","exp":9999999999}"#
        #expect(fault(signed(#"{"alg":"HS256","kid":"../../dev/null"}"#, claims)) == nil)
        #expect(fault(signed(#"{"alg":"HS256","crit":["exp"]}"#, claims)) == .malformed)
        #expect(fault(signed(#"{"typ":"JWT"}"#, claims)) == .algorithm)
    }

    @Test(
        "Claims that are missing or of another kind are refused",
        arguments: [
            #"{"exp":9999999999}"#, #"{"sub":"alice"}"#, #"{"sub":"","exp":9999999999}"#,
            #"{"sub":7,"exp":9999999999}"#, #"{"sub":"alice","exp":"9999999999"}"#, #"{"sub":"alice","exp":-1}"#,
            #"{"sub":"alice","exp":1e10}"#, #"{"sub":"alice","exp":9223372036854775807}"#,
            #"{"sub":"alice","exp":9999999999,"device":7}"#, #"{"sub":"alice","exp":9999999999,"name":[]}"#, "[]", "",
        ])
    func claims(text: String) {
        #expect(fault(signed(#"{"alg":"HS256"}"#, text)) == .malformed)
    }

    @Test("A token that is not valid yet is refused")
    func notYet() {
        let claims = #"{"sub":"alice","exp":9999999999,"nbf":1700000001}"#
        #expect(fault(signed(#"{"alg":"HS256"}"#, claims)) == .expired)
        #expect(fault(signed(#"{"alg":"HS256"}"#, claims), at: SessionTokensTests.now + .seconds(1)) == nil)
    }

    @Test(
        "Rubbish is refused",
        arguments: ["", ".", "..", "...", "a.b.c", "=.=.=", String(repeating: "a", count: 100_000)])
    func rubbish(token: String) {
        #expect(fault(token) == .malformed)
    }

    @Test("Another secret's token is refused")
    func anotherSecret() throws {
        let other = try SessionTokens(secret: Array("another secret, also long enough...".utf8))
        let token = other.mint(SessionTokens.Claims(user: "a", expiresAt: SessionTokensTests.now + .seconds(60)))
        #expect(fault(token) == .signature)
    }
}
