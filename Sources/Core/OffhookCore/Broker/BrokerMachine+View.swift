// SPDX-License-Identifier: MIT

/// Where a call is for one device.
public enum BrokerView: Hashable, Sendable, Codable {
    /// Offered, not answered.
    case ringing
    /// Answered: by this device, or for the caller.
    case answered
    /// Over for this device.
    case ended(EndReason)
}

extension BrokerMachine {
    /// Whether a call of this device to this user would cross this one, which rings (race 7).
    public func isCrossed(by party: BrokerParty, calling user: String) -> Bool {
        switch state {
        case .ringing: caller.user == user && callee == party.user && caller.user != callee
        case .created, .answered, .ended: false
        }
    }

    /// Whether a call of this device went on in this one (race 7).
    public func hasJoined(_ call: CallID, of party: BrokerParty) -> Bool {
        joined == call && callee == party.user && winner == party.device
    }

    /// Where the call is for a device; nil when it is none of that user's business, or not yet offered (race 25).
    public func view(for party: BrokerParty) -> BrokerView? {
        guard let role = role(of: party) else { return nil }
        switch state {
        case .created: return role == .callee ? nil : .ringing
        case .ringing:
            if role == .callee, let index = legIndex(party.device), legs[index].state == .busy { return .ended(.busy) }
            return .ringing
        case .answered(let winner, _, _):
            return role == .callee && party.device != winner ? .ended(.answeredElsewhere) : .answered
        case .ended(let end):
            return .ended(end.reason(forCaller: role != .callee, device: party.device))
        }
    }

    /// Why the call ended, as the caller sees it: the reason for the record.
    public var endReason: EndReason? {
        switch state {
        case .created, .ringing, .answered: nil
        case .ended(let end): end.reason(forCaller: true, device: caller.device)
        }
    }
}
