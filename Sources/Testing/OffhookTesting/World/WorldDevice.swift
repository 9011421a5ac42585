// SPDX-License-Identifier: MIT

public import Offhook

/// One phone of a ``CallWorld``: the call rules, and an honest CallKit, user and connection around them.
public struct WorldDevice: Sendable {
    /// Who the device is to the server.
    public let party: BrokerParty
    /// The call rules.
    public internal(set) var phone: PhoneMachine
    /// The calls that CallKit shows.
    public internal(set) var shown: Set<CallID> = []
    /// The states each call went through, in order.
    public internal(set) var states: [CallID: [Call.State]] = [:]
    /// The last word on each call.
    public internal(set) var calls: [CallID: Call] = [:]
    /// What became of the app's commands.
    public internal(set) var results: [OperationID: OperationResult] = [:]
    /// Whether the connection is up.
    public internal(set) var isOnline = true
    /// Whether the audio session is active.
    public internal(set) var isAudioActive = false

    /// The actions that are not completed.
    var actions: [ActionID: WorldAction] = [:]
    /// Media sessions and whether their audio switch is open.
    var media: [CallID: Bool] = [:]
    /// Marks what was sent on the present connection.
    var epoch = 0
    /// What the server has not answered.
    var outbox: [WorldMessage] = []
    /// What the device has not received.
    var inbox: [WorldNews] = []
    /// When the last message on its way arrives, in each direction.
    var lastUp = Instant(milliseconds: 0)
    var lastDown = Instant(milliseconds: 0)
    var count = 0

    /// How many media sessions live.
    public var openSessions: Int { media.count }
    /// How many actions CallKit waits for.
    public var pendingActions: Int { actions.count }

    init(party: BrokerParty, policy: CallPolicy) {
        self.party = party
        phone = PhoneMachine(policy: policy)
    }
}

/// What a person does with a phone.
public enum UserAct: Hashable, Sendable {
    /// Calls a user, under this identity.
    case call(String, as: CallID)
    /// Answers what rings.
    case answer
    /// Declines, cancels or hangs up what is shown.
    case end
    /// Mutes or unmutes.
    case mute(Bool)
    /// Holds or resumes.
    case hold(Bool)
}

/// An action that CallKit waits for.
struct WorldAction: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case start, answer, end, other
    }
    var kind: Kind
    var call: CallID
}

/// A message of a device, kept until it is answered.
struct WorldMessage: Hashable, Sendable {
    var id: String
    var call: CallID
    var signal: CallSignal
}

/// Something for a device, kept until it has arrived.
struct WorldNews: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case event(PhoneMachine.Event)
        case reply(String, BrokerReply)
    }
    var number: Int
    var content: Content
}
