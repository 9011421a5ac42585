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
        /// A fault ordered by the test took the place of the gateway's work.
        case faulted(GatewayFault)
    }

    /// When, in milliseconds since 1970 by the gateway's clock.
    public var time: Int64
    /// The connection's number, counted from 1.
    public var connection: Int
    /// What happened.
    public var kind: Kind
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
        case .faulted(let fault): "connection \(connection): fault \(fault)"
        }
    }
}
