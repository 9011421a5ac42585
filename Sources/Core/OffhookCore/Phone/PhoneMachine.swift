// SPDX-License-Identifier: MIT

/// The rules of one device: its calls, its pushes, its audio window and the app's commands.
///
/// ```
///   PushKit ───┐                      ┌──► CallKit reports, actions, transactions
///   CallKit ───┤   ┌──────────────┐   ├──► push completions
///   signaling ─┼──►│ PhoneMachine │───┼──► signals to the server
///   media ─────┤   │ PushLedger   │   ├──► media sessions, audio switches
///   the app ───┤   │ CallMachine… │   └──► the app: calls, outcomes, command results
///   time ──────┘   │ AudioWindow  │
///                  └──────────────┘
/// ```
///
/// With one call group, which is the default, one call lives at a time and a second invitation is busy (R43, C9). With
/// more, a second call waits: the system asks the user, and holds or ends the first one (R19, R39).
///
/// Invariants: a push that must be reported is reported by the effects of its own event, so inside the callback (K3);
/// every push is completed once; every action is completed once; a session's audio switch is open only inside the window;
/// of the sessions whose hold gate is open, all belong to one call or to one group; a call has at most one end report; every command is finished once.
public struct PhoneMachine: Hashable, Sendable, Codable {
    /// What the machine orders.
    public typealias Effect = PhoneEffect

    /// The calls that live, and those that ended while CallKit still has to hear of it.
    public internal(set) var calls: [CallMachine] = []
    /// The invitations decided and the calls that are over.
    public internal(set) var ledger: PushLedger
    /// The audio window.
    public internal(set) var window = AudioWindow()
    /// Whose calls they are (R90).
    public internal(set) var generation = AccountGeneration(account: "", number: 0)
    /// How far the server's clock is ahead of this device's, as the shell learnt it last; kept in the checkpoint.
    public var serverAhead: TimeSpan = .zero
    /// The app's operations and their results.
    public internal(set) var operations = OperationLog()
    /// What the server has to hear.
    var outbox = Outbox()
    /// Pushes whose save is awaited, and whether all else is done for them (C8).
    var savingPushes: [PushID: Bool] = [:]
    /// The live calls as the last save has them.
    var savedCalls: [Checkpoint.LiveCall] = []
    /// The calls of an earlier process, until they are ended (R88).
    var unrecovered: [Checkpoint.LiveCall] = []
    /// The operations that an earlier process had on their way, until they have a result.
    var orphans: [OperationID] = []
    /// Whether an earlier process left something to put in order.
    var needsRecovery = false
    /// The save that the event under way needs; nil between events.
    var due: SavePoint?
    /// The ways for the sound, as the phone said last.
    public internal(set) var routes = AudioRoutes()
    /// What the phone is like around the app, as it said last.
    public internal(set) var surroundings = Surroundings()
    /// The call that speaks, alone or with its group.
    var floor: CallID?
    /// The calls that changed by the event that is handled.
    var changed: [CallID] = []
    let policy: CallPolicy

    /// Makes the machine of a device without calls.
    public init(policy: CallPolicy = CallPolicy()) {
        self.policy = policy
        ledger = PushLedger(limit: policy.maximumCallGroups)
    }

    /// Makes the machine of a device from what an earlier process saved; `launched` puts it in order.
    public init(policy: CallPolicy = CallPolicy(), checkpoint: Checkpoint) {
        self.init(policy: policy)
        adopt(checkpoint)
    }

    /// The calls as the app sees them.
    public var snapshots: [Call] {
        calls.map(\.snapshot)
    }

    /// The live calls whose state the server can tell; for the first message of a connection.
    public var callsKnownToServer: [CallID] {
        calls.filter(\.isKnownToServer).map(\.id)
    }

    /// When to send `tick`; nil when nothing is due.
    public var deadline: Instant? {
        var first: Instant?
        for call in calls { if let next = call.deadline { first = min(first ?? next, next) } }
        for pending in commands { first = min(first ?? pending.deadline, pending.deadline) }
        return first
    }

    /// Takes one event.
    public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        let speakers = calls.count > 1 ? calls.filter(\.wantsFloor).map(\.id) : []
        let newestEnd = ledger.endedCalls.last
        var effects = recover(at: now)
        effects += dispatch(event, at: now)
        if calls.count > 1 { passFloor(from: speakers, &effects) }
        buryEnded(at: now)
        if !changed.isEmpty { publishChanged(&effects) }
        effects += finishCommands(at: now)
        calls.removeAll(where: \.isSettled)
        if ledger.endedCalls.last != newestEnd { touch() }
        return saved(effects, event, at: now)
    }

    private mutating func dispatch(_ event: Event, at now: Instant) -> [Effect] {
        switch event {
        case .pushArrived(let push, let content, let mustReport, let spare):
            judge(.pushArrived(push, content, mustReport: mustReport, spare: spare), content.invitation, at: now)
                + [.connectSignaling]
        case .reportCompleted(let call, let failure):
            tell(call, .reported(failure), at: now) + take(.reportCompleted(call), at: now)
        case .startPerformed(let action, let call):
            tell(call, .startPerformed(action), else: [.fail(action)], at: now)
        case .answerPerformed(let action, let call):
            tell(call, .answerPerformed(action), else: [.fail(action)], at: now)
        case .endPerformed(let action, let call):
            isStranger(call)
                ? endStranger(call, action, at: now)
                : tell(call, .endPerformed(action), else: [.fulfil(action)], at: now)
        case .holdPerformed(let action, let call, let held):
            perform(
                action, .setHeld(call, held),
                held || window.isOpen ? .holdPerformed(action, held) : .resumePerformed(action), at: now)
        case .mutePerformed(let action, let call, let muted):
            perform(action, .setMuted(call, muted), .mutePerformed(action, muted), at: now)
        case .groupPerformed(let action, let call, let other):
            performGroup(action, call, with: other, at: now)
        case .tonesPerformed(let action, let call, let tones):
            performTones(action, call, tones, at: now)
        case .translationPerformed(let action, let call, let translation):
            perform(
                action, .setTranslation(call, translation), .translationPerformed(action, translation), at: now)
        case .otherPerformed(let action):
            [.fail(action)]  // T11
        case .otherCalls(let count):
            countOthers(count)
        case .routesChanged(let routes):
            take(routes)
        case .audioInterrupted(let interrupted):
            turn(interrupted ? .interrupted : .interruptionEnded)
        case .mediaServicesReset:
            restartAudio()
        case .surroundingsChanged(let surroundings):
            settle(in: surroundings, at: now)
        case .launched:
            []
        case .saved(let point, let failure):
            takeSaved(point, failure, at: now)
        case .delivered(let call, let signal):
            takeDelivered(call, signal)
        case .actionTimedOut(let action):
            tellAll(.actionTimedOut(action), at: now)
        case .requestCompleted(let request, let failure):
            requestCompleted(request, failure, at: now)
        case .audioActivated:
            turn(.activated) + tellAll(.audioReturned, at: now)
        case .audioDeactivated:
            turn(.deactivated) + tellAll(.audioLost, at: now)
        case .providerReset:
            turn(.reset) + tellAll(.reset, at: now) + take(.reset, at: now)
        case .invited(let invitation):
            judge(.invited(invitation), invitation, at: now)
        case .server(let call, let news):
            hear(call, news, at: now)
        case .media(let call, let news):
            tell(call, news.event, at: now)
        case .command(let id, let command, let limit):
            take(id, command, within: limit, at: now)
        case .tick:
            tellAll(.tick, at: now)
        }
    }
}
