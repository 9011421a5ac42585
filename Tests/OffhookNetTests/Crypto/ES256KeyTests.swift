// SPDX-License-Identifier: MIT

import OffhookNet
import Testing

@Suite struct ES256KeyTests {
    // The key of RFC 7515 appendix A.3 as PEM; its signature is over the signing input given there.
    static let publicPEM = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
        6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END PUBLIC KEY-----
        """
    static let signingInput =
        "eyJhbGciOiJFUzI1NiJ9"
        + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    static let signature = "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

    @Test func verifiesTheSignatureOfRFC7515() throws {
        let key = try ES256PublicKey(pem: Self.publicPEM)
        let raw = try #require(Base64URL.decode(Self.signature))
        #expect(raw.count == 64)
        #expect(key.verify(raw, over: Array(Self.signingInput.utf8)))
        #expect(!key.verify(raw, over: Array((Self.signingInput + "x").utf8)))
    }

    @Test func refusesEverySingleBitChangeOfASignature() throws {
        let key = try ES256PublicKey(pem: Self.publicPEM)
        let raw = try #require(Base64URL.decode(Self.signature))
        for bit in 0..<(raw.count * 8) {
            var changed = raw
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!key.verify(changed, over: Array(Self.signingInput.utf8)))
        }
    }

    @Test func refusesSignaturesOfAnotherLengthOrForm() throws {
        let key = try ES256PublicKey(pem: Self.publicPEM)
        let message = Array(Self.signingInput.utf8)
        for length in [0, 1, 63, 65, 70, 72, 128] {
            #expect(!key.verify([UInt8](repeating: 0x30, count: length), over: message))
        }
        #expect(!key.verify([UInt8](repeating: 0, count: 64), over: message))
        #expect(!key.verify([UInt8](repeating: 0xff, count: 64), over: message))
    }

    @Test func whatAKeySignsItsPublicHalfVerifies() throws {
        let key = try ES256PrivateKey.generate()
        let other = try ES256PrivateKey.generate()
        for count in [0, 1, 100, 5_000] {
            let message = SecureRandom.bytes(count)
            let signature = try key.sign(message)
            #expect(signature.count == 64)
            #expect(key.publicKey.verify(signature, over: message))
            #expect(!other.publicKey.verify(signature, over: message))
        }
    }

    @Test func aKeyWrittenAsP8IsReadBack() throws {
        let key = try ES256PrivateKey.generate()
        #expect(key.pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let read = try ES256PrivateKey(pem: key.pem)
        let signature = try read.sign([1, 2, 3])
        #expect(key.publicKey.verify(signature, over: [1, 2, 3]))
        let publicKey = try ES256PublicKey(pem: key.publicKey.pem)
        #expect(publicKey.verify(signature, over: [1, 2, 3]))
    }

    @Test(
        "A .p8 that is no key says what it is and what is expected",
        arguments: [
            ("", "is empty"),
            ("hello", "is no private key"),
            ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "is no private key"),
            ("-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEH\n", "is no private key"),
            ("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n", "passphrase"),
        ])
    func aFileThatIsNoKey(text: String, found: String) {
        let error = #expect(throws: NetError.self) { try ES256PrivateKey(pem: text, name: "AuthKey.p8") }
        #expect(error?.code == .crypto)
        #expect(error?.message.contains("AuthKey.p8") == true)
        #expect(error?.message.contains(found) == true)
        #expect(error?.message.contains("-----BEGIN PRIVATE KEY-----") == true)
    }

    @Test func aCertificateOrAPublicKeyIsNamedForWhatItIs() throws {
        let certificate = try Certificate.selfSigned().certificatePEM
        let first = #expect(throws: NetError.self) { try ES256PrivateKey(pem: certificate) }
        #expect(first?.message.contains("is a certificate") == true)
        let second = #expect(throws: NetError.self) { try ES256PrivateKey(pem: Self.publicPEM) }
        #expect(second?.message.contains("is a public key") == true)
    }

    @Test func aKeyOfAnotherCurveIsRefused() {
        // A P-384 key made with: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384
        let pem = """
            -----BEGIN PRIVATE KEY-----
            MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDC7s2KOUDedA6wPe9pW
            KPKzx7qa1CQV+tKg6MjkvH0aIp0do5xdMGJim8c+UXtk4dmhZANiAAQjKlirO7YE
            ENN8nSn7wem92VyXvZN4Rs4AAukE42TqTit2/lSY26xlHB0hXON6ujhzwPDR5X/N
            iGgSMlQPqc8f7TCFqYV+c6ovrZWVqQcz/9kApLpe2oOJG4sRVEq1lxs=
            -----END PRIVATE KEY-----
            """
        let error = #expect(throws: NetError.self) { try ES256PrivateKey(pem: pem) }
        #expect(error?.message.contains("another kind") == true)
    }

    @Test func truncatedKeysNeverTrap() throws {
        let pem = try ES256PrivateKey.generate().pem
        for length in 0..<(pem.utf8.count - 30) {
            #expect(throws: NetError.self) { try ES256PrivateKey(pem: String(pem.prefix(length))) }
        }
    }
}
