// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookWire

extension ServerMessage.Body {
    /// What a notice of the broker is on the wire.
    init(_ notice: BrokerNotice, of call: CallID) {
        switch notice {
        case .ringing: self = .ringing(call: call)
        case .answered: self = .answered(call: call)
        case .joined(let other): self = .joined(call: other, into: call)
        case .ended(let reason): self = .ended(call: call, reason: reason)
        case .media(let signal): self = .media(call: call, signal: signal)
        case .update(let held, let muted, let video):
            self = .update(call: call, update: CallUpdate(held: held, muted: muted, video: video))
        }
    }
}

extension BrokerCommand {
    /// What a client's message asks of its call; nil for messages that are not about a call that exists.
    init?(_ body: ClientMessage.Body) {
        switch body {
        case .hello, .register, .unregister, .invite, .ack: return nil
        case .ringing: self = .ringing
        case .answer: self = .answer
        case .decline: self = .decline
        case .busy: self = .busy
        case .cancel: self = .cancel
        case .hangup(_, let reason): self = .hangup(reason)
        case .media(_, let signal): self = .media(signal)
        case .connected: self = .connected
        case .update(_, let update): self = .update(held: update.held, muted: update.muted, video: update.video)
        }
    }
}

extension BrokerReply {
    /// The error to report; nil for success.
    var failureCode: WireFailure.Code? {
        switch self {
        case .done: nil
        case .unknownCall: .unknownCall
        case .invalidState: .invalidState
        case .conflict: .conflict
        case .limitExceeded: .limitExceeded
        }
    }

    /// The error for people.
    var words: String {
        switch self {
        case .done: "done"
        case .unknownCall: "there is no such call"
        case .invalidState: "the call is not in a state for this, or this device has no such part in it"
        case .conflict: "another message had this id; give every message its own"
        case .limitExceeded: "too many media signals before the answer"
        }
    }
}

extension BrokerDecision {
    /// The decision for a timeline.
    var words: String {
        switch self {
        case .placed: "the call goes out"
        case .rang: "a phone shows the call"
        case .answered: "answered: this device has the call"
        case .crossed: "the callee calls the caller: that call goes on in this one"
        case .lostToAnotherDevice: "answered too, but another device was first"
        case .answeredTooLate: "answered after the end: told how it ended"
        case .cancelled: "the caller gave up"
        case .cancelBecameHangup: "cancelled after the answer: a hang-up"
        case .declined: "declined on all devices"
        case .deviceBusy: "one device is busy, the others ring on"
        case .allBusy: "all devices are busy"
        case .deviceUnreachable: "one device cannot be reached"
        case .unreachable: "no device can be reached"
        case .timedOut: "nobody answered before the deadline"
        case .hungUp: "hung up"
        case .lost: "a side stayed away too long"
        case .replaced: "the same two call anew: the old call ends"
        case .connected: "media is heard"
        case .pushedBecauseSilent: "a connected device is silent: also pushed"
        case .repeated: "the message came again: the first reply again"
        case .restored: "found in the store after a restart"
        }
    }

    /// The requirement behind a decision in which nothing crossed.
    var requirement: String {
        switch self {
        case .placed: "R42"
        case .rang: "R108"
        case .crossed, .answered, .lostToAnotherDevice, .answeredTooLate, .declined, .hungUp: "R97"
        case .connected: "R103"
        case .cancelled, .cancelBecameHangup: "R45"
        case .deviceBusy, .allBusy, .deviceUnreachable, .unreachable: "R45"
        case .timedOut, .restored: "R99"
        case .lost, .replaced: "R101"
        case .pushedBecauseSilent: "R105"
        case .repeated: "R98"
        }
    }
}
