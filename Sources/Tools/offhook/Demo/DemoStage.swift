// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookMedia
import OffhookNet
import OffhookServer
import VirtualAPNs
import VirtualPhone

/// What a demo plays on: a server, a push gateway and two phones, all real and all on this machine.
final class DemoStage: Sendable {
    static let bundle = "org.offhook.demo"
    private static let team = "DEMOTEAM01"
    private static let keyID = "DEMOKEY001"

    /// Collects what happens.
    let recorder: DemoRecorder
    /// Alice's phone: unlocked, in her hand.
    let alice: VirtualPhone
    /// Bob's phone.
    let bob: VirtualPhone
    /// The push gateway.
    let gateway: VirtualAPNs
    /// The server.
    let server: OffhookServer
    /// The server's database.
    let database: String
    private let loop: EventLoop
    private let apps = Guarded<[String: WeakApp]>([:])

    /// Opens the stage; when this returns, server and gateway can be connected to.
    ///
    /// - Parameters:
    ///   - directory: Where the database goes; it exists.
    ///   - secrets: Where the run's keys go; it exists.
    ///   - recorder: Told everything that happens.
    ///   - seed: Makes the phones' random values repeatable.
    /// - Throws: What server or gateway cannot be started for.
    init(directory: String, secrets: String, recorder: DemoRecorder, seed: UInt64?) async throws {
        self.recorder = recorder
        database = directory + "/calls.sqlite"
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + suffix) }
        loop = try EventLoop(name: "demo-apps")

        // A provider key as from Apple's developer site, made for this run.
        let key = try ES256PrivateKey.generate()
        let keyFile = secrets + "/AuthKey_\(Self.keyID).p8"
        try Data(key.pem.utf8).write(to: URL(fileURLWithPath: keyFile))
        var configuration = VirtualAPNs.Configuration(
            teamID: Self.team, keys: [Self.keyID: key.publicKey], bundleIDs: [Self.bundle])
        configuration.onEvent = { recorder.record($0) }
        gateway = try VirtualAPNs(configuration: configuration)
        let rootsFile = secrets + "/apns-root.pem"
        try Data(gateway.rootCertificatePEM.utf8).write(to: URL(fileURLWithPath: rootsFile))

        var serving = ServerConfiguration()
        serving.port = 0
        serving.database = database
        serving.users = [.init(id: "alice", name: "Alice"), .init(id: "bob", name: "Bob")]
        serving.push = .init(
            keyFile: keyFile, keyID: Self.keyID, teamID: Self.team,
            endpoint: "https://127.0.0.1:\(gateway.port)", rootsFile: rootsFile)
        server = OffhookServer(serving) { recorder.record($0) }
        try await server.start()

        alice = Self.phone("Alice's iPhone", locked: false, seed: seed)
        bob = Self.phone("Bob's iPhone", locked: false, seed: seed.map { $0 &+ 1 })
        recorder.watch(alice, user: .alice, phone: .alicePhone, app: .aliceApp)
        recorder.watch(bob, user: .bob, phone: .bobPhone, app: .bobApp)
    }

    private static func phone(_ name: String, locked: Bool, seed: UInt64?) -> VirtualPhone {
        var configuration = VirtualPhone.Configuration(name: name, clock: .real, locked: locked)
        if let seed { configuration.seed = seed }
        return VirtualPhone(configuration)
    }

    /// Installs the calling app for a user.
    ///
    /// A push launches `wokenByPush` instead, when it is given.
    func install(
        for user: String, on phone: VirtualPhone, voice: PCM, recording: String,
        wokenByPush: (@Sendable () -> AnyObject)? = nil
    ) throws {
        let setup = CallingApp.Setup(
            user: user, serverURL: "ws://127.0.0.1:\(server.port)/v1/socket",
            token: try server.mintToken(user: user), bundle: Self.bundle, voice: voice, recording: recording, loop: loop
        )
        phone.install(
            App(bundleIdentifier: Self.bundle, displayName: "Offhook Demo") { [weak self] reason in
                if reason == .push, let wokenByPush { return wokenByPush() }
                let app = CallingApp(setup)
                self?.apps.withLock { $0[user] = WeakApp(app: app) }
                return app
            })
    }

    /// The running app of a user; nil when its process is dead.
    func app(of user: String) -> CallingApp? {
        apps.withLock { $0[user]?.app }
    }

    /// Lets the gateway deliver a phone's pushes to it.
    func connectPushes(to phone: VirtualPhone, token: Data) {
        gateway.register(token: token.hexadecimal, bundle: Self.bundle, environment: .development) { delivery in
            phone.receivePush(token: token, payload: Data(delivery.payload))
        }
    }

    /// Ends everything, phones first.
    func close() async {
        alice.shutDown()
        bob.shutDown()
        await server.stop()
        gateway.stop()
        loop.stop()
    }

    private struct WeakApp {
        weak var app: CallingApp?
    }
}

extension Data {
    /// Two lower-case digits a byte.
    var hexadecimal: String {
        map { String(format: "%02x", $0) }.joined()
    }
}
