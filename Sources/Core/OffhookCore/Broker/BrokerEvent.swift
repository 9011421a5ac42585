// SPDX-License-Identifier: MIT

/// What happens to a call on the server.
public enum BrokerEvent: Hashable, Sendable, Codable {
    /// The callee's devices are known: the call goes out.
    case placed([BrokerTarget])
    /// A device sent a message; the same message id again gets the same reply.
    case received(BrokerCommand, from: BrokerParty, message: String)
    /// A device has a connection (again).
    case deviceConnected(BrokerParty)
    /// A device's connection is gone.
    case deviceDisconnected(BrokerParty)
    /// A device was signed out or lost its right (race 29).
    case deviceRemoved(BrokerParty)
    /// APNs took the push for a device.
    case pushAccepted(device: String)
    /// APNs refused the push for a device, or could not be reached.
    case pushFailed(device: String)
    /// A device of the callee calls the caller while this call rings: that call goes on in this one, answered by that
    /// device (races 7, 8).
    case crossed(by: CallID, from: BrokerParty)
    /// The same two devices begin another call (race 9).
    case replaced
    /// The server came back and found this call in its store (race 23).
    case restarted
    /// The deadline has come.
    case tick
}

/// What a device can ask of a call.
public enum BrokerCommand: Hashable, Sendable, Codable {
    /// The phone shows the call.
    case ringing
    /// Claims the call.
    case answer
    /// Refuses the call on all devices.
    case decline
    /// This device is in another call.
    case busy
    /// The caller gives up.
    case cancel
    /// Ends the call.
    case hangup(EndReason)
    /// Passes a media signal.
    case media(MediaSignal)
    /// Media is heard.
    case connected
    /// Passes a change.
    case update(held: Bool?, muted: Bool?, video: Bool?)

    /// What the command means when the call it names goes on in another one, as whose callee the device acts (race 7).
    public var ofJoined: BrokerCommand {
        switch self {
        case .cancel: .hangup(.localHangup)
        case .ringing, .answer, .decline, .busy, .hangup, .media, .connected, .update: self
        }
    }

    /// What kind of command it is, to tell a repeat from another message with the same id.
    var kind: String {
        switch self {
        case .ringing: "ringing"
        case .answer: "answer"
        case .decline: "decline"
        case .busy: "busy"
        case .cancel: "cancel"
        case .hangup: "hangup"
        case .media: "media"
        case .connected: "connected"
        case .update: "update"
        }
    }
}

/// What the server must do for a call.
public enum BrokerEffect: Hashable, Sendable, Codable {
    /// Store the machine before anything after this.
    case persist
    /// Offer the call over the device's connection.
    case offer(device: String)
    /// Wake the device with a VoIP push.
    case push(device: String)
    /// Tell a device something; it waits in the session when there is no connection.
    case tell(BrokerParty, BrokerNotice)
    /// Answer a message.
    case reply(BrokerParty, message: String, BrokerReply)
    /// Note a decision, for the timeline and the counters.
    case decided(BrokerDecision)
    /// The call is over: nothing will come of it but replies to latecomers.
    case finished
}

/// What a device is told about a call.
public enum BrokerNotice: Hashable, Sendable, Codable {
    /// A phone of the callee shows the call.
    case ringing
    /// The call is answered, by the device told or for the caller.
    case answered
    /// The device's own call goes on in this one, which came first (race 7).
    case joined(from: CallID)
    /// The call is over for the device told.
    case ended(EndReason)
    /// A media signal of the other side.
    case media(MediaSignal)
    /// A change of the other side.
    case update(held: Bool?, muted: Bool?, video: Bool?)
}

/// How a message was taken.
public enum BrokerReply: String, Hashable, Sendable, Codable, CaseIterable {
    /// Handled, or handled before; notices say with what result.
    case done
    /// The call is not this user's; looks like a call that does not exist (race 25).
    case unknownCall
    /// The call is not in a state for this, or the device has no such part in it.
    case invalidState
    /// The same message id came with another content.
    case conflict
    /// Too many signals before the answer.
    case limitExceeded
}

/// What a machine decided, for people to read.
public enum BrokerDecision: String, Hashable, Sendable, Codable, CaseIterable {
    /// The call went out.
    case placed
    /// A phone shows it.
    case rang
    /// A device won it.
    case answered
    /// The callee called the caller meanwhile, which answers this call.
    case crossed
    /// An answer came after another device's answer.
    case lostToAnotherDevice
    /// An answer came after the call's end.
    case answeredTooLate
    /// The caller gave up.
    case cancelled
    /// The cancel came after the answer and ends the call as a hang-up.
    case cancelBecameHangup
    /// The callee declined on all devices.
    case declined
    /// One device is busy.
    case deviceBusy
    /// All devices are busy.
    case allBusy
    /// One device cannot be reached.
    case deviceUnreachable
    /// No device can be reached.
    case unreachable
    /// Nobody answered in time.
    case timedOut
    /// A side hung up.
    case hungUp
    /// A side stayed away.
    case lost
    /// Another call of the same two took its place.
    case replaced
    /// Media was heard.
    case connected
    /// A silent connected device is also pushed.
    case pushedBecauseSilent
    /// A message came again.
    case repeated
    /// The call was found in the store.
    case restored

    /// The number of the race in docs/races.md that the decision follows; nil when nothing crossed.
    public var race: Int? {
        switch self {
        case .placed, .rang, .cancelled, .hungUp, .connected, .answered: nil
        case .crossed: 7
        case .lostToAnotherDevice: 2
        case .answeredTooLate, .cancelBecameHangup: 1
        case .declined: 4
        case .deviceBusy, .allBusy: 6
        case .deviceUnreachable, .unreachable: 17
        case .timedOut: 10
        case .lost: 22
        case .replaced: 9
        case .pushedBecauseSilent: 13
        case .repeated: 19
        case .restored: 23
        }
    }
}

/// The last messages a call handled.
struct BrokerMessageWindow: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        var party: BrokerParty
        var message: String
        var kind: String
        var reply: BrokerReply
    }

    private var entries: [Entry] = []
    private var oldest = 0
    private static let limit = 256

    /// What came before under this id: the kind of message, and the reply.
    func earlier(_ message: String, from party: BrokerParty) -> (kind: String, reply: BrokerReply)? {
        for entry in entries where entry.message == message && entry.party == party {
            return (entry.kind, entry.reply)
        }
        return nil
    }

    mutating func remember(_ message: String, from party: BrokerParty, kind: String, reply: BrokerReply) {
        let entry = Entry(party: party, message: message, kind: kind, reply: reply)
        if entries.count < BrokerMessageWindow.limit {
            entries.append(entry)
        } else {
            entries[oldest] = entry
            oldest = (oldest + 1) % BrokerMessageWindow.limit
        }
    }
}
