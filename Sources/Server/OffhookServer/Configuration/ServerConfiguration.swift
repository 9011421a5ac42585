// SPDX-License-Identifier: MIT

public import OffhookCore

/// Everything the server is told before it starts.
public struct ServerConfiguration: Sendable {
    /// A user whom the server knows from the start; others become known by their first token.
    public struct User: Hashable, Sendable {
        /// The user's id, 1 to 256 bytes.
        public var id: String
        /// The name that callees see; cleaned and cut at 256 bytes.
        public var name: String
        /// The address that callees see and callers dial.
        public var handle: Handle

        /// Makes a user; without a handle, the id is the generic handle.
        public init(id: String, name: String? = nil, handle: Handle? = nil) {
            self.id = id
            self.name = name ?? id
            self.handle = handle ?? Handle(value: id)
        }
    }

    /// How VoIP pushes get to APNs.
    public struct Push: Hashable, Sendable {
        /// The file with the provider key, a .p8 from Apple's developer site.
        public var keyFile: String
        /// The key's id, 10 characters.
        public var keyID: String
        /// The team's id, 10 characters.
        public var teamID: String
        /// The address of a stand-in for APNs, `https://host:port`; nil: Apple's, by each token's environment.
        public var endpoint: String?
        /// A file of certificates to trust instead of the system's, for a stand-in.
        public var rootsFile: String?

        /// Makes a push configuration.
        public init(
            keyFile: String, keyID: String, teamID: String, endpoint: String? = nil, rootsFile: String? = nil
        ) {
            self.keyFile = keyFile
            self.keyID = keyID
            self.teamID = teamID
            self.endpoint = endpoint
            self.rootsFile = rootsFile
        }
    }

    /// The certificate chain and the key that the server shows, as PEM texts.
    public struct TLS: Hashable, Sendable {
        /// The certificate chain.
        public var certificate: String
        /// Its private key.
        public var key: String

        /// Makes a TLS identity.
        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// The address to listen on; 127.0.0.1 unless given.
    public var host = "127.0.0.1"
    /// The port to listen on, 8443 unless given; 0 takes a free one.
    public var port = 8443
    /// The identity for `https` and `wss`; nil serves plain HTTP, for loopback or behind a proxy.
    public var tls: TLS?
    /// The database file, made when missing; `:memory:` forgets everything at the end.
    public var database = "offhook.sqlite"
    /// Whether every commit is synced to the disk (survives a power cut), not only handed to the system (survives the
    /// process).
    public var fullSync = false
    /// The secret that signs session tokens, at least 32 bytes; nil: one made once and kept in the database.
    public var tokenSecret: [UInt8]?
    /// The key for `GET /v1/calls/…`; nil: that part of the API is closed.
    public var apiKey: String?
    /// Users known from the start.
    public var users: [User] = []
    /// How VoIP pushes are sent; nil: only connected devices ring.
    public var push: Push?
    /// How long a call rings; 1 s to 180 s, 45 s unless given.
    public var ringDuration = BrokerSettings.ringDuration
    /// How long the record of a call is kept after its end, 90 days unless given; nil: for ever.
    public var recordsKept: TimeSpan? = .seconds(90 * 86_400)
    /// The broker's other times.
    public var broker = BrokerSettings()
    /// What one client may take up.
    public var limits = Limits()
    /// Web pages that may connect, such as `https://example.com`; apps send no Origin and are not concerned.
    public var allowedOrigins: Set<String> = []
    /// Users to print a development token for, `--dev-token`.
    public var developmentTokens: [String] = []
    /// Whether only the usage was asked for, `--help`.
    public var wantsHelp = false

    /// Makes the default configuration.
    public init() {}

    /// What one client may take up.
    public struct Limits: Hashable, Sendable {
        /// How long a connection may wait with its hello; 10 s.
        public var helloTimeout = TimeSpan.seconds(10)
        /// Messages a connection may send at once; 200.
        public var messageBurst = 200
        /// Messages a connection may send per second in the long run; 50.
        public var messagesPerSecond = 50
        /// Frames that are no message before a connection is closed; 10.
        public var malformedFrames = 10
        /// Connections of one user; 32.
        public var connectionsPerUser = 32
        /// Calls that one user may have placed at a time; 8.
        public var callsPerUser = 8
        /// Calls that one user may place within a minute; 120.
        public var callsPerMinute = 120
        /// Devices of one user that are known; of more, the longest unseen are forgotten; 32.
        public var devicesPerUser = 32
        /// Messages kept for a device that may come back; 256.
        public var replayMessages = 256
        /// How many bytes they may take up together, nearly; 1 MiB.
        public var replayBytes = 1_048_576
        /// How long they are kept for a device that is away; 5 minutes.
        public var sessionLifetime = TimeSpan.seconds(300)
        /// Bytes that may wait for a slow reader before it is cut off; 1 MiB.
        public var outgoingBytes = 1_048_576

        /// Makes the default limits.
        public init() {}
    }
}

extension ServerConfiguration: CustomStringConvertible {
    /// Where the server listens and what it stores in; never its secrets and users.
    public var description: String {
        "server on \(host):\(port)\(tls == nil ? "" : " with TLS"), database \(database), "
            + (push == nil ? "no pushes" : "pushes")
    }
}

extension ServerConfiguration.TLS: CustomStringConvertible {
    /// That there is an identity; never the key.
    public var description: String { "a TLS identity" }
}
