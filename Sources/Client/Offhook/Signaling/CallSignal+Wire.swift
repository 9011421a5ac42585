// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookWire

extension CallSignal {
    /// The message that says this of a call.
    func message(_ call: CallID) -> ClientMessage.Body {
        switch self {
        case .invite(let handle, let video): .invite(call: call, to: handle, video: video)
        case .ringing: .ringing(call: call)
        case .answer: .answer(call: call)
        case .decline: .decline(call: call)
        case .busy: .busy(call: call)
        case .cancel: .cancel(call: call)
        case .hangup(let reason): .hangup(call: call, reason: reason)
        case .media(let signal): .media(call: call, signal: signal)
        case .connected: .connected(call: call)
        case .update(let update):
            .update(call: call, update: CallUpdate(held: update.held, muted: update.muted, video: update.video))
        }
    }
}

extension ServerMessage.Body {
    /// What the message means to the phone; nothing for what concerns the connection alone.
    var event: PhoneMachine.Event? {
        switch self {
        case .welcome, .ack, .error: nil
        case .invited(let invitation): .invited(invitation)
        case .ringing(let call): .server(call, .ringing)
        case .answered(let call): .server(call, .answered)
        case .joined(let call, let other): .server(call, .joined(other))
        case .ended(let call, let reason): .server(call, .ended(reason))
        case .media(let call, let signal): .server(call, .media(signal))
        case .update(let call, let update):
            .server(call, .update(PeerUpdate(held: update.held, muted: update.muted, video: update.video)))
        }
    }
}

extension ClientMessage.Body {
    /// What it means to the phone that the server did what this message asked for.
    var doneEvent: PhoneMachine.Event? {
        switch self {
        case .invite(let call, _, _): .server(call, .inviteAccepted)
        case .hello, .register, .unregister, .ringing, .answer, .decline, .busy, .cancel, .hangup, .media, .connected,
            .update, .ack:
            nil
        }
    }

    /// What the rules owed the server and it has heard now; nothing for what is not owed.
    var deliveredEvent: PhoneMachine.Event? {
        switch self {
        case .answer(let call): .delivered(call, .answer)
        case .decline(let call): .delivered(call, .decline)
        case .busy(let call): .delivered(call, .busy)
        case .cancel(let call): .delivered(call, .cancel)
        case .hangup(let call, let reason): .delivered(call, .hangup(reason))
        case .hello, .register, .unregister, .invite, .ringing, .media, .connected, .update, .ack: nil
        }
    }

    /// What it means to the phone that the server refused this message.
    func refusedEvent(_ failure: WireFailure) -> PhoneMachine.Event? {
        switch self {
        case .invite(let call, _, _):
            let reason: EndReason = failure.code == .unknownUser ? .unreachable : .failed
            return .server(call, .inviteRefused(CallFailure(.refusedByServer, failure.message), reason))
        case .answer(let call):
            return .server(call, .ended(.failed))
        case .ringing(let call), .connected(let call), .media(let call, _), .update(let call, _):
            return failure.code == .unknownCall ? .server(call, .ended(.failed)) : nil
        case .hello, .register, .unregister, .decline, .busy, .cancel, .hangup, .ack:
            return nil
        }
    }
}
