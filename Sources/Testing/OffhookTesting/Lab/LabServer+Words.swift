// SPDX-License-Identifier: MIT

import Offhook
import OffhookWire

/// What the server says, in the words of the protocol.
extension LabServer {
    static func snapshot(of call: CallID, _ machine: BrokerMachine?, for party: BrokerParty) -> CallSnapshot {
        guard let machine, let view = machine.view(for: party) else {
            return CallSnapshot(call: call, state: .unknown, outgoing: false)
        }
        let outgoing = machine.caller.user == party.user
        switch view {
        case .ringing:
            return CallSnapshot(
                call: call, state: .ringing, outgoing: outgoing, invitation: outgoing ? nil : machine.invitation)
        case .answered: return CallSnapshot(call: call, state: .answered, outgoing: outgoing)
        case .ended(let reason): return CallSnapshot(call: call, state: .ended, outgoing: outgoing, reason: reason)
        }
    }

    static func body(of notice: BrokerNotice, _ call: CallID) -> ServerMessage.Body {
        switch notice {
        case .ringing: .ringing(call: call)
        case .answered: .answered(call: call)
        case .joined(let other): .joined(call: other, into: call)
        case .ended(let reason): .ended(call: call, reason: reason)
        case .media(let signal): .media(call: call, signal: signal)
        case .update(let held, let muted, let video):
            .update(call: call, update: CallUpdate(held: held, muted: muted, video: video))
        }
    }

    static func failure(_ code: WireFailure.Code, _ message: String) -> WireFailure {
        WireFailure(code: code, message: code.rawValue, replyTo: message)
    }
}
