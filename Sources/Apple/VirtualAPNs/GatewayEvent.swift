// SPDX-License-Identifier: MIT

/// Something that happened at the gateway, for a timeline.
public struct GatewayEvent: Sendable {
    /// What happened.
    public enum Kind: Sendable {
        /// A provider connected; TLS is up.
        case connected(peer: String)
        /// A provider's connection is over.
        case disconnected
        /// A request arrived whole.
        case requested(path: String, bytes: Int)
        /// A push was accepted; the sender gets status 200.
        case accepted(Delivery)
        /// A push was refused; the sender gets its status and reason.
        case refused(Refusal)
        /// A push was handed to its device.
        case delivered(Delivery)
        /// A push was accepted and thrown away since its expiration had passed.
        case expired(Delivery)
        /// A push was accepted for a device that is away, and waits; the id is that of the push it took the place of.
        case stored(Delivery, replacing: String?)
        /// A push was accepted for a device that is away, and thrown away since its expiration is 0.
        case missed(Delivery)
        /// A fault ordered by the test took the place of the gateway's work.
        case faulted(GatewayFault)
    }

    /// When, in milliseconds since 1970 by the gateway's clock.
    public var time: Int64
    /// The connection's number, counted from 1.
    public var connection: Int
    /// What happened.
    public var kind: Kind

    /// Makes an event.
    public init(time: Int64, connection: Int, kind: Kind) {
        self.time = time
        self.connection = connection
        self.kind = kind
    }
}

extension GatewayEvent: CustomStringConvertible {
    /// One line for a log, without payload or token.
    public var description: String {
        switch kind {
        case .connected(let peer): "connection \(connection) from \(peer)"
        case .disconnected: "connection \(connection) ended"
        case .requested(_, let bytes): "connection \(connection): a request with \(bytes) bytes"
        case .accepted(let delivery): "accepted \(delivery)"
        case .refused(let refusal): "refused \(refusal)"
        case .delivered(let delivery): "delivered \(delivery)"
        case .expired(let delivery): "threw away \(delivery): its expiration is in the past"
        case .stored(let delivery, let replaced):
            "stored \(delivery): its device is away" + (replaced.map { "; it takes the place of \($0)" } ?? "")
        case .missed(let delivery): "threw away \(delivery): its device is away, and expiration 0 means one try"
        case .faulted(let fault): "connection \(connection): fault \(fault)"
        }
    }
}
