// SPDX-License-Identifier: MIT

public import Foundation

extension VirtualPhone {
    /// Calls of the mobile network on this phone.
    public var cellular: OtherCalls { OtherCalls(phone: self, kind: .cellular) }
    /// FaceTime calls on this phone.
    public var faceTime: OtherCalls { OtherCalls(phone: self, kind: .faceTime) }
}

/// Calls on a ``VirtualPhone`` that belong to no installed app; what the other side and the network do with them.
///
/// The user does the rest with the methods of ``User``: answers, holds, swaps, ends. Apps see these calls through their
/// observers alone (C1) and cannot end them (T4).
public struct OtherCalls: Sendable {
    let phone: VirtualPhone
    /// Whose calls these are.
    public let kind: OtherCallKind

    /// A call comes in; it rings unless the caller is blocked, or Do Not Disturb keeps it quiet (I4).
    ///
    /// - Parameter handle: Who calls; nil withholds the number.
    /// - Returns: Names the call.
    @discardableResult
    public func incoming(from handle: HandleValue?) -> UUID {
        let call = phone.nextOtherCall()
        phone.handle(.otherCall(.incoming(call: call, kind: kind, handle: handle)))
        return call
    }

    /// A call comes in from a phone number.
    ///
    /// - Returns: Names the call.
    @discardableResult
    public func incoming(from number: String) -> UUID {
        incoming(from: HandleValue(type: HandleValue.phoneNumber, value: number))
    }

    /// The user calls a number in the system's own app; an active call is held first, or ended when it cannot be.
    ///
    /// - Returns: Names the call.
    @discardableResult
    public func outgoing(to number: String) -> UUID {
        let call = phone.nextOtherCall()
        let handle = HandleValue(type: HandleValue.phoneNumber, value: number)
        phone.handle(.otherCall(.outgoing(call: call, kind: kind, handle: handle)))
        return call
    }

    /// The other side answers what the user dialled.
    ///
    /// - Parameter call: Which; nil is the newest one that waits.
    /// - Throws: ``PhoneUserError`` when there is none.
    public func connect(_ call: UUID? = nil) throws(PhoneUserError) {
        try act(call, where: { $0.isOutgoing && $0.phase != .connected }) { .connected(call: $0) }
    }

    /// The other side ends a call, or gives up ringing (G3).
    ///
    /// - Parameter call: Which; nil is the newest.
    /// - Throws: ``PhoneUserError`` when there is none.
    public func endRemotely(_ call: UUID? = nil) throws(PhoneUserError) {
        try act(call, where: { _ in true }) { .endedRemotely(call: $0) }
    }

    private func act(
        _ call: UUID?, where fits: (PhoneCall) -> Bool, _ input: (UUID) -> OtherCallInput
    ) throws(PhoneUserError) {
        let calls = phone.snapshot.calls.filter { $0.other == kind && (call == nil || $0.uuid == call) }
        guard let found = calls.last(where: fits)?.uuid else {
            throw call.map { .unknownCall($0) } ?? .noCall
        }
        try phone.perform(.otherCall(input(found)))
    }
}

extension VirtualPhone {
    /// The identity of the next call of the network: the same again for the same seed.
    func nextOtherCall() -> UUID {
        state.withLock { state in
            state.otherCalls += 1
            var random = SeededGenerator(seed: configuration.seed ^ (0x6f74_6865_7200_0000 + state.otherCalls))
            return random.uuid()
        }
    }
}
