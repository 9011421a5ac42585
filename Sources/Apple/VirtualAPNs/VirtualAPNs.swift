// SPDX-License-Identifier: MIT

public import OffhookNet

/// Apple's push gateway on this machine: HTTP/2 over TLS, Apple's checks, and the devices behind it.
///
/// A backend that works against it sends to Apple the same way: only the host, the port and the trusted root differ.
/// Each refusal carries the status and reason that Apple documents; what exactly is wrong stands in the event.
///
/// - Isolation: any thread
public final class VirtualAPNs: Sendable {
    /// What a gateway is made of.
    public struct Configuration: Sendable {
        /// The environment the gateway plays.
        public var environment: APNsEnvironment
        /// The provider keys Apple knows.
        public var keys: [ProviderKey]
        /// The apps Apple knows: bundle id to the id of its team.
        public var bundles: [String: String]
        /// The address to listen on; loopback unless there is a reason.
        public var host = "127.0.0.1"
        /// The port to listen on; 0 lets the system choose.
        public var port = 0
        /// How many streams a connection may have open once a valid token has come; before that it is one.
        public var concurrentStreams: UInt32 = 1_000
        /// Whether a refused push takes the streams back to one until the next accepted push, as Apple was seen to do.
        public var throttlesAfterRefusal = false
        /// Whether every well-formed token that nobody registered counts as a device's; such a push reaches nobody.
        public var acceptsUnknownTokens = false
        /// How long a connection may be silent, PING frames included, before it is sent away with IdleTimeout; nil: for ever.
        public var idleTimeout: Duration?
        /// The certificate to show, with the name that senders connect to; nil: one is made for the host.
        public var certificate: Certificate?
        /// The clock: milliseconds since 1 January 1970 UTC.
        public var clock: @Sendable () -> Int64 = SystemClock.wallMilliseconds
        /// Told everything that happens, on the gateway's thread.
        public var onEvent: (@Sendable (GatewayEvent) -> Void)?

        /// Makes a configuration with keys of several teams.
        public init(environment: APNsEnvironment = .development, keys: [ProviderKey], bundles: [String: String]) {
            self.environment = environment
            self.keys = keys
            self.bundles = bundles
        }

        /// Makes a configuration with one team.
        ///
        /// - Parameters:
        ///   - teamID: The 10-character id of the team.
        ///   - keys: The team's keys: key id to public key.
        ///   - bundleIDs: The bundle ids of the team's apps.
        ///   - environment: The environment the gateway plays.
        public init(
            teamID: String, keys: [String: ES256PublicKey], bundleIDs: [String],
            environment: APNsEnvironment = .development
        ) {
            self.init(
                environment: environment,
                keys: keys.map { ProviderKey(keyID: $0.key, teamID: teamID, publicKey: $0.value) },
                bundles: Dictionary(bundleIDs.map { ($0, teamID) }, uniquingKeysWith: { first, _ in first }))
        }
    }

    struct OrderedFault {
        let fault: GatewayFault
        let token: String?
        var remaining: Int?
    }

    struct State {
        var devices = DeviceRegistry()
        var faults: [OrderedFault] = []
        var connections = 0
        var desks: [Int: Desk] = [:]
        var streamLimit: UInt32?
    }

    /// What the gateway is made of.
    public let configuration: Configuration
    /// The certificate that a sender must trust, as PEM; made for this gateway.
    public let rootCertificatePEM: String
    /// The port that is listened on.
    public var port: Int { server.port }

    let state = Guarded(State())
    /// Milliseconds that the gateway's clock is ahead of the configuration's.
    let clockOffset = Guarded<Int64>(0)
    let loop: EventLoop
    private let server: HTTP2Server
    private let entrance: Entrance

    /// Makes a gateway and starts it; when this returns, senders can connect.
    ///
    /// - Throws: ``NetError``, above all `addressInUse` for a busy port.
    public init(configuration: Configuration) throws(NetError) {
        self.configuration = configuration
        var hosts = ["localhost", "127.0.0.1", "::1"]
        if !hosts.contains(configuration.host) { hosts.append(configuration.host) }
        let certificate: Certificate
        if let given = configuration.certificate {
            certificate = given
        } else {
            certificate = try Certificate.selfSigned(hosts: hosts)
        }
        rootCertificatePEM = certificate.certificatePEM
        let tls = try TLSContext.server(
            certificate: certificate.certificatePEM, key: certificate.keyPEM, alpn: ["h2"])
        loop = try EventLoop(name: "virtual-apns")
        var limits = HTTP2Server.Limits()
        limits.concurrentStreams = 1
        let entrance = Entrance()
        self.entrance = entrance
        server = try HTTP2Server.listen(
            on: loop, host: configuration.host, port: configuration.port, tls: tls, limits: limits
        ) { connection in
            entrance.admit(connection)
        }
        entrance.open(for: self)
    }

    deinit {
        stop()
    }

    /// Stops listening, cuts every connection and ends the gateway's thread; a second call does no harm.
    public func stop() {
        server.close()
        loop.stop()
    }
}

/// Lets connections in once the gateway is whole; those that come a moment earlier wait.
final class Entrance: Sendable {
    private struct State {
        weak var gateway: VirtualAPNs?
        var waiting: [HTTP2ServerConnection] = []
        var isOpen = false
    }

    private let state = Guarded(State())

    func open(for gateway: VirtualAPNs) {
        let waiting = state.withLock { state in
            state.gateway = gateway
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for connection in waiting {
            connection.loop.execute { gateway.serve(connection) }
        }
    }

    func admit(_ connection: HTTP2ServerConnection) {
        let (gateway, isOpen) = state.withLock { state in
            if !state.isOpen { state.waiting.append(connection) }
            return (state.gateway, state.isOpen)
        }
        guard isOpen else { return }
        guard let gateway else { return connection.abort() }
        gateway.serve(connection)
    }
}
