// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookServer
import OffhookWire
import Testing
import VirtualAPNs

@Suite("The server and a stand-in for APNs")
struct APNsTests {
    private static let bundle = "com.example.app"
    private static let token = PushRegistration(
        token: String(repeating: "a1", count: 32), environment: .development, bundle: bundle)

    private struct Setup {
        var test: TestServer
        var apns: VirtualAPNs
        var deliveries: AsyncStream<Delivery>
    }

    private func start() async throws -> Setup {
        let key = try ES256PrivateKey.generate()
        let apns = try VirtualAPNs(
            configuration: VirtualAPNs.Configuration(
                teamID: "TEAM123456", keys: ["KEY1234567": key.publicKey], bundleIDs: [APNsTests.bundle]))
        let (stream, continuation) = AsyncStream.makeStream(of: Delivery.self)
        apns.register(token: APNsTests.token.token, bundle: APNsTests.bundle, environment: .development) {
            continuation.yield($0)
        }
        let folder = try TestFolder()
        try folder.write(Array(key.pem.utf8), to: "key.p8")
        try folder.write(Array(apns.rootCertificatePEM.utf8), to: "roots.pem")
        let test = try await TestServer.start(folder: folder) {
            $0.push = ServerConfiguration.Push(
                keyFile: folder.path("key.p8"), keyID: "KEY1234567", teamID: "TEAM123456",
                endpoint: "https://127.0.0.1:\(apns.port)", rootsFile: folder.path("roots.pem"))
        }
        return Setup(test: test, apns: apns, deliveries: stream)
    }

    private func sleepingBob(_ test: TestServer) async throws {
        let bob = try await test.client("bob", "b1")
        try await bob.ask(.register(APNsTests.token))
        bob.close()
        _ = await bob.end()
        try await test.settle(connections: 0)
    }

    @Test("R104, P20: an invitation travels over HTTP/2 and TLS to the device, which answers the call")
    func pushArrives() async throws {
        let setup = try await start()
        try await sleepingBob(setup.test)
        let alice = try await setup.test.client("alice", "a1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: Handle(value: "bob"), video: false))
        var deliveries = setup.deliveries.makeAsyncIterator()
        let delivery = try #require(await deliveries.next())
        #expect(delivery.topic == "com.example.app.voip")
        #expect(delivery.pushType == "voip")
        #expect(delivery.priority == 10)
        #expect(delivery.expiration == .immediate)
        #expect(try PushPayload.decode(delivery.payload).invitation.call == call)
        let (bob, welcome) = try await TestClient.hello(
            port: setup.test.server.port, token: setup.test.token("bob"), device: "b1", calls: [call])
        #expect(welcome.calls.map(\.state) == [.ringing])
        try await bob.ask(.answer(call: call))
        try await alice.receives(.answered(call: call))
        await setup.test.stop()
        setup.apns.stop()
    }

    @Test("R106, race 17: an unregistered token ends the call as unreachable and is not pushed again")
    func unregistered() async throws {
        let setup = try await start()
        try await sleepingBob(setup.test)
        setup.apns.unregister(token: APNsTests.token.token)
        let alice = try await setup.test.client("alice", "a1")
        for round in 0..<2 {
            let call = TestServer.newCall()
            try await alice.ask(.invite(call: call, to: Handle(value: "bob"), video: false))
            #expect(try await alice.ended(call) == .unreachable)
            let record = try #require(await setup.test.server.callRecord(call))
            #expect(record.devices.count == (round == 0 ? 1 : 0))
        }
        await setup.test.stop()
        setup.apns.stop()
    }

    @Test("A gateway that is not there does not hold up the ringing of a connected device")
    func gatewayIsGone() async throws {
        let setup = try await start()
        try await sleepingBob(setup.test)
        setup.apns.stop()
        let alice = try await setup.test.client("alice", "a1")
        let tablet = try await setup.test.client("bob", "b2")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: Handle(value: "bob"), video: false))
        try await tablet.invited(call)
        try await tablet.ask(.answer(call: call))
        try await alice.receives(.answered(call: call))
        await setup.test.stop()
    }
}
