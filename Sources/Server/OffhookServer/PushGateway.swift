// SPDX-License-Identifier: MIT

public import OffhookCore
public import OffhookWire

/// Sends VoIP pushes; in production ``APNsGateway``.
public protocol PushGateway: Sendable {
    /// Sends one push; retries of its own end before the push's expiration.
    ///
    /// - Parameters:
    ///   - push: What to send and to whom.
    ///   - completion: Called once, from any thread.
    func send(_ push: VoIPPush, completion: @escaping @Sendable (PushResult) -> Void)

    /// Ends connections; sends under way are completed.
    func close() async
}

/// One VoIP push: always an invitation (R105).
public struct VoIPPush: Hashable, Sendable {
    /// The call it offers.
    public var call: CallID
    /// The device's token, its environment and the app's bundle id.
    public var target: PushRegistration
    /// The body, JSON of at most 5,120 bytes.
    public var payload: [UInt8]
    /// When the push is no longer worth delivering: the call's ring deadline.
    public var expiresAt: Instant

    /// Makes a push.
    public init(call: CallID, target: PushRegistration, payload: [UInt8], expiresAt: Instant) {
        self.call = call
        self.target = target
        self.payload = payload
        self.expiresAt = expiresAt
    }
}

/// What became of a push; accepted is neither delivered nor rung (R108).
public enum PushResult: Hashable, Sendable {
    /// APNs took it.
    case accepted(id: String?)
    /// APNs refused it; `tokenIsDead` when the token must not be used again.
    case rejected(reason: String, tokenIsDead: Bool)
    /// It did not reach APNs.
    case failed(String)
}
