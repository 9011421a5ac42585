// SPDX-License-Identifier: MIT

import Offhook
import OffhookNet
import OffhookServer
import OffhookTesting
import Sampler
import Testing
import VirtualPhone

/// The sample app's flow: settings, microphone, peers, ring, answer, talk, end.
@Suite(.timeLimit(.minutes(2))) @MainActor struct SamplerTests {
    private static let settings = SamplerSettings(
        server: "http://lab", token: "token", deviceID: "alice", bundleIdentifier: "com.example.sampler")

    /// Peers that are always the same.
    private struct ListedPeers: PeerDirectory {
        var list: [Peer]
        func peers() async throws -> [Peer] { list }
    }

    /// A model without calls, for what comes before them.
    private func model(
        _ settings: SamplerSettings = settings, microphone: Microphone = .authorized,
        answer: Microphone = .authorized
    ) -> SamplerModel {
        SamplerModel(
            nil, settings: settings, userID: "alice", directory: ListedPeers(list: []), microphone: { microphone },
            askForMicrophone: { answer })
    }

    @Test("R10: missing settings are told when the app starts, and nothing can be tapped")
    func missingSettings() async {
        let lab = PhoneLab()
        defer { lab.shutDown() }
        let cases: [(SamplerSettings, String)] = [
            (SamplerSettings(), "There is no server"),
            (SamplerSettings(server: "calls.example.com", token: "t"), "cannot be used"),
            (SamplerSettings(server: "ftp://calls.example.com", token: "t"), "cannot be used"),
            (SamplerSettings(server: "https://calls.example.com"), "no session token"),
        ]
        for (settings, part) in cases {
            let model = model(settings)
            await model.start()
            guard case .settings(let text)? = model.screen.alert else {
                Issue.record("no alert for \(settings)")
                continue
            }
            #expect(text.contains(part))
            #expect(!model.screen.canCall)
            #expect(
                Sampler(
                    settings, media: RecordingMedia(),
                    transport: lab.server.transport(for: "alice", on: lab.phone("alice"))) == nil)
        }
    }

    @Test(
        "R5: the microphone's four states, and what comes of asking",
        arguments: [
            (Microphone.authorized, Microphone.authorized, nil, false),
            (.denied, .denied, SamplerScreen.Alert.microphoneDenied, true),
            (.notDetermined, .authorized, nil, false), (.notDetermined, .denied, .microphoneDenied, true),
            (.restricted, .restricted, .microphoneRestricted, false),
        ])
    func microphone(
        _ state: Microphone, _ answer: Microphone, _ alert: SamplerScreen.Alert?, _ opensSettings: Bool
    ) async {
        let model = model(microphone: state, answer: answer)
        await model.start()
        #expect(model.screen.alert == alert)
        #expect((model.screen.alert?.opensSettings ?? false) == opensSettings)
    }

    @Test(
        "R5: the microphone's state is the phone's",
        arguments: [
            (MicrophonePermission.undetermined, Microphone.notDetermined), (.denied, .denied), (.granted, .authorized),
        ])
    func microphoneOfThePhone(_ permission: MicrophonePermission, _ state: Microphone) async throws {
        let lab = PhoneLab()
        defer { lab.shutDown() }
        var settings = PhoneSettings()
        settings.microphonePermissionAtFirst = permission
        let phone = lab.phone("alice", settings: settings)
        let seen = Guarded<[Microphone]>([])
        lab.install(
            App(bundleIdentifier: "com.example.sampler", displayName: "Sampler") { _ in
                seen.withLock { $0.append(Microphone.current) }
                return seen
            }, on: phone)
        phone.open("com.example.sampler")
        await lab.settle()
        #expect(seen.withLock { $0 } == [state])
    }

    // MARK: - Calls

    /// A phone on which the sample app runs, with its model.
    private func open(
        _ name: String, in lab: PhoneLab, peers: [Peer]
    ) async throws -> (phone: VirtualPhone, model: SamplerModel) {
        let phone = lab.phone(name)
        let running = Guarded(WeakReference<Sampler>(nil))
        lab.install(
            App(bundleIdentifier: "com.example.sampler", displayName: "Sampler") { _ in
                let app = Sampler(
                    SamplerSettings(
                        server: "http://lab", token: "token", deviceID: name, bundleIdentifier: "com.example.sampler"),
                    media: RecordingMedia(negotiates: true), transport: lab.server.transport(for: name, on: phone),
                    clock: lab.clock)
                running.withLock { $0 = WeakReference(app) }
                return app ?? Sampler.self as AnyObject
            }, on: phone)
        phone.open("com.example.sampler")
        await lab.advance(by: .seconds(1))
        let app = try #require(running.withLock { $0.value })
        let model = SamplerModel(
            app, settings: Self.settings, userID: name, directory: ListedPeers(list: peers),
            microphone: { .authorized })
        await model.start()
        return (phone, model)
    }

    /// Lets time pass and the model follow until something is so.
    private func wait(_ lab: PhoneLab, until condition: () -> Bool) async {
        for _ in 0..<2000 where !condition() {
            await lab.advance(by: .milliseconds(10))
            await Task.yield()
        }
    }

    @Test("R95: nobody else is there: nobody to call")
    func nobodyToCall() async throws {
        let lab = PhoneLab()
        defer { lab.shutDown() }
        let (_, model) = try await open("alice", in: lab, peers: [Peer(id: "alice", name: "Me")])
        let following = Task { await model.follow() }
        defer { following.cancel() }
        await wait(lab) { model.screen.canCall }
        #expect(model.screen.ownID == "alice")
        await model.callTapped()
        #expect(model.screen.alert == .nobodyToCall && model.screen.choices == nil)
        model.dismissAlert()
        #expect(model.screen.alert == nil)
    }

    @Test("R95: peers are listed without oneself; choose, ring, answer, talk, End ends both")
    func wholeCall() async throws {
        let lab = PhoneLab()
        defer { lab.shutDown() }
        let (bob, bobModel) = try await open("bob", in: lab, peers: [])
        bob.user.goHome()
        let (alice, model) = try await open(
            "alice", in: lab, peers: [Peer(id: "alice", name: "Me"), Peer(id: "bob", name: "Bob")])
        let following = [Task { await model.follow() }, Task { await bobModel.follow() }]
        defer { for task in following { task.cancel() } }
        await wait(lab) { model.screen.canCall }
        #expect(model.screen.status == "Ready" && !model.screen.canEnd)

        await model.callTapped()
        #expect(model.screen.choices?.map(\.id) == ["bob"])
        model.cancelChoice()
        #expect(model.screen.choices == nil)
        await model.callTapped()
        let peer = try #require(model.screen.choices?.first)
        let calling = Task { await model.choose(peer) }
        await wait(lab) { model.screen.status == "Rings at Bob" }
        await calling.value
        #expect(!model.screen.canCall && model.screen.canEnd)
        await model.callTapped()
        #expect(model.screen.choices == nil)  // one call at a time

        try bob.user.answer()
        await wait(lab) { model.screen.status == "Talking with Bob" && bobModel.screen.status == "Talking with alice" }
        #expect(alice.snapshot.isCallAudioActive && bob.snapshot.isCallAudioActive)

        let ending = Task { await model.endTapped() }
        await wait(lab) { model.screen.status == "Ready" && bobModel.screen.status == "Ready" }
        await ending.value
        #expect(model.screen.alert == nil && bobModel.screen.alert == nil)
        #expect(alice.snapshot.calls.isEmpty && bob.snapshot.calls.isEmpty)
        #expect(lab.violations.isEmpty)
    }

    @Test("R95: the list of peers comes from a real server, and its refusals are told in words")
    func realPeers() async throws {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.database = ":memory:"
        configuration.users = (0..<150).map { ServerConfiguration.User(id: "user\(1000 + $0)", name: "User \($0)") }
        let server = OffhookServer(configuration)
        try await server.start()
        let address = "http://127.0.0.1:\(server.port)"
        let token = try server.mintToken(user: "user1000")
        let peers = try await ServerPeerDirectory(SamplerSettings(server: address, token: token)).peers()
        #expect(
            peers.count == 149
                && peers.first == Peer(id: "user1001", name: "User 1", isOnline: false, isReachable: false))
        await #expect(throws: PeerDirectoryError(message: "The session token is not valid any more. Sign in again.")) {
            try await ServerPeerDirectory(SamplerSettings(server: address, token: "wrong")).peers()
        }
        await server.stop()
        await #expect(throws: PeerDirectoryError.self) {
            try await ServerPeerDirectory(SamplerSettings(server: address, token: token)).peers()
        }
    }
}
