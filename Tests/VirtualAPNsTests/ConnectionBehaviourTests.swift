// SPDX-License-Identifier: MIT

import OffhookNet
import Testing
import VirtualAPNs

@Suite struct ConnectionBehaviourTests {
    @Test func aConnectionHasOneStreamUntilAValidTokenCame() async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        #expect(try await sender.send(gateway.push(authorization: "bearer x")).status == 403)
        #expect(sender.limits == [1])
        #expect(try await sender.send(gateway.push()).status == 200)
        await sender.until { $0.limits == [1, 1_000] }
    }

    @Test func aRefusalCanThrottleTheConnectionUntilASuccess() async throws {
        let gateway = try Gateway { $0.throttlesAfterRefusal = true }
        let authorization = try gateway.authorization()
        let sender = try await RawSender(gateway.apns)
        let right = gateway.push(authorization: authorization)
        #expect(try await sender.send(right).status == 200)
        await sender.until { $0.limits == [1, 1_000] }
        #expect(try await sender.send(right.with("apns-priority", "3")).status == 400)
        await sender.until { $0.limits == [1, 1_000, 1] }
        #expect(try await sender.send(right).status == 200)
        await sender.until { $0.limits == [1, 1_000, 1, 1_000] }
    }

    @Test func manyPushesAtATimeAreEachDelivered() async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        let request = gateway.push()
        #expect(try await sender.send(request).status == 200)
        await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<300 {
                group.addTask { try? await sender.send(request).status }
            }
            for await status in group { #expect(status == 200) }
        }
        #expect(gateway.record.deliveries.count == 301)
    }

    @Test func aFaultAnswersInPlaceOfTheGateway() async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        let push = gateway.push()
        gateway.apns.inject(.answer(status: 503, reason: "ServiceUnavailable"), count: 2)
        gateway.apns.inject(.answerWith(status: 520, body: "<html>oops</html>"))
        #expect(try await sender.send(push).reason == "ServiceUnavailable")
        #expect(try await sender.send(push).status == 503)
        #expect(try await sender.send(push).body == "<html>oops</html>")
        #expect(try await sender.send(push).status == 200)
        #expect(gateway.record.deliveries.count == 1)
    }

    @Test func aFaultCanBeForOneTokenAndBeForgotten() async throws {
        let gateway = try Gateway()
        gateway.apns.register(token: "abcd", bundle: Gateway.bundle, environment: .development) { _ in }
        let sender = try await RawSender(gateway.apns)
        let push = gateway.push()
        var other = push
        other.path = "/3/device/abcd"
        gateway.apns.inject(.answer(status: 429, reason: "TooManyRequests"), count: nil, token: "ABCD")
        #expect(try await sender.send(push).status == 200)
        #expect(try await sender.send(other).status == 429)
        #expect(try await sender.send(other).status == 429)
        gateway.apns.clearFaults()
        #expect(try await sender.send(other).status == 200)
    }

    @Test func streamFaultsReachTheSender() async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        let push = gateway.push()
        gateway.apns.inject(.refuseStream)
        #expect(await sender.answer(push) == .failure(.refused))
        gateway.apns.inject(.resetStream(.internalError))
        #expect(await sender.answer(push) == .failure(.reset(.internalError)))
        gateway.apns.inject(.neverAnswer)
        let limit = Duration.milliseconds(30)
        #expect(await sender.answer(push, timeout: limit) == .failure(.timedOut(limit)))
        gateway.apns.inject(.delay(.milliseconds(10)))
        #expect(try await sender.send(push).status == 200)
        #expect(gateway.record.deliveries.count == 1)
    }

    @Test(arguments: [true, false])
    func aGoAwayCarriesItsReason(processesRequest: Bool) async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        gateway.apns.inject(.goAway(reason: "Shutdown", processesRequest: processesRequest))
        let answer = await sender.answer(gateway.push())
        if processesRequest {
            #expect(try answer.get().status == 200)
        } else {
            #expect(answer == .failure(.refused))
        }
        await sender.until { $0.isClosed }
        #expect(sender.goAways == [Array("{\"reason\":\"Shutdown\"}".utf8)])
        #expect(gateway.record.deliveries.count == (processesRequest ? 1 : 0))
    }

    @Test(arguments: [GatewayFault.closeConnection, .deliverThenClose])
    func aCutConnectionLeavesTheSenderWithoutAnAnswer(fault: GatewayFault) async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        gateway.apns.inject(fault)
        guard case .failure(.connectionLost) = await sender.answer(gateway.push()) else {
            Issue.record("the connection is lost")
            return
        }
        #expect(gateway.record.deliveries.count == (fault == .deliverThenClose ? 1 : 0))
    }

    @Test func theTimelineTellsTheWholeStory() async throws {
        let gateway = try Gateway()
        let sender = try await RawSender(gateway.apns)
        #expect(try await sender.send(gateway.push()).status == 200)
        let story = gateway.record.events.map { event in
            switch event.kind {
            case .connected: "connected"
            case .disconnected: "disconnected"
            case .requested: "requested"
            case .accepted: "accepted"
            case .refused: "refused"
            case .delivered: "delivered"
            case .expired: "expired"
            case .stored: "stored"
            case .missed: "missed"
            case .faulted: "faulted"
            }
        }
        #expect(story == ["connected", "requested", "accepted", "delivered"])
        #expect(gateway.record.events.allSatisfy { $0.time == Gateway.start && $0.connection == 1 })
    }

    @Test func aBusyPortIsAClearError() throws {
        let gateway = try Gateway()
        let error = #expect(throws: NetError.self) { _ = try Gateway { $0.port = gateway.apns.port } }
        #expect(error?.code == .addressInUse)
        #expect(error?.message.contains("\(gateway.apns.port)") == true)
    }

    @Test func aStoppedGatewayRefusesConnections() async throws {
        let gateway = try Gateway()
        gateway.apns.stop()
        gateway.apns.stop()
        let sender = try await RawSender(gateway.apns)
        guard case .failure(.notSent) = await sender.answer(gateway.push()) else {
            Issue.record("nobody listens any more")
            return
        }
    }
}
