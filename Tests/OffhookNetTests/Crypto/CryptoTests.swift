// SPDX-License-Identifier: MIT

import OffhookNet
import Testing

@Suite struct CryptoTests {
    @Test func sha256MatchesTheStandardsVectors() {
        #expect(hex(SHA256.hash([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            hex(SHA256.hash(Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func hmacMatchesRFC4231Case2() {
        let code = SHA256.authenticationCode(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        #expect(hex(code) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test func hmacTakesAnEmptyKey() {
        #expect(
            hex(SHA256.authenticationCode([], key: []))
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    @Test func sha1MakesTheWebSocketAcceptValueOfRFC6455() {
        let digest = SHA1.hash(Array("dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
        #expect(Base64URL.encode(digest) == "s3pPLMBiTxaQ9kYGzzhZRbK-xOo")
    }

    @Test func secretsCompareByContentAndLength() {
        #expect(ConstantTime.equal([1, 2], [1, 2]))
        #expect(ConstantTime.equal([], []))
        #expect(!ConstantTime.equal([1, 2], [1, 3]))
        #expect(!ConstantTime.equal([1, 2], [1, 2, 3]))
    }

    @Test func randomBytesHaveTheLengthAndDiffer() {
        #expect(SecureRandom.bytes(0).isEmpty)
        #expect(SecureRandom.bytes(32).count == 32)
        #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
    }
}

@Suite struct Base64URLTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func matchesTheVectorsOfRFC4648(plain: String, text: String) {
        #expect(Base64URL.encode(plain.utf8) == text)
        #expect(Base64URL.decode(text) == Array(plain.utf8))
    }

    @Test func usesTheURLSafeAlphabet() {
        #expect(Base64URL.encode([0xff, 0xef, 0xbe]) == "_---")
        #expect(Base64URL.decode("_---") == [0xff, 0xef, 0xbe])
    }

    @Test(arguments: ["Zg==", "Zm+v", "Zm/v", "Z", "Zh", "Zm9v Zm9v", "Zm9v\n", "é"])
    func refusesWhatIsNotTheOneForm(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func everyLengthReturnsAsItWas() {
        for length in 0..<100 {
            let bytes = SecureRandom.bytes(length)
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }
}

func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}
