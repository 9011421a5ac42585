// SPDX-License-Identifier: MIT

import Foundation
import OffhookNet
import OffhookPush
import VirtualAPNs

/// The virtual push gateway in a process of its own: this program, started once more with `--apns-server`.
final class GatewayProcess {
    static let argument = "--apns-server"
    static let token = "00aa11bb22cc33dd44ee55ff00aa11bb22cc33dd44ee55ff00aa11bb22cc33dd"
    static let bundle = "com.example.app"
    static let team = "TEAM012345"
    static let keyID = "KEY0123456"

    /// What the gateway prints once it listens.
    struct Address: Codable {
        var port: Int
        /// The file with the certificate to trust.
        var root: String
        /// The file with the provider key.
        var key: String
    }

    let address: Address
    private let process = Process()
    private let input = Pipe()

    /// Starts the gateway and waits until it listens.
    init() throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [Self.argument]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = Data()
        while line.last != UInt8(ascii: "\n"), let byte = try output.fileHandleForReading.read(upToCount: 1),
            !byte.isEmpty
        {
            line += byte
        }
        guard let address = try? JSONDecoder().decode(Address.self, from: line) else {
            process.terminate()
            throw BenchmarkError("the gateway did not start: \(String(decoding: line, as: UTF8.self))")
        }
        self.address = address
    }

    /// Ends the gateway.
    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    func senderConfiguration() throws -> PushSender.Configuration {
        let roots = try String(contentsOfFile: address.root, encoding: .utf8)
        let credentials = try PushCredentials(keyID: Self.keyID, teamID: Self.team, path: address.key)
        var configuration = PushSender.Configuration(
            endpoint: .custom(host: "127.0.0.1", port: address.port, roots: roots), credentials: credentials)
        configuration.limits.requestTimeout = .seconds(60)
        return configuration
    }

    func measureAioapns(count: Int) throws -> [String: Double] {
        try PythonPeer(script: "aioapns_push.py").run([
            "--port", "\(address.port)", "--root", address.root, "--key", address.key, "--key-id", Self.keyID,
            "--team", Self.team, "--bundle", Self.bundle, "--token", Self.token, "--count", "\(count)",
        ])
    }

    /// Runs the gateway until the standard input ends; the other process's part.
    static func serve() throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("offhook-bench-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let key = try ES256PrivateKey.generate()
        let gateway = try VirtualAPNs(
            configuration: VirtualAPNs.Configuration(
                teamID: team, keys: [keyID: key.publicKey], bundleIDs: [bundle], environment: .production))
        gateway.register(token: token, bundle: bundle, environment: .production) { _ in }
        let address = Address(
            port: gateway.port, root: directory.appendingPathComponent("root.pem").path,
            key: directory.appendingPathComponent("AuthKey.p8").path)
        try Data(gateway.rootCertificatePEM.utf8).write(to: URL(fileURLWithPath: address.root))
        try Data(key.pem.utf8).write(to: URL(fileURLWithPath: address.key))
        FileHandle.standardOutput.write(try JSONEncoder().encode(address) + Data("\n".utf8))
        while readLine() != nil {}
        gateway.stop()
    }
}
