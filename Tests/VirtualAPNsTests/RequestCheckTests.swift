// SPDX-License-Identifier: MIT

import OffhookNet
import Testing
import VirtualAPNs

@Suite struct RequestCheckTests {
    @Test func aRightPushIsAcceptedAndDelivered() async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        let answer = try await sender.send(gateway.push().with("apns-collapse-id", "call-1"))
        #expect(answer.status == 200)
        #expect(answer.body.isEmpty)
        #expect(answer.id == "11111111-2222-3333-4444-555555555555")
        #expect(answer.uniqueID?.count == 36)
        let delivery = try #require(gateway.record.deliveries.first)
        #expect(delivery.payload == Array("{\"call\":1}".utf8))
        #expect(delivery.topic == "com.example.app.voip")
        #expect(delivery.bundleID == "com.example.app")
        #expect(delivery.token == Gateway.token)
        #expect(delivery.priority == 10)
        #expect(delivery.expiration == .immediate)
        #expect(delivery.collapseID == "call-1")
    }

    @Test func theUniqueIDExistsInDevelopmentAlone() async throws {
        let gateway = try Gateway { $0.environment = .production }
        let sender = try await RawSender(gateway.apns)
        let answer = try await sender.send(gateway.push())
        #expect(answer.status == 200)
        #expect(answer.uniqueID == nil)
    }

    @Test func anIDIsMadeWhenNoneIsGiven() async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        let first = try await sender.send(gateway.push().with("apns-id", nil))
        let second = try await sender.send(gateway.push().with("apns-id", nil))
        #expect(first.id?.count == 36)
        #expect(first.id != second.id)
    }

    /// What is wrong with a request, and what APNs says to it.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let what: String
        let status: Int
        let reason: String
        let change: @Sendable (inout HTTP2Request) -> Void

        init(
            _ what: String, _ status: Int, _ reason: String, _ change: @escaping @Sendable (inout HTTP2Request) -> Void
        ) {
            self.what = what
            self.status = status
            self.reason = reason
            self.change = change
        }

        init(_ status: Int, _ reason: String, _ field: String, _ value: String?) {
            self.init("\(field): \(value ?? "absent")", status, reason) { $0 = $0.with(field, value) }
        }

        var testDescription: String { "\(what) → \(reason)" }
    }

    static let device = "/3/device/"

    static let wrong: [Wrong] = [
        Wrong("GET", 405, "MethodNotAllowed") { $0.method = "GET" },
        Wrong("PUT", 405, "MethodNotAllowed") { $0.method = "PUT" },
        Wrong("path /", 404, "BadPath") { $0.path = "/" },
        Wrong("version 2", 404, "BadPath") { $0.path = "/2/device/" + Gateway.token },
        Wrong("a longer path", 404, "BadPath") { $0.path += "/more" },
        Wrong("no token", 400, "MissingDeviceToken") { $0.path = device },
        Wrong("a token that is not hexadecimal", 400, "BadDeviceToken") { $0.path = device + "hello" },
        Wrong("a token of odd length", 400, "BadDeviceToken") { $0.path = device + "abc" },
        Wrong("an unknown token", 400, "BadDeviceToken") { $0.path = device + "ff" },
        Wrong("a query", 400, "BadDeviceToken") { $0.path += "?x=1" },
        Wrong(400, "MissingTopic", "apns-topic", nil),
        Wrong(400, "BadTopic", "apns-topic", ".voip"),
        Wrong(400, "BadTopic", "apns-topic", "com example.voip"),
        Wrong(400, "TopicDisallowed", "apns-topic", "com.other.app.voip"),
        Wrong(400, "TopicDisallowed", "apns-topic", "com.example.app.voip.voip"),
        Wrong(400, "DeviceTokenNotForTopic", "apns-topic", "com.example.app"),
        Wrong(400, "InvalidPushType", "apns-push-type", nil),
        Wrong(400, "InvalidPushType", "apns-push-type", "alert"),
        Wrong(400, "InvalidPushType", "apns-push-type", "VoIP"),
        Wrong(400, "InvalidPushType", "apns-push-type", "call"),
        Wrong(400, "BadPriority", "apns-priority", "0"),
        Wrong(400, "BadPriority", "apns-priority", "11"),
        Wrong(400, "BadPriority", "apns-priority", "high"),
        Wrong(400, "BadPriority", "apns-priority", "010"),
        Wrong(400, "BadExpirationDate", "apns-expiration", "soon"),
        Wrong(400, "BadExpirationDate", "apns-expiration", "-1"),
        Wrong(400, "BadExpirationDate", "apns-expiration", "1.5"),
        Wrong(400, "BadExpirationDate", "apns-expiration", "+5"),
        Wrong(400, "BadExpirationDate", "apns-expiration", "99999999999999999999"),
        Wrong(400, "BadMessageId", "apns-id", "1"),
        Wrong(400, "BadMessageId", "apns-id", "11111111222233334444555555555555"),
        Wrong(400, "BadMessageId", "apns-id", "1111111g-2222-3333-4444-555555555555"),
        Wrong(400, "BadCollapseId", "apns-collapse-id", String(repeating: "x", count: 65)),
        Wrong("apns-topic twice", 400, "DuplicateHeaders") {
            $0.headers.append(HTTP2Header("apns-topic", "com.example.app.voip"))
        },
        Wrong("no body", 400, "PayloadEmpty") { $0.body = [] },
        Wrong("a body that is no JSON", 400, "PayloadEmpty") { $0.body = Array("hello".utf8) },
        Wrong("a JSON array", 400, "PayloadEmpty") { $0.body = Array("[1]".utf8) },
        Wrong("JSON with a byte more", 400, "PayloadEmpty") { $0.body = Array("{}x".utf8) },
        Wrong("JSON that is not UTF-8", 400, "PayloadEmpty") {
            $0.body = Array("{\"a\":\"".utf8) + [0xff] + Array("\"}".utf8)
        },
        Wrong("5,121 bytes", 413, "PayloadTooLarge") { $0.body = json(bytes: 5_121) },
        Wrong("100,000 bytes", 413, "PayloadTooLarge") { $0.body = json(bytes: 100_000) },
        Wrong("no authorization", 403, "MissingProviderToken") { $0 = $0.with("authorization", nil) },
        Wrong(403, "InvalidProviderToken", "authorization", ""),
        Wrong(403, "InvalidProviderToken", "authorization", "bearer"),
        Wrong(403, "InvalidProviderToken", "authorization", "bearer x"),
        Wrong(403, "InvalidProviderToken", "authorization", "bearer a.b.c"),
        Wrong(403, "InvalidProviderToken", "authorization", "basic dXNlcjpwYXNz"),
    ]

    @Test(arguments: wrong)
    func aWrongRequestIsRefusedInApplesWords(wrong: Wrong) async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        var request = gateway.push()
        wrong.change(&request)
        let answer = try await sender.send(request)
        #expect(answer.status == wrong.status)
        #expect(answer.reason == wrong.reason)
        #expect(answer.id?.count == 36)
        #expect(gateway.record.deliveries.isEmpty)
        let refusal = try #require(gateway.record.refusals.first)
        #expect(refusal.reason == wrong.reason)
        #expect(!refusal.explanation.isEmpty)
        // The connection is as good as before.
        #expect(try await sender.send(gateway.push(authorization: request.header("authorization"))).id != nil)
    }

    @Test(arguments: [5_120, 5_119])
    func aVoIPPayloadMayHave5120Bytes(bytes: Int) async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        var request = gateway.push()
        request.body = Self.json(bytes: bytes)
        #expect(try await sender.send(request).status == 200)
        #expect(gateway.record.deliveries.first?.payload == request.body)
    }

    @Test func anotherPushMayHave4096BytesAlone() async throws {
        let gateway = try Gateway()
        gateway.apns.register(
            token: "abcd", bundle: Gateway.bundle, environment: .development, kind: .notification
        ) { _ in }
        let sender = try await RawSender(gateway.apns)
        var request = gateway.push().with("apns-push-type", "alert").with("apns-topic", Gateway.bundle)
        request.path = Self.device + "abcd"
        request.body = Self.json(bytes: 4_096)
        #expect(try await sender.send(request).status == 200)
        request.body = Self.json(bytes: 4_097)
        #expect(try await sender.send(request).reason == "PayloadTooLarge")
    }

    @Test(arguments: ["10", "5", "1"])
    func theThreePrioritiesAreTaken(priority: String) async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        #expect(try await sender.send(gateway.push().with("apns-priority", priority)).status == 200)
        #expect(gateway.record.deliveries.first?.priority == Int(priority))
    }

    @Test func aRelativeExpirationIsInThePastSoThePushIsThrownAwaySilently() async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        #expect(try await sender.send(gateway.push().with("apns-expiration", "300")).status == 200)
        #expect(gateway.record.deliveries.isEmpty)
        #expect(gateway.record.events.contains { if case .expired = $0.kind { true } else { false } })
        let later = String(Gateway.start / 1_000 + 30)
        #expect(try await sender.send(gateway.push().with("apns-expiration", later)).status == 200)
        #expect(gateway.record.deliveries.first?.expiration == .at(seconds: Gateway.start / 1_000 + 30))
    }

    @Test func aDeadTokenIsGoneSinceATime() async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        gateway.apns.unregister(token: Gateway.token.uppercased(), since: 1_700_000_000_123)
        let answer = try await sender.send(gateway.push())
        #expect(answer.status == 410)
        #expect(answer.body == "{\"reason\":\"Unregistered\",\"timestamp\":1700000000123}")
        gateway.apns.unregister(token: Gateway.token, reason: .expired)
        #expect(try await sender.send(gateway.push()).body.contains("ExpiredToken"))
    }

    @Test("P42: a token of the other environment is bad") func aTokenOfTheOtherEnvironmentIsBad() async throws {
        let gateway = try Gateway()
        gateway.apns.register(token: "abcd", bundle: Gateway.bundle, environment: .production) { _ in }
        let sender = try await RawSender(gateway.apns)
        var request = gateway.push()
        request.path = Self.device + "abcd"
        #expect(try await sender.send(request).reason == "BadDeviceToken")
        #expect(gateway.record.refusals.first?.explanation.contains("production") == true)
    }

    @Test("P43: a token for notifications is not for the VoIP topic")
    func aTokenForNotificationsIsNotForTheVoIPTopic() async throws {
        let gateway = try Gateway()
        gateway.apns.register(
            token: "abcd", bundle: Gateway.bundle, environment: .development, kind: .notification
        ) { _ in }
        let sender = try await RawSender(gateway.apns)
        var request = gateway.push()
        request.path = Self.device + "abcd"
        #expect(try await sender.send(request).reason == "DeviceTokenNotForTopic")
    }

    static func json(bytes: Int) -> [UInt8] {
        Array("{\"a\":\"".utf8) + [UInt8](repeating: 0x78, count: bytes - 8) + Array("\"}".utf8)
    }
}
