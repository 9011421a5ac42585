// SPDX-License-Identifier: MIT

public import OffhookCore

/// One phone of a ``CallWorld``: the call rules in a process that can die, and the CallKit, disk and connection around it.
public struct WorldPhone: Sendable {
    /// Whose it is.
    public let user: Int
    /// Who it is to the server.
    public let party: BrokerParty
    /// The call rules of the process that lives, or lived last.
    public internal(set) var machine: PhoneMachine
    /// Whether the process lives.
    public internal(set) var isAlive = true
    /// The calls that CallKit has, oldest first.
    public internal(set) var kit: [KitCall] = []
    /// What the app was told of each call, in the order of the calls' numbers.
    public internal(set) var records: [CallRecord] = []
    /// The app's operations.
    public internal(set) var operations: [OperationRecord] = []

    // The process
    /// Counts processes: what was meant for an earlier one comes to nothing.
    var life = 0
    var inbox: [PhoneMachine.Event] = []
    var inboxHead = 0
    var isInCallback = false
    /// How many effects are left to carry out before it dies; nil: it lives.
    var effectsLeft: Int?
    /// How many effects were carried out in all, by all its processes.
    var effectCount = 0
    /// The number of effects after which it dies, counted the same way; nil: it lives.
    var diesAt: Int?
    var nextTick: Int?
    var openPushes: [PushID] = []
    var reportsInCallback = 0
    /// Whether the process is putting in order what an earlier one left.
    var isRecovering = false
    var hasConfiguredAudio = false
    var isWindowOpen = false
    var sessions: [MediaRecord] = []

    // The disk
    var disk: SavedState?
    /// Whether the disk refused the last write.
    var isDiskStale = false
    var faults = FaultCountdown()

    // CallKit
    /// Calls whose end action was fulfilled and whose end the app is about to hear of.
    var declines: [CallID] = []
    var actions: [KitAction] = []
    var kitDelay = 4
    var isAudioActive = false
    var losesActivation = false
    var isAudioStepDue = false
    /// Every id that CallKit ever had.
    var everReported: Set<CallID> = []

    // The connection
    /// Whether the server has a connection of the phone.
    var isOnline = true
    /// Whether the phone was welcomed on it.
    var isReady = true
    var isSignedOut = false
    var epoch = 0
    var delay = 20
    var outbox: [UpMessage] = []
    /// What the server keeps for the phone.
    var kept: [DownMessage] = []
    var hasSession = true
    var sent = 0
    /// The number of the last message taken.
    var taken = 0
    /// Messages that overtook others.
    var early: [DownMessage] = []
    var lastUp = 0
    var lastDown = 0
    var onlineSince = 0
    var repeatsNextUp: Int?
    var delaysNextDown: Int?
    var repeatsNextDown = false
    var fate: PushFate?

    init(user: Int, device: String, policy: CallPolicy) {
        self.user = user
        party = BrokerParty(user: "u\(user)", device: device)
        machine = PhoneMachine(policy: policy)
    }

    /// Whether CallKit has the call.
    func kitIndex(_ call: CallID) -> Int? {
        kit.firstIndex { $0.id == call }
    }
}

/// A call as CallKit has it.
public struct KitCall: Hashable, Sendable {
    /// Which call.
    public let id: CallID
    /// Whether the app made it.
    public let isOutgoing: Bool
    /// Whether it is answered, or its start fulfilled.
    public internal(set) var isAnswered = false
    /// Whether it is held.
    public internal(set) var isHeld = false
    /// Whether it is muted.
    public internal(set) var isMuted = false
    /// Its group.
    public internal(set) var group: Int
    /// The life of the process that made it.
    let life: Int
    var hasStartedConnecting = false
    var hasConnected = false
}

/// An action that CallKit waits for, or is going to perform.
struct KitAction: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case start, answer, end
        case hold(Bool)
        case mute(Bool)
        case group(CallID?)
        case tones(String)
        case translate(Translation?)
    }
    var id: ActionID
    var transaction: Int
    var kind: Kind
    var call: CallID
    var isPerforming = false
}

/// What a world knows of a call on a phone.
public struct CallRecord: Hashable, Sendable {
    /// The states the app was told of, without repeats, since the process began.
    public internal(set) var states: [Call.State] = []
    /// The last word on the call.
    public internal(set) var last: Call?
    /// When the last state began.
    var since = 0
    /// Whether it was reported to CallKit.
    var wasReported = false
    /// Whether its end was told since the process began.
    var endTold = false
    /// When it was over for this phone, by any life of its process; nil before.
    var overAt: Int?
    /// In which life of the process that was.
    var overInLife = 0
    /// Whether the disk missed that.
    var isOverUnsaved = false
    /// Whether the server ended it well after that, with the phone on the line.
    var serverHeard = false
    /// When the user declined it; nil: not.
    var declinedAt: Int?
    /// Whether an answer of it was fulfilled.
    var isAnswerFulfilled = false
    /// Whether the process died while it lived.
    var wasCutOff = false
}

/// What a world knows of an operation.
public struct OperationRecord: Hashable, Sendable {
    /// Its id.
    public let id: OperationID
    /// What was wanted.
    public let command: PhoneMachine.Command
    /// When, in milliseconds from the world's beginning.
    public internal(set) var at: Int
    /// What became of it; nil while that is open, or when its process died first.
    public internal(set) var result: OperationResult?
    /// How many results are owed.
    var owed = 1
    /// How often its id was used for another command; each time is refused at once (R82).
    var conflicts = 0
    var life: Int
}

/// A media session.
struct MediaRecord: Hashable, Sendable {
    var call: CallID
    var offers: Bool
    var isOpen = false
    var hasRemote = false
    var hasArrived = false
}

/// The number of things of a kind until one fails; 0: none fails.
struct FaultCountdown: Hashable, Sendable {
    var save = 0
    var send = 0
    var report = 0
    var request = 0
    var mediaStart = 0

    subscript(fault: Fault) -> Int {
        get {
            switch fault {
            case .save: save
            case .send: send
            case .report: report
            case .request: request
            case .mediaStart: mediaStart
            }
        }
        set {
            switch fault {
            case .save: save = newValue
            case .send: send = newValue
            case .report: report = newValue
            case .request: request = newValue
            case .mediaStart: mediaStart = newValue
            }
        }
    }
}

/// What a process left on the disk.
struct SavedState: Sendable {
    var machine: PhoneMachine
    var at: Instant
}
