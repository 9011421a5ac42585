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
/// One call lives at a time; a second invitation is busy (R43, C9).
///
/// Invariants: a push that must be reported is reported by the effects of its own event, so inside the callback (K3);
/// every push is completed once; every action is completed once; a session's audio switch is open only inside the window;
/// a call has at most one end report; every command is finished once.
public struct PhoneMachine: Hashable, Sendable, Codable {
    /// What the machine orders.
    public typealias Effect = PhoneEffect

    /// The calls that live, and those that ended while CallKit still has to hear of it.
    public internal(set) var calls: [CallMachine] = []
    /// The invitations decided and the calls that are over.
    public internal(set) var ledger = PushLedger()
    /// The audio window.
    public internal(set) var window = AudioWindow()
    var commands: [PendingCommand] = []
    let policy: CallPolicy

    /// Makes the machine of a device without calls.
    public init(policy: CallPolicy = CallPolicy()) {
        self.policy = policy
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
        (calls.compactMap(\.deadline) + commands.map(\.deadline)).min()
    }

    /// Takes one event.
    public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        let before = snapshots
        var effects = dispatch(event, at: now)
        for call in calls {
            guard case .ended(let end) = call.state else { continue }
            _ = ledger.handle(.callEnded(call.id, end.reason), at: now)
        }
        for call in snapshots where !before.contains(call) { effects.append(.publish(call)) }
        effects += finishCommands(at: now)
        calls.removeAll(where: \.isSettled)
        return effects
    }

    private mutating func dispatch(_ event: Event, at now: Instant) -> [Effect] {
        switch event {
        case .pushArrived(let push, let content, let mustReport, let spare):
            take(.pushArrived(push, content, mustReport: mustReport, spare: spare), at: now) + [.connectSignaling]
        case .reportCompleted(let call, let failure):
            tell(call, .reported(failure), at: now) + take(.reportCompleted(call), at: now)
        case .startPerformed(let action, let call):
            tell(call, .startPerformed(action), else: [.fail(action)], at: now)
        case .answerPerformed(let action, let call):
            tell(call, .answerPerformed(action), else: [.fail(action)], at: now)
        case .endPerformed(let action, let call):
            tell(call, .endPerformed(action), else: [.fulfil(action)], at: now)
        case .holdPerformed(let action, let call, let held):
            perform(action, .setHeld(call, held), .holdPerformed(action, held), at: now)
        case .mutePerformed(let action, let call, let muted):
            perform(action, .setMuted(call, muted), .mutePerformed(action, muted), at: now)
        case .otherPerformed(let action):
            [.fail(action)]  // T11
        case .actionTimedOut(let action):
            tellAll(.actionTimedOut(action), at: now)
        case .requestCompleted(let request, let failure):
            requestCompleted(request, failure, at: now)
        case .audioActivated:
            turn(.activated)
        case .audioDeactivated:
            turn(.deactivated)
        case .providerReset:
            turn(.reset) + tellAll(.reset, at: now) + take(.reset, at: now)
        case .invited(let invitation):
            take(.invited(invitation), at: now)
        case .server(let call, let news):
            hear(call, news, at: now)
        case .media(let call, let news):
            tell(call, news.event, at: now)
        case .command(let id, let command):
            run(id, command, at: now)
        case .tick:
            tellAll(.tick, at: now)
        }
    }
}
