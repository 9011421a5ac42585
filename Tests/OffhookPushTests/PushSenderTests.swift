// SPDX-License-Identifier: MIT

import OffhookNet
import OffhookPush
import Testing
import VirtualAPNs

@Suite struct PushSenderTests {
    static let limit = Duration.seconds(60)
    /// Times that a machine has to keep up with: when it was too slow, a longer one is tried.
    static let growingTimes = [Duration.milliseconds(300), .milliseconds(1_500), .seconds(6), .seconds(30)]

    @Test("P43: a push travels to the device, with the topic and type of VoIP") func aPushTravelsToTheDevice()
        async throws
    {
        let world = try PushWorld()
        let push = world.push(collapseID: "call-1")
        #expect(await world.sender.send(push, deadline: Self.limit) == .accepted(id: push.apnsID))
        let delivery = try #require(world.deliveries.first)
        #expect(delivery.payload == push.payload)
        #expect(delivery.topic == "com.example.app.voip")
        #expect(delivery.pushType == "voip")
        #expect(delivery.priority == 10)
        #expect(delivery.expiration == .immediate)
        #expect(delivery.id == push.apnsID)
        #expect(delivery.collapseID == "call-1")
    }

    @Test func anExpirationIsSentAsATime() async throws {
        let world = try PushWorld()
        var push = world.push()
        push.expiration = .at(epochSeconds: SystemClock.wallMilliseconds() / 1_000 + 600)
        #expect(await world.sender.send(push, deadline: Self.limit) == .accepted(id: push.apnsID))
        guard case .at(let seconds) = world.deliveries.first?.expiration else {
            Issue.record("the push expires at a time")
            return
        }
        #expect(push.expiration == .at(epochSeconds: seconds))
    }

    @Test func manyPushesShareOneTokenAndOneConnection() async throws {
        let world = try PushWorld()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<500 {
                group.addTask {
                    if case .accepted = await world.sender.send(world.push(), deadline: Self.limit) {
                        true
                    } else {
                        false
                    }
                }
            }
            for await isAccepted in group { #expect(isAccepted) }
        }
        #expect(world.deliveries.count == 500)
        #expect(world.refusals.isEmpty)
        #expect(world.connections == 1)
    }

