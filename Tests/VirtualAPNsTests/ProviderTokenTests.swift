// SPDX-License-Identifier: MIT

import OffhookNet
import Testing
import VirtualAPNs

@Suite struct ProviderTokenTests {
    private func reason(_ gateway: Gateway, _ authorization: String) async throws -> String? {
        let sender = try await RawSender(gateway.apns)
        return try await sender.send(gateway.push(authorization: authorization)).reason
    }

    @Test func aTokenOfAnotherKeyIsInvalid() async throws {
        let gateway = try Gateway()
        let other = try ES256PrivateKey.generate()
        #expect(try await reason(gateway, gateway.authorization(key: other)) == "InvalidProviderToken")
    }

    @Test(arguments: [
        "{\"alg\":\"none\",\"kid\":\"KEY0123456\"}", "{\"alg\":\"HS256\",\"kid\":\"KEY0123456\"}",
        "{\"alg\":\"RS256\",\"kid\":\"KEY0123456\"}", "{\"kid\":\"KEY0123456\"}", "{\"alg\":\"ES256\"}",
        "{\"alg\":\"ES256\",\"kid\":\"KEY9999999\"}", "{\"alg\":\"ES256\",\"kid\":\"../../etc/passwd\"}",
        "{\"alg\":\"ES256\",\"kid\":1}", "[]", "",
    ])
    func aWrongHeaderIsInvalid(header: String) async throws {
        let gateway = try Gateway()
        #expect(try await reason(gateway, gateway.authorization(header: header)) == "InvalidProviderToken")
    }

    @Test(arguments: [
        "{\"iat\":1800000000}", "{\"iss\":\"TEAM999999\",\"iat\":1800000000}", "{\"iss\":\"TEAM012345\"}",
        "{\"iss\":\"TEAM012345\",\"iat\":\"1800000000\"}", "{\"iss\":\"TEAM012345\",\"iat\":null}", "1", "",
    ])
    func wrongClaimsAreInvalid(claims: String) async throws {
        let gateway = try Gateway()
        #expect(try await reason(gateway, gateway.authorization(claims: claims)) == "InvalidProviderToken")
    }

    @Test func aSignatureInDERIsInvalidAndTheEventSaysWhy() async throws {
        let gateway = try Gateway()
        let right = try gateway.authorization()
        let parts = right.split(separator: ".")
        let raw = try #require(Base64URL.decode(parts[2]))
        let der = [0x30, 0x44, 0x02, 0x20] + raw[0..<32] + [0x02, 0x20] + raw[32..<64]
        let wrong = "\(parts[0]).\(parts[1]).\(Base64URL.encode(der))"
        #expect(try await reason(gateway, wrong) == "InvalidProviderToken")
        #expect(gateway.record.refusals.first?.explanation.contains("not DER") == true)
        let unsigned = "\(parts[0]).\(parts[1])."
        #expect(try await reason(gateway, unsigned) == "InvalidProviderToken")
    }

    @Test func aTokenLivesAnHour() async throws {
        let gateway = try Gateway()
        let authorization = try gateway.authorization()
        let sender = try await RawSender(gateway.apns)
        #expect(try await sender.send(gateway.push(authorization: authorization)).status == 200)
        gateway.clock.advance(seconds: 3_600)
        #expect(try await sender.send(gateway.push(authorization: authorization)).status == 200)
        gateway.clock.advance(seconds: 1)
        let answer = try await sender.send(gateway.push(authorization: authorization))
        #expect(answer.status == 403)
        #expect(answer.reason == "ExpiredProviderToken")
    }

    @Test func aTokenOfTheFutureIsRefused() async throws {
        let gateway = try Gateway()
        #expect(try await reason(gateway, gateway.authorization(age: -60)) == nil)
        #expect(try await reason(gateway, gateway.authorization(age: -61)) == "ExpiredProviderToken")
    }

    @Test("P45: a second token within 20 minutes blocks the connection: TooManyProviderTokenUpdates")
    func aSecondTokenWithin20MinutesBlocksTheConnection() async throws {
        let gateway = try Gateway()
        let first = gateway.push(authorization: try gateway.authorization(age: 1))
        let second = gateway.push()
        let sender = try await RawSender(gateway.apns)
        #expect(try await sender.send(first).status == 200)
        gateway.clock.advance(seconds: 1_199)
        let refused = try await sender.send(second)
        #expect(refused.status == 429)
        #expect(refused.reason == "TooManyProviderTokenUpdates")
        // The connection is of no use now, even with the token it knows; another connection is.
        #expect(try await sender.send(first).status == 429)
        let other = try await RawSender(gateway.apns)
        #expect(try await other.send(second).status == 200)
        gateway.clock.advance(seconds: 1_200)
        #expect(try await sender.send(second).status == 200)
    }

    @Test func aSecondTokenAfter20MinutesIsFine() async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        #expect(try await sender.send(gateway.push()).status == 200)
        gateway.clock.advance(seconds: 1_200)
        let second = try gateway.authorization()
        #expect(try await sender.send(gateway.push(authorization: second)).status == 200)
    }

    @Test func aConnectionBelongsToTheTeamOfItsFirstPush() async throws {
        let other = try ES256PrivateKey.generate()
        let gateway = try Gateway {
            $0.keys.append(ProviderKey(keyID: "KEYOTHER01", teamID: "TEAMOTHER1", publicKey: other.publicKey))
            $0.bundles["com.other.app"] = "TEAMOTHER1"
        }
        gateway.apns.register(token: "abcd", bundle: "com.other.app", environment: .development) { _ in }
        let authorization = try gateway.authorization(
            header: "{\"alg\":\"ES256\",\"kid\":\"KEYOTHER01\"}",
            claims: "{\"iss\":\"TEAMOTHER1\",\"iat\":\(Gateway.start / 1_000)}", key: other)
        var foreign = gateway.push(authorization: authorization).with("apns-topic", "com.other.app.voip")
        foreign.path = "/3/device/abcd"
        let sender = try await RawSender(gateway.apns)
        #expect(try await sender.send(gateway.push()).status == 200)
        #expect(try await sender.send(foreign).reason == "UnrelatedKeyIdInToken")
        let second = try await RawSender(gateway.apns)
        #expect(try await second.send(foreign).status == 200)
        // A team's key does not open another team's app.
        #expect(
            try await second.send(foreign.with("apns-topic", "com.example.app.voip")).reason == "TopicDisallowed")
    }

    @Test func aKeyOfTheOtherEnvironmentIsRefused() async throws {
        let gateway = try Gateway { $0.keys[0].environments = [.production] }
        #expect(try await reason(gateway, gateway.authorization()) == "BadEnvironmentKeyIdInToken")
    }

    @Test func aKeyForOneTopicIsNotForAnother() async throws {
        let gateway = try Gateway { $0.keys[0].topics = ["com.example.other.voip"] }
        #expect(try await reason(gateway, gateway.authorization()) == "UnrelatedKeyIdInToken")
    }
}
