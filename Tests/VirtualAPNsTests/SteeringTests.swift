// SPDX-License-Identifier: MIT

import OffhookNet
import Testing
import VirtualAPNs

/// What can be done to every connection of a gateway at any time.
@Suite struct SteeringTests {
    @Test func throttlingReachesOpenConnectionsAndThoseToCome() async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        #expect(try await sender.send(gateway.push()).status == 200)
        await sender.until { $0.limits == [1, 1_000] }
        gateway.apns.throttle(to: 1)
        await sender.until { $0.limits == [1, 1_000, 1] }
        gateway.apns.throttle(to: 20)
        await sender.until { $0.limits == [1, 1_000, 1, 20] }
        let second = try await RawSender(gateway.apns)
        #expect(try await second.send(gateway.push()).status == 200)
        await second.until { $0.limits == [1, 20] }
        gateway.apns.throttle(to: nil)
        await second.until { $0.limits == [1, 20, 1_000] }
    }

    @Test func throttlingGivesAnUnprovenConnectionNoMoreThanOneStream() async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        gateway.apns.throttle(to: 50)
        #expect(try await sender.send(gateway.push(authorization: "bearer x")).status == 403)
        #expect(sender.limits == [1])
        #expect(try await sender.send(gateway.push()).status == 200)
        await sender.until { $0.limits == [1, 50] }
    }

    @Test func everyConnectionCanBeSentAwayOrCut() async throws {
        let gateway = try Gateway()
        let first = try await RawSender(gateway.apns)
        #expect(try await first.send(gateway.push()).status == 200)
        gateway.apns.goAway(reason: "Shutdown")
        await first.until { $0.isClosed }
        #expect(first.goAways == [Array("{\"reason\":\"Shutdown\"}".utf8)])
        let second = try await RawSender(gateway.apns)
        #expect(try await second.send(gateway.push()).status == 200)
        gateway.apns.dropConnections()
        await second.until { $0.isClosed }
        #expect(second.goAways.isEmpty)
    }

    @Test("400 IdleTimeout: a silent connection is sent away with that reason") func idle() async throws {
        let gateway = try Gateway { $0.idleTimeout = .milliseconds(20) }
        let sender = try await RawSender(gateway.apns)
        await sender.until { $0.isClosed }
        #expect(sender.goAways == [Array("{\"reason\":\"IdleTimeout\"}".utf8)])
    }

    @Test("403 ExpiredProviderToken: a gateway whose clock is wrong refuses what is right by the sender's")
    func wrongClock() async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        gateway.apns.setClock(aheadBy: 2 * 3_600_000)
        #expect(gateway.apns.now == Gateway.start + 7_200_000)
        #expect(try await sender.send(gateway.push()).reason == "ExpiredProviderToken")
        gateway.apns.setClock(aheadBy: -2 * 3_600_000)
        #expect(try await sender.send(gateway.push()).reason == "ExpiredProviderToken")
        gateway.apns.setClock(aheadBy: 0)
        #expect(try await sender.send(gateway.push()).status == 200)
    }

    @Test func unknownTokensCanAllBeTaken() async throws {
        let gateway = try Gateway { $0.acceptsUnknownTokens = true }
        let sender = try await RawSender(gateway.apns)
        var push = gateway.push()
        for token in ["ff", String(repeating: "0a", count: 50), String(repeating: "b1", count: 100)] {
            push.path = "/3/device/" + token
            #expect(try await sender.send(push).status == 200)
        }
        push.path = "/3/device/abc"
        #expect(try await sender.send(push).reason == "BadDeviceToken")
        gateway.apns.unregister(token: Gateway.token)
        #expect(try await sender.send(gateway.push()).status == 410)
    }
}
