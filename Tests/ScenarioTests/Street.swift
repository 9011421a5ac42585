// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookNet
import OffhookTesting
import VirtualAPNs
import VirtualPhone

/// Two phones in real time, Alice's and Bob's, the push gateway, and a server process between them.
final class Street: Sendable {
    static let bundle = "org.example.calls"

    let alice = VirtualPhone(VirtualPhone.Configuration(name: "Alice's iPhone", clock: .real))
    let bob = VirtualPhone(VirtualPhone.Configuration(name: "Bob's iPhone", clock: .real))
    let gateway: VirtualAPNs
    let directory: URL
    private let loop: EventLoop
    private let pushArguments: [String]
    private let centers = Guarded<[String: CallCenter]>([:])

    /// Makes the phones and the gateway; the server is started by ``startServer(port:ring:)``.
    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("offhook-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        loop = try EventLoop(name: "phones")
        let key = try ES256PrivateKey.generate()
        gateway = try VirtualAPNs(
            configuration: .init(teamID: "TEAM123456", keys: ["KEY1234567": key.publicKey], bundleIDs: [Self.bundle]))
        let (keyFile, roots) = (
            directory.appendingPathComponent("key.p8"), directory.appendingPathComponent("roots.pem")
        )
        try Data(key.pem.utf8).write(to: keyFile)
        try Data(gateway.rootCertificatePEM.utf8).write(to: roots)
        pushArguments = [
            "--apns-key", keyFile.path, "--apns-key-id", "KEY1234567", "--apns-team", "TEAM123456",
            "--apns-endpoint", "https://127.0.0.1:\(gateway.port)", "--apns-roots", roots.path,
        ]
    }

    /// The server's database.
    var database: String { directory.appendingPathComponent("calls.sqlite").path }

    /// Starts the server, or starts it again on the same database.
    func startServer(port: Int = 0, ring: Int = 45) async throws -> ServerProcess {
        try await ServerProcess(
            [
                "--port", "\(port)", "--database", database, "--ring-seconds", "\(ring)", "--dev-token", "alice",
                "--dev-token", "bob",
            ] + pushArguments)
    }

    /// Installs the calling app for a user; `wiretap` may change what the server says to it.
    func install(
        _ user: String, on phone: VirtualPhone, port: Int, token: String,
        media: @escaping @Sendable () -> any MediaEngine = { RecordingMedia(negotiates: true) },
        wiretap: @escaping @Sendable (String) -> String = { $0 }
    ) {
        let loop = loop
        phone.install(
            App(bundleIdentifier: Self.bundle, displayName: "Calls") { [weak self] _ in
                let center = CallCenter(
                    configuration: .init(
                        serverURL: "ws://127.0.0.1:\(port)/v1/socket", sessionToken: { token },
                        deviceID: user + "-phone", bundleIdentifier: Self.bundle, pushEnvironment: .development),
                    media: media(),
                    transport: TappedTransport(transport: NetSignalTransport(loop: loop), tap: wiretap))
                center.start()
                self?.centers.withLock { $0[user] = center }
                return center
            })
    }

    /// The running app's calls.
    func center(of user: String) -> CallCenter? { centers.withLock { $0[user] } }

    /// Lets the gateway deliver Bob's pushes, then closes his app and locks his phone.
    func putBobAway(_ server: ServerProcess) async throws {
        bob.open(Self.bundle)
        try await bob.wait { $0.pushTokens[Self.bundle] != nil }
        if let token = bob.pushToken(for: Self.bundle) {
            let bob = bob
            gateway.register(
                token: token.map { String(format: "%02x", $0) }.joined(), bundle: Self.bundle, environment: .development
            ) { delivery in bob.receivePush(token: token, payload: Data(delivery.payload)) }
        }
        _ = await server.printed("device bob-phone registered a push token")
        centers.withLock { $0["bob"] = nil }
        try bob.user.close(Self.bundle)
        bob.user.lock()
        _ = await server.printed("device bob-phone is away")
    }

    /// Ends phones and gateway.
    func close() {
        centers.withLock { $0 = [:] }
        alice.shutDown()
        bob.shutDown()
        gateway.stop()
        loop.stop()
        try? FileManager.default.removeItem(at: directory)
    }
}

extension CallCenter {
    /// Waits until the app was told of a state of a call; nil when the time is over.
    func call(_ id: CallID, limit: Duration = .seconds(60), where fits: @escaping @Sendable (Call) -> Bool) async
        -> Call?
    {
        let events = events
        return await withTaskGroup(of: Call?.self) { group in
            group.addTask {
                for await event in events {
                    switch event {
                    case .changed(let call) where call.id == id && fits(call): return call
                    case .snapshot(let calls):
                        if let call = calls.first(where: { $0.id == id && fits($0) }) { return call }
                    case .changed, .invitation, .connection, .audio, .routes, .storage, .account, .warning: continue
                    }
                }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
