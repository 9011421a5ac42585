// SPDX-License-Identifier: MIT

import OffhookNet
import Testing
import VirtualAPNs

/// What APNs does with a push for a device that is out of reach.
@Suite struct StoreAndForwardTests {
    private func expiring(_ gateway: Gateway, after seconds: Int64?, call: Int = 1) -> HTTP2Request {
        var push = gateway.push().with("apns-expiration", seconds.map { String(Gateway.start / 1_000 + $0) })
            .with("apns-id", "11111111-2222-3333-4444-00000000000\(call)")
        push.body = Array("{\"call\":\(call)}".utf8)
        return push
    }

    private func kinds(_ gateway: Gateway) -> [String] {
        gateway.record.events.compactMap { event in
            switch event.kind {
            case .stored(let delivery, let replaced):
                "stored \(delivery.id.suffix(1)) for \(replaced?.suffix(1) ?? "-")"
            case .missed(let delivery): "missed \(delivery.id.suffix(1))"
            case .expired(let delivery): "expired \(delivery.id.suffix(1))"
            case .delivered(let delivery): "delivered \(delivery.id.suffix(1))"
            case .connected, .disconnected, .requested, .accepted, .refused, .faulted: nil
            }
        }
    }

    @Test("apns-expiration 0: one try, and a device that is away misses it") func onceOnly() async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        gateway.apns.setAway(true, token: Gateway.token)
        #expect(try await sender.send(gateway.push().with("apns-expiration", "0")).status == 200)
        gateway.apns.setAway(false, token: Gateway.token)
        await gateway.apns.settled()
        #expect(kinds(gateway) == ["missed 5"])
        #expect(gateway.record.deliveries.isEmpty)
    }

    @Test("apns-expiration later than now: the push waits for the device, and reaches it when it comes back")
    func waits() async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        gateway.apns.setAway(true, token: Gateway.token.uppercased())
        #expect(try await sender.send(expiring(gateway, after: 60)).status == 200)
        #expect(gateway.record.deliveries.isEmpty)
        #expect(gateway.apns.registrations.first?.waitingPush?.hasSuffix("1") == true)
        gateway.clock.advance(seconds: 59)
        gateway.apns.setAway(false, token: Gateway.token)
        await gateway.apns.settled()
        #expect(kinds(gateway) == ["stored 1 for -", "delivered 1"])
        #expect(gateway.record.deliveries.map(\.payload) == [Array("{\"call\":1}".utf8)])
        #expect(gateway.apns.registrations.first?.waitingPush == nil)
    }

    @Test("A push whose expiration passed while it waited reaches nobody") func tooLate() async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        gateway.apns.setAway(true, token: Gateway.token)
        #expect(try await sender.send(expiring(gateway, after: 60)).status == 200)
        gateway.clock.advance(seconds: 60)
        gateway.apns.setAway(false, token: Gateway.token)
        await gateway.apns.settled()
        #expect(kinds(gateway) == ["stored 1 for -", "expired 1"])
        #expect(gateway.record.deliveries.isEmpty)
    }

    @Test("One push waits for a device and app: the latest takes the place of the one before") func oneAlone()
        async throws
    {
        let gateway = try Gateway()
        gateway.apns.register(token: "abcd", bundle: Gateway.bundle, environment: .development) {
            [record = gateway.record] in
            record.add($0)
        }
        let sender = try await RawSender(gateway.apns)
        for token in [Gateway.token, "abcd"] { gateway.apns.setAway(true, token: token) }
        for call in 1...3 { #expect(try await sender.send(expiring(gateway, after: 60, call: call)).status == 200) }
        var other = expiring(gateway, after: 60, call: 4)
        other.path = "/3/device/abcd"
        #expect(try await sender.send(other).status == 200)
        for token in [Gateway.token, "abcd"] { gateway.apns.setAway(false, token: token) }
        await gateway.apns.settled()
        #expect(
            kinds(gateway) == [
                "stored 1 for -", "stored 2 for 1", "stored 3 for 2", "stored 4 for -", "delivered 3", "delivered 4",
            ])
    }

    @Test("Without apns-expiration a push is kept for 30 days", arguments: [(29, true), (30, false)])
    func unspecified(days: Int64, arrives: Bool) async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        gateway.apns.setAway(true, token: Gateway.token)
        #expect(try await sender.send(expiring(gateway, after: nil)).status == 200)
        gateway.clock.advance(seconds: days * 86_400)
        gateway.apns.setAway(false, token: Gateway.token)
        await gateway.apns.settled()
        #expect(gateway.record.deliveries.count == (arrives ? 1 : 0))
    }
}
