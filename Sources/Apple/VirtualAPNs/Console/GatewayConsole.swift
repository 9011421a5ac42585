// SPDX-License-Identifier: MIT

import Foundation
public import OffhookNet

/// A second port of a gateway, on which a person or a test sees what arrived and orders faults, over HTTP/1.1.
///
/// `GET /` is a page; docs/apns.md lists the rest. It belongs on the loopback interface: who reaches it sees payloads and tokens.
///
/// - Isolation: any thread
public final class GatewayConsole: Sendable {
    /// What a test asks first: where the gateway is and which keys it knows.
    public struct About: Codable, Hashable, Sendable {
        /// The gateway's host, as senders connect to it.
        public var host: String
        /// The gateway's port.
        public var port: Int
        /// The environment it plays.
        public var environment: String
        /// The file with the certificate to trust; nil: it is only in memory.
        public var certificateFile: String?
        /// The certificate to trust, as PEM.
        public var certificate: String
        /// The ids of the keys that Apple knows, and their teams.
        public var keys: [String: String]
        /// The apps and their teams.
        public var bundles: [String: String]
    }

    /// The port of the console; the system's choice when 0 was asked for.
    public var port: Int { server.port }

    private let loop: EventLoop
    private let server: HTTPServer

    /// Starts the console.
    ///
    /// - Parameters:
    ///   - gateway: The gateway to show and to steer.
    ///   - log: What the gateway's `onEvent` feeds.
    ///   - host: A numeric address of this machine.
    ///   - port: 0 ... 65535; 0 lets the system choose.
    ///   - certificateFile: Where the certificate to trust is, for ``About``.
    /// - Throws: ``NetError``, above all `addressInUse` for a busy port.
    public init(
        gateway: VirtualAPNs, log: GatewayLog, host: String = "127.0.0.1", port: Int = 0,
        certificateFile: String? = nil
    ) throws(NetError) {
        let about = About(
            host: gateway.configuration.host, port: gateway.port,
            environment: gateway.configuration.environment.rawValue, certificateFile: certificateFile,
            certificate: gateway.rootCertificatePEM,
            keys: Dictionary(
                gateway.configuration.keys.map { ($0.keyID, $0.teamID) }, uniquingKeysWith: { first, _ in first }),
            bundles: gateway.configuration.bundles)
        let loop = try EventLoop(name: "apns-console")
        self.loop = loop
        let desk = ConsoleDesk(gateway: gateway, log: log, about: about, loop: loop)
        do throws(NetError) {
            server = try HTTPServer(loop: loop, host: host, port: port) { request, answer in
                desk.handle(request, answer)
            }
        } catch {
            loop.stop()
            throw error
        }
    }

    deinit {
        stop()
    }

    /// Closes the port and ends the console's thread; the gateway goes on.
    public func stop() {
        server.close()
        loop.stop()
    }
}
