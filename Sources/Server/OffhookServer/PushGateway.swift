// SPDX-License-Identifier: MIT

public import OffhookCore
public import OffhookPush
public import OffhookWire

/// Sends VoIP pushes; in production OffhookPush's senders, as the configuration says.
public protocol PushGateway: Sendable {
    /// Sends one push, with retries of its own while the call still rings.
    ///
    /// - Parameters:
    ///   - push: What to send and to whom.
    ///   - limit: How long it may try.
    ///   - completion: Called once, from any thread; accepted is neither delivered nor rung (R108).
    func send(
        _ push: InvitationPush, within limit: Duration, completion: @escaping @Sendable (PushOutcome) -> Void)

    /// Ends connections; what is under way is completed as unreachable.
    func close() async
}

/// One VoIP push: always an invitation (R105).
public struct InvitationPush: Hashable, Sendable {
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

extension InvitationPush: CustomStringConvertible {
    /// The call, the target and the size; never the payload, which names the caller.
    public var description: String { "push of \(call) to \(target), \(payload.count) bytes" }
}
