// SPDX-License-Identifier: MIT

import Foundation

/// A transaction that is not complete yet.
///
/// It may have thousands of actions, so what is asked of it at every step is kept, not searched for.
struct TransactionRecord: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
        /// Not yet offered: the request's completion has not returned, or no provider with a delegate is there.
        case waiting
        /// Offered to provider(_:execute:) (T9).
        case offered
        /// The delegate completes every action itself (T9).
        case handledByDelegate
        /// The perform methods are called one after the other (T9).
        case performing
    }
    struct Action: Hashable, Sendable {
        enum State: Hashable, Sendable {
            case waiting, performing, complete
        }
        var value: ActionValue
        var state: State = .waiting
    }

    let uuid: UUID
    let bundle: String
    let origin: Timeline.Actor
    private(set) var actions: [Action]
    var stage: Stage = .waiting
    /// The request's completion is being delivered: nothing is performed before it has returned (O1).
    var awaitsCompletion = false
    /// The request whose completion comes after the first action was performed (`reordered-actions`, O1).
    var lateAnswer: UUID?
    /// It waits until this one is over: the line is not free yet (G2).
    var after: UUID?
    /// Who performs it, once offered.
    var provider: UUID?

    /// How many actions are not complete.
    private(set) var openCount: Int
    /// How many actions are being performed.
    private(set) var performingCount = 0
    private let positions: [UUID: Int]
    /// Positions by deadline of what was open when they were sorted; those before the cursor are complete.
    private var byDeadline: [Int]
    private var deadlineCursor = 0
    /// No action before it waits.
    private var waitingCursor = 0

    /// - Precondition: No two actions have the same UUID.
    init(uuid: UUID, bundle: String, origin: Timeline.Actor, actions: [ActionValue]) {
        self.uuid = uuid
        self.bundle = bundle
        self.origin = origin
        self.actions = actions.map { Action(value: $0) }
        openCount = actions.count
        var positions: [UUID: Int] = [:]
        for (position, action) in actions.enumerated() { positions[action.uuid] = position }
        self.positions = positions
        byDeadline = []
        sortDeadlines()
    }

    var isComplete: Bool { openCount == 0 }

    /// The incomplete action that times out first.
    var nextTimeout: ActionValue? {
        deadlineCursor < byDeadline.count ? actions[byDeadline[deadlineCursor]].value : nil
    }

    /// The first action that waits.
    var nextWaiting: Int? {
        waitingCursor < actions.count ? waitingCursor : nil
    }

    /// The position of an action that is not complete.
    func position(of action: UUID) -> Int? {
        positions[action].flatMap { actions[$0].state == .complete ? nil : $0 }
    }

    mutating func set(_ state: Action.State, at position: Int) {
        let old = actions[position].state
        guard old != state else { return }
        if old == .performing { performingCount -= 1 }
        if state == .performing { performingCount += 1 }
        if state == .complete { openCount -= 1 }
        if old == .complete { openCount += 1 }
        actions[position].state = state
        if state == .waiting { waitingCursor = min(waitingCursor, position) }
        while waitingCursor < actions.count, actions[waitingCursor].state != .waiting { waitingCursor += 1 }
        while deadlineCursor < byDeadline.count, actions[byDeadline[deadlineCursor]].state == .complete {
            deadlineCursor += 1
        }
    }

    /// Gives the actions that wait new deadlines, one for each action of the transaction (T6).
    mutating func setDeadlines(ofWaiting dates: [Date]) {
        for position in actions.indices where actions[position].state == .waiting {
            actions[position].value.timeoutDate = dates[position]
        }
        sortDeadlines()
    }

    private mutating func sortDeadlines() {
        let open = actions.indices.filter { actions[$0].state != .complete }
        byDeadline = open.sorted {
            (actions[$0].value.timeoutDate, $0) < (actions[$1].value.timeoutDate, $1)
        }
        deadlineCursor = 0
    }

    /// Every action that waits is the delegate's now (T9).
    mutating func performAll() {
        for position in actions.indices where actions[position].state == .waiting { set(.performing, at: position) }
    }

    /// Nobody performs it: what was begun waits again, for a new process (E4).
    mutating func beginAgain() {
        stage = .waiting
        provider = nil
        awaitsCompletion = false
        for position in actions.indices where actions[position].state == .performing { set(.waiting, at: position) }
    }
}
