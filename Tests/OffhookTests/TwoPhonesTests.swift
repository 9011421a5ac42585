// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookNet
import OffhookPush
import OffhookServer
import OffhookTesting
import OffhookWire
import Testing
import VirtualPhone

/// Two virtual phones and a real server over loopback, in real time; pushes go straight to the phone.
@Suite(.timeLimit(.minutes(2))) struct TwoPhonesTests {
    @Test("A whole call: push, cold launch, answer, voice both ways, hang up, record") func wholeCall() async throws {
        let world = try await TwoPhones()
        let alice = try #require(world.alice.app)
        let id = try await alice.calls.startCall(to: Handle(value: "bob"), displayName: "Bob").get()
        let uuid = id.uuid
        try await world.bob.phone.wait { $0.screen.incoming.first?.call == uuid }
        #expect(world.bob.phone.screen.incoming.first?.callerName == "Alice")
        try await world.until("it rings at the other side") { alice.last(id)?.remoteRinging == true }
        try world.bob.phone.user.answer()
        try await world.until("both hear each other") {
            alice.last(id)?.state == .active && world.bob.app?.last(id)?.state == .active
        }
        try await alice.calls.setMuted(true, for: id).get()
        try await world.until("Bob sees that Alice is muted") { world.bob.app?.last(id)?.peer.muted == true }
        try world.bob.phone.user.setHeld(true)
        try await world.until("Alice sees that Bob holds") { alice.last(id)?.peer.held == true }
        try await world.bob.app?.calls.setHeld(false, for: id).get()
        try await world.bob.app?.calls.end(id).get()
        try await world.until("both are at rest") {
            alice.last(id)?.hasEnded == true && world.bob.app?.last(id)?.hasEnded == true
        }
        #expect(alice.last(id)?.state == .ended(.remoteEnded))
        #expect(world.bob.app?.last(id)?.state == .ended(.localHangup))
        try await world.until("the record is right") { await world.server.callRecord(id)?.times.connectedAt != nil }
        await world.close()
        for phone in [world.alice.phone, world.bob.phone] {
            #expect(phone.violations.isEmpty, "\(phone.violations)")
        }
    }

    @Test("race 1: the caller gives up while the phone rings") func cancel() async throws {
        let world = try await TwoPhones()
        let alice = try #require(world.alice.app)
        let id = try await alice.calls.startCall(to: Handle(value: "bob")).get()
        try await world.bob.phone.wait { !$0.screen.incoming.isEmpty }
        try world.alice.phone.user.hangUp()
        try await world.bob.phone.wait { $0.screen.incoming.isEmpty && $0.calls.isEmpty }
        try await world.until("the app knows") { world.bob.app?.last(id)?.state == .ended(.callerCancelled) }
        #expect(world.bob.phone.recents.first?.outcome == .missed, "\(world.bob.phone.timeline)")
        await world.close()
        #expect(world.bob.phone.violations.isEmpty)
    }

    @Test("R45: a declined call ends on both sides") func decline() async throws {
        let world = try await TwoPhones()
        let alice = try #require(world.alice.app)
        let id = try await alice.calls.startCall(to: Handle(value: "bob")).get()
        try await world.bob.phone.wait { !$0.screen.incoming.isEmpty }
        try world.bob.phone.user.decline()
        try await world.until("the caller knows") { alice.last(id)?.state == .ended(.declined) }
        try await world.alice.phone.wait { $0.calls.isEmpty }
        await world.close()
        #expect(world.alice.phone.violations.isEmpty)
    }

    @Test("A user that does not exist: a clear error, no call UI") func unknownUser() async throws {
        let world = try await TwoPhones()
        let alice = try #require(world.alice.app)
        await #expect { try await alice.calls.startCall(to: Handle(value: "nobody")).get() } throws: { error in
            (error as? OffhookError)?.code == .refusedByServer
        }
        #expect(world.alice.phone.calls.isEmpty)
        await world.close()
    }
}

extension VirtualPhone {
    fileprivate var calls: [PhoneCall] { snapshot.calls }
}

/// Alice's app runs; Bob's does not.
private final class TwoPhones: Sendable {
    final class Side: Sendable {
        let phone = VirtualPhone(VirtualPhone.Configuration(clock: .real))
        let media = RecordingMedia(negotiates: true)
        let apps = Guarded<[Bench.CallingApp]>([])
        var app: Bench.CallingApp? { apps.withLock { $0.last } }
    }

    /// Delivers pushes to the phones by token, as APNs would.
    private final class Gateway: PushGateway {
        let phones: [VirtualPhone]
        init(_ phones: [VirtualPhone]) { self.phones = phones }

        func send(
            _ push: InvitationPush, within limit: Duration, completion: @escaping @Sendable (PushOutcome) -> Void
        ) {
            var token = Data()
            var digits = Substring(push.target.token)
            while let byte = UInt8(digits.prefix(2), radix: 16) {
                token.append(byte)
                digits = digits.dropFirst(2)
            }
            for phone in phones where phone.pushToken(for: Bench.bundle) == token {
                phone.receivePush(token: token, payload: Data(push.payload))
            }
            completion(.accepted(id: "push"))
        }

        func close() async {}
    }

    let alice = Side()
    let bob = Side()
    let server: OffhookServer
    private let loop: EventLoop

    init() async throws {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.database = ":memory:"
        configuration.users = [.init(id: "alice", name: "Alice"), .init(id: "bob", name: "Bob")]
        let registered = Guarded(0)
        server = OffhookServer(configuration, push: Gateway([alice.phone, bob.phone])) { event in
            if event.text.hasSuffix("registered a push token") { registered.withLock { $0 += 1 } }
        }
        try await server.start()
        loop = try EventLoop(name: "two phones")
        for (side, user) in [(alice, "alice"), (bob, "bob")] {
            let token = try server.mintToken(user: user, device: user + "-phone")
            let (url, transport) = ("ws://127.0.0.1:\(server.port)/v1/socket", NetSignalTransport(loop: loop))
            side.phone.install(
                App(bundleIdentifier: Bench.bundle, displayName: "Calls") { [weak side] _ in
                    let configuration = CallCenter.Configuration(
                        serverURL: url, sessionToken: { token }, deviceID: user + "-phone",
                        bundleIdentifier: Bench.bundle, pushEnvironment: .development)
                    let app = Bench.CallingApp(
                        CallCenter(
                            configuration: configuration, media: side?.media ?? RecordingMedia(),
                            transport: transport))
                    side?.apps.withLock { $0.append(app) }
                    return app
                })
            side.phone.open(Bench.bundle)
            try await until("\(user) is online") { side.app?.connection == .online }
        }
        try await until("both tokens are registered") { registered.withLock { $0 } == 2 }
        try bob.phone.user.close(Bench.bundle)
        bob.apps.withLock { $0 = [] }
        // Until it is gone it could still hear of a call, and take it with it.
        try await bob.phone.wait { $0.apps[Bench.bundle] == .notRunning }
        bob.phone.user.lock()
    }

    func until(_ what: String, _ condition: @Sendable () async -> Bool) async throws {
        let limit = ContinuousClock.now + .seconds(30)
        while await !condition() {
            guard ContinuousClock.now < limit else {
                Issue.record("never came: \(what)\nalice:\n\(alice.phone.timeline)\nbob:\n\(bob.phone.timeline)")
                return
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    func close() async {
        alice.phone.shutDown()
        bob.phone.shutDown()
        alice.apps.withLock { $0 = [] }
        bob.apps.withLock { $0 = [] }
        await server.stop()
        loop.stop()
    }
}
