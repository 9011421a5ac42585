// SPDX-License-Identifier: MIT

/// What went wrong on the network, in words that say what to do.
public struct NetError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The class of a network error; new ones may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name, such as `addressInUse`.
        public let description: String

        /// Makes a code of its name.
        public init(_ name: String) {
            description = name
        }

        /// The port to listen on is taken by another process.
        public static let addressInUse = Code("addressInUse")
        /// The operating system does not allow it, for example a port below 1024.
        public static let notPermitted = Code("notPermitted")
        /// Nobody listens at the address.
        public static let connectionRefused = Code("connectionRefused")
        /// The peer or something on the way cut the connection.
        public static let connectionReset = Code("connectionReset")
        /// There is no way to the address.
        public static let unreachable = Code("unreachable")
        /// A connect, a handshake, an idle connection or an answer took too long.
        public static let timedOut = Code("timedOut")
        /// The host name could not be resolved.
        public static let dns = Code("dns")
        /// TLS: handshake, certificate or record failure.
        public static let tls = Code("tls")
        /// A key, a certificate or another cryptographic input is not usable.
        public static let crypto = Code("crypto")
        /// The connection, the stream or the loop is already closed.
        public static let closed = Code("closed")
        /// The peer sent more than the documented limits allow.
        public static let limitExceeded = Code("limitExceeded")
        /// The peer broke the protocol.
        public static let protocolViolation = Code("protocolViolation")
        /// The server answered the WebSocket handshake with another status than 101.
        public static let handshakeRefused = Code("handshakeRefused")
        /// The caller cancelled what it had asked for.
        public static let cancelled = Code("cancelled")
        /// An address, a URL or another argument is not usable.
        public static let invalidArgument = Code("invalidArgument")
        /// Out of memory, file descriptors or threads.
        public static let resources = Code("resources")
        /// Any other failure of the operating system; the message has its words.
        public static let system = Code("system")
    }

    /// The class of the error.
    public var code: Code
    /// What happened and what to do, for a person; names no secret.
    public var message: String

    /// Makes an error of a class and a message that says what to do.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message.
    public var description: String {
        "\(code): \(message)"
    }
}
