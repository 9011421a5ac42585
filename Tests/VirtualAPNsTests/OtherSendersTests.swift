// SPDX-License-Identifier: MIT

import Foundation
import OffhookNet
import Testing
import VirtualAPNs

/// The gateway in front of senders that others wrote.
@Suite struct OtherSendersTests {
    static let dead = "dead00"

    /// A gateway with the machine's clock, which the senders' provider tokens carry, and a token that is dead.
    private func gateway() throws -> Gateway {
        let gateway = try Gateway { $0.clock = SystemClock.wallMilliseconds }
        gateway.apns.register(token: Self.dead, bundle: Gateway.bundle, environment: .development) { _ in }
        gateway.apns.unregister(token: Self.dead, since: 1_700_000_000_123)
        return gateway
    }

    private func withFile<Result>(
        _ text: String, _ body: (String) async throws -> Result
    ) async throws -> Result {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("offhook-\(UUID().uuidString)").path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await body(path)
    }

    struct Fates: Decodable {
        var fates: [String]
        var accepted: Int?
    }

    @Test("curl with HTTP/2 sends pushes, and sees Apple's statuses and reasons") func curl() async throws {
        let gateway = try gateway()
        let authorization = try gateway.authorization(
            claims: "{\"iss\":\"\(Gateway.team)\",\"iat\":\(SystemClock.wallMilliseconds() / 1_000)}")
        try await withFile(gateway.apns.rootCertificatePEM) { root async throws -> Void in
            func send(_ token: String, _ body: String) async throws -> [String] {
                let curl = try SenderProcess.curl([
                    "--http2", "--silent", "--show-error", "--cacert", root, "-H", "authorization: \(authorization)",
                    "-H", "apns-topic: \(Gateway.bundle).voip", "-H", "apns-push-type: voip", "-H",
                    "apns-expiration: 0", "--data-binary", body, "--write-out",
                    "\\n%{http_version} %{http_code} end\\n",
                    "https://localhost:\(gateway.apns.port)/3/device/\(token)",
                ])
                var answer = ""
                while true {
                    let line = try await curl.line()
                    if line.hasSuffix(" end") { return [line, answer] }
                    answer += line
                }
            }
            #expect(try await send(Gateway.token, "{\"call\":1}") == ["2 200 end", ""])
            #expect(try await send("ff", "{\"call\":1}") == ["2 400 end", "{\"reason\":\"BadDeviceToken\"}"])
            #expect(
                try await send(Self.dead, "{\"call\":1}")
                    == ["2 410 end", "{\"reason\":\"Unregistered\",\"timestamp\":1700000000123}"])
            let large = String(decoding: RequestCheckTests.json(bytes: 5_121), as: UTF8.self)
            #expect(try await send(Gateway.token, large) == ["2 413 end", "{\"reason\":\"PayloadTooLarge\"}"])
        }
        #expect(gateway.record.deliveries.map(\.payload) == [Array("{\"call\":1}".utf8)])
    }

    @Test("aioapns sends pushes, one by one and many at a time, and sees Apple's reasons")
    func aioapns() async throws {
        let gateway = try gateway()
        let sender = try SenderProcess.script("aioapns_sender.py", gateway, dead: Self.dead)
        let report = try await sender.report(Fates.self)
        #expect(report.fates == ["200", "400 BadDeviceToken", "410 Unregistered", "413 PayloadTooLarge", "200"])
        #expect(report.accepted == 20)
        // On a machine so slow that aioapns sends again, more.
        #expect(gateway.record.deliveries.count >= 22)
        #expect(gateway.record.deliveries.allSatisfy { $0.pushType == "voip" && $0.priority == 10 })
    }

    @Test("httpx over HTTP/2 gets the status and reason of each mistake") func httpx() async throws {
        let gateway = try gateway()
        let sender = try SenderProcess.script("httpx_sender.py", gateway, dead: Self.dead)
        let report = try await sender.report(Fates.self)
        #expect(
            report.fates == [
                "200", "200", "413 PayloadTooLarge", "400 PayloadEmpty", "400 BadDeviceToken", "410 Unregistered",
                "400 InvalidPushType", "400 MissingTopic", "400 DeviceTokenNotForTopic", "400 BadMessageId",
                "403 MissingProviderToken", "403 InvalidProviderToken", "200",
            ])
        #expect(gateway.record.deliveries.count == 3)
    }

    struct Frames: Decodable {
        var limits: [Int]
        var accepted: Int
        var pongs: Int
        var reset: Int?
        var last: Int?
        var reason: String?
    }

    @Test("The h2 package sees one stream, then many; PING answered; REFUSED_STREAM; a GOAWAY with its reason")
    func h2() async throws {
        let gateway = try gateway()
        let sender = try SenderProcess.script("h2_sender.py", gateway)
        #expect(try await sender.line() == "{\"ready\": true}")
        gateway.apns.inject(.refuseStream)
        // h2 takes no answer after a GOAWAY, not even one that was still to come.
        gateway.apns.inject(.goAway(reason: "Shutdown", processesRequest: false))
        try sender.go()
        let report = try await sender.report(Frames.self)
        #expect(report.limits == [1, 1_000])
        #expect(report.accepted == 101)
        #expect(report.pongs == 1)
        #expect(report.reset == 7)
        #expect(report.last == nil)
        #expect(report.reason == "Shutdown")
        #expect(gateway.record.deliveries.count == 101)
    }
}