    @Test("A payload of more than 5,120 bytes is refused before it is sent")
    func tooLarge() async throws {
        let world = try PushWorld()
        var push = world.push()
        push.payload = [UInt8](repeating: 0x20, count: 5_121)
        #expect(
            await world.sender.send(push)
                == .rejected(reason: "PayloadTooLarge", reaction: .fixSender, tokenInvalidSince: nil))
        #expect(world.connections == 0)
    }

    @Test(arguments: [
        ("", "MissingDeviceToken"), ("xyz", "BadDeviceToken"), ("abc", "BadDeviceToken"),
        ("../../3/device/00", "BadDeviceToken"), ("00\r\napns-topic: x", "BadDeviceToken"),
    ])
    func aTokenThatIsNoneIsNeverSent(token: String, reason: String) async throws {
        let world = try PushWorld()
        var push = world.push()
        push.token = token
        guard case .rejected(reason, _, nil) = await world.sender.send(push) else {
            Issue.record("\(token) is no token")
            return
        }
        #expect(world.connections == 0)
    }

    @Test func aRefusalCarriesReasonReactionAndTime() async throws {
        let world = try PushWorld()
        world.apns.unregister(token: PushWorld.token, since: 1_700_000_000_123)
        #expect(
            await world.sender.send(world.push(), deadline: Self.limit)
                == .rejected(reason: "Unregistered", reaction: .deleteToken, tokenInvalidSince: 1_700_000_000_123))
        world.apns.forget(token: PushWorld.token)
        #expect(
            await world.sender.send(world.push(), deadline: Self.limit)
                == .rejected(reason: "BadDeviceToken", reaction: .checkToken, tokenInvalidSince: nil))
    }

    @Test(
        "A push that was not looked at, or whose answer was lost, is sent again with the same id",
        arguments: [
            GatewayFault.refuseStream, .goAway(reason: "Shutdown", processesRequest: false), .closeConnection,
            .deliverThenClose, .resetStream(.internalError), .answer(status: 503, reason: "Shutdown"),
            .answer(status: 503, reason: "ServiceUnavailable"), .answer(status: 500, reason: "InternalServerError"),
            .answer(status: 400, reason: "IdleTimeout"), .answerWith(status: 520, body: "<html>"), .neverAnswer,
        ])
    func repeated(fault: GatewayFault) async throws {
        // A short timeout where no answer comes; elsewhere a busy machine shall not look like a lost request.
        var timeouts = fault == .neverAnswer ? Self.growingTimes : [Self.limit]
        while !timeouts.isEmpty {
            let timeout = timeouts.removeFirst()
            let world = try PushWorld { $0.limits.requestTimeout = timeout }
            world.apns.inject(fault)
            let push = world.push()
            let outcome = await world.sender.send(push, deadline: Self.limit)
            let ids = world.deliveries.map(\.id)
            // The gateway was asked more than twice: the second answer was too slow for this timeout.
            if world.requests > 2, !timeouts.isEmpty { continue }
            #expect(outcome == .accepted(id: push.apnsID))
            #expect(Set(ids) == [push.apnsID])
            #expect(ids.count == (fault == .deliverThenClose ? 2 : 1))
            return
        }
    }

    /// What a push is told that cannot arrive, sent with longer and longer deadlines until the reason is as expected.
    private func reason(
        _ world: PushWorld, expected: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        var reasons: [String] = []
        for deadline in Self.growingTimes {
            guard case .unreachable(let why) = await world.sender.send(world.push(), deadline: deadline) else {
                Issue.record("a push that cannot arrive was answered", sourceLocation: sourceLocation)
                return
            }
            if why.contains(expected) { return }
            reasons.append(why)
        }
        Issue.record("\(reasons)", sourceLocation: sourceLocation)
    }

    @Test func pushesOnTheWayWhenTheGatewayGoesAwayAllArrive() async throws {
        let world = try PushWorld()
        _ = await world.sender.send(world.push(), deadline: Self.limit)
        for _ in 0..<5 { world.apns.inject(.goAway(reason: "Shutdown", processesRequest: false)) }
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    if case .accepted = await world.sender.send(world.push(), deadline: Self.limit) {
                        true
                    } else {
                        false
                    }
                }
            }
            for await isAccepted in group { #expect(isAccepted) }
        }
        #expect(world.deliveries.count >= 201)
    }

    @Test func aGatewayThatNeverAnswersIsUnreachableAtTheDeadline() async throws {
        let world = try PushWorld()
        world.apns.inject(.neverAnswer, count: nil)
        await reason(world, expected: "no answer came")
    }

    @Test func aGatewayThatFailsTwiceTooOftenIsReported() async throws {
        let world = try PushWorld()
        world.apns.inject(.answer(status: 500, reason: "InternalServerError"), count: nil)
        #expect(
            await world.sender.send(world.push(), deadline: Self.limit)
                == .rejected(reason: "InternalServerError", reaction: .retrySoon, tokenInvalidSince: nil))
        #expect(world.requests == 3)
    }

    @Test func aClosedPortIsUnreachableAndSaysWhy() async throws {
        let world = try PushWorld()
        world.apns.stop()
        await reason(world, expected: "nothing listens there")
    }

    @Test func aGatewayThatIsNotTrustedGetsNothing() async throws {
        let other = try Certificate.selfSigned().certificatePEM
        let world = try PushWorld { configuration in
            configuration.endpoint = .custom(
                host: "127.0.0.1", port: configuration.endpoint.port, roots: other)
        }
        await reason(world, expected: "not trusted")
        #expect(world.requests == 0)
    }

    @Test func aRefusedKeyStopsAllPushesWithoutAskingAgain() async throws {
        let world = try PushWorld { configuration in
            configuration.credentials = try PushCredentials(
                keyID: PushWorld.keyID, teamID: PushWorld.team, key: .generate())
        }
        let refusal = PushOutcome.rejected(
            reason: "InvalidProviderToken", reaction: .stopCredential, tokenInvalidSince: nil)
        #expect(await world.sender.send(world.push(), deadline: Self.limit) == refusal)
        #expect(await world.sender.send(world.push(), deadline: Self.limit) == refusal)
        #expect(world.requests == 1)
        #expect(world.events.contains(.credentialRefused(reason: "InvalidProviderToken")))
    }

    @Test("P45: the token is renewed after 50 minutes, without a refusal")
    func theTokenIsRenewedAfter50MinutesWithoutARefusal() async throws {
        let world = try PushWorld()
        for minutes in [0, 30, 49, 50, 99, 101] {
            world.clock.withLock { $0 = Int64(minutes) * 60_000 }
            let push = world.push()
            #expect(await world.sender.send(push, deadline: Self.limit) == .accepted(id: push.apnsID))
        }
        #expect(world.refusals.isEmpty)
        #expect(world.connections == 1)
    }

    @Test func anExpiredTokenIsRenewedOnceAndThePushArrives() async throws {
        let world = try PushWorld()
        #expect(await world.sender.send(world.push(), deadline: Self.limit) == .accepted(id: world.push().apnsID))
        world.clock.withLock { $0 = 25 * 60_000 }
        world.apns.inject(.answer(status: 403, reason: "ExpiredProviderToken"))
        #expect(await world.sender.send(world.push(), deadline: Self.limit) == .accepted(id: world.push().apnsID))
        #expect(world.connections == 2)
    }

    @Test func aStoppedSenderAnswersEveryPush() async throws {
        let world = try PushWorld()
        world.apns.inject(.neverAnswer, count: nil)
        async let first = world.sender.send(world.push(), deadline: Self.limit)
        await world.until { world.requests > 0 }
        world.sender.stop()
        guard case .unreachable = await first, case .unreachable = await world.sender.send(world.push()) else {
            Issue.record("a stopped sender sends nothing")
            return
        }
    }

    @Test("P45: a second sender with the same credentials uses the same token")
    func aSecondSenderWithTheSameCredentialsUsesTheSameToken() async throws {
        let world = try PushWorld()
        let second = try PushSender(configuration: world.configuration)
        #expect(await world.sender.send(world.push(), deadline: Self.limit) == .accepted(id: world.push().apnsID))
        #expect(await second.send(world.push(), deadline: Self.limit) == .accepted(id: world.push().apnsID))
        #expect(world.connections == 2)
        second.stop()
    }
}
