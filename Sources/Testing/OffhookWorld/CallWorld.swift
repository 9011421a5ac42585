// SPDX-License-Identifier: MIT

public import OffhookCore

/// Phones, a server and a network in virtual time: the call rules of both sides against each other.
///
/// ```
///   WorldPlan ──► moves ─────────────┐
///                                    ▼
///   phone: PhoneMachine ◄──► CallKit, disk, media       one queue of steps, earliest first
///          ▲                                            nothing sleeps, nothing is parallel
///          ▼ session: numbered, repeated, resumed
///   network ◄──► server: a BrokerMachine for each call, a store that survives it
/// ```
///
/// Nothing in it is random: the same ``WorldPlan`` gives the same world. After the last move everything is healed, the
/// people hang up, and the world runs on until nothing is left to happen. What broke an ``Invariant`` is in ``breaches``.
public struct CallWorld: Sendable {
    /// What the world depends on.
    public let plan: WorldPlan
    /// The time, in milliseconds from the world's beginning.
    public private(set) var time = 0
    /// The phones, as the plan names them.
    public internal(set) var phones: [WorldPhone] = []
    /// The calls of the server, in the order of their numbers; a call that never reached it has no machine.
    public internal(set) var calls: [ServerCall] = []
    /// What was broken, at most ``breachLimit``.
    public internal(set) var breaches: [Breach] = []
    /// What happened, in numbers.
    public internal(set) var tally = WorldTally()
    /// How the effects are broken, to see that it is found out; nil in an honest world.
    public let sabotage: Sabotage?

    let policy: CallPolicy
    let settings = BrokerSettings()
    var queue = WorldQueue()
    var live: [Int] = []
    var isServerUp = true
    /// How many effects are left to carry out before the server dies; nil: it lives.
    var serverEffectsLeft: Int?
    var ids: UInt64 = 0
    private var nextMove = 0
    private var steps = 0
    private var finale = 0

    /// How many breaches are kept.
    public static let breachLimit = 20
    /// The time of day at which a world begins.
    public static let start = Instant(milliseconds: 1_000_000_000)
    /// How long a phone lets a call ring (I6).
    static let phoneRing = 60_000

    /// Makes a world in which nothing has happened.
    ///
    /// - Parameters:
    ///   - plan: All that the world depends on.
    ///   - sabotage: How the rules' effects are broken; nil in an honest world.
    public init(_ plan: WorldPlan, sabotage: Sabotage? = nil) {
        self.plan = plan
        self.sabotage = sabotage
        policy = plan.policy
        let obeyed = sabotage?.broken(policy) ?? policy
        for (index, user) in plan.users.enumerated() {
            phones.append(WorldPhone(user: user, device: "d\(index)", policy: obeyed))
        }
    }

    /// The time of day.
    var now: Instant { Instant(milliseconds: CallWorld.start.milliseconds + Int64(time)) }

    /// Runs to the end; gives what was broken.
    @discardableResult
    public mutating func run() -> [Breach] {
        while step() {}
        judgeEnd()
        return breaches
    }

    /// Runs until a time, in milliseconds from the beginning, or to the end.
    public mutating func run(until end: Int) {
        while let next = nextTime, next <= end { guard step() else { return } }
        time = max(time, end)
    }

    /// Does what is due next; gives whether something is left.
    mutating func step() -> Bool {
        guard let next = nextTime else { return false }
        time = max(time, next)
        steps += 1
        while nextMove < plan.moves.count, plan.moves[nextMove].at <= time {
            nextMove += 1
            tally.acts += 1
            perform(plan.moves[nextMove - 1].act)
        }
        while let step = queue.pop(by: time) {
            steps += 1
            guard steps < CallWorld.stepLimit else {
                breach(.noCallPastDeadline, nil, "the world does not come to rest: \(step)")
                return false
            }
            take(step)
        }
        if steps > CallWorld.stepLimit {
            breach(.noCallPastDeadline, nil, "the world does not come to rest")
            return false
        }
        tick()
        if nextMove == plan.moves.count, finale < CallWorld.finales, time >= finaleTime { endAll() }
        if time > (plan.moves.last?.at ?? 0) + CallWorld.patience {
            breach(.noCallPastDeadline, nil, "the world does not come to rest")
            return false
        }
        return breaches.count < CallWorld.breachLimit
    }

    private var nextTime: Int? {
        var next = queue.next
        func offer(_ time: Int?) {
            guard let time else { return }
            next = next.map { min($0, time) } ?? time
        }
        if nextMove < plan.moves.count { offer(plan.moves[nextMove].at) }
        for phone in phones where phone.isAlive { offer(phone.nextTick) }
        if isServerUp { for index in live { offer(calls[index].nextTick) } }
        if nextMove == plan.moves.count, finale < CallWorld.finales { offer(finaleTime) }
        return next
    }

    private mutating func tick() {
        for index in phones.indices where phones[index].isAlive {
            guard let due = phones[index].nextTick, due <= time else { continue }
            deliver(index, .tick)
            if phones[index].isAlive, let next = phones[index].nextTick, next <= time {
                breach(.deadlineMoves, index, "the deadline \(next) has come and stays")
                phones[index].nextTick = nil
            }
        }
        guard isServerUp else { return }
        for index in live {
            guard let due = calls[index].nextTick, due <= time else { continue }
            deliver(toCall: index, .tick)
            if isServerUp, let next = calls[index].nextTick, next <= time {
                breach(.deadlineMoves, nil, "the deadline \(next) of call \(index) has come and stays")
                calls[index].nextTick = nil
            }
        }
    }

    private mutating func take(_ step: WorldStep) {
        switch step {
        case .phone(let index, let life, let event):
            guard phones[index].life == life, phones[index].isAlive else { return }
            deliver(index, event)
        case .perform(let index, let transaction): performNext(of: transaction, on: index)
        case .actionTimeout(let index, let action): timeOut(action, on: index)
        case .ringTimeout(let index, let call): ringTimeout(call, on: index)
        case .audio(let index): followAudio(on: index)
        case .up(let index, let epoch, let message): arrive(message, from: index, epoch: epoch)
        case .down(let index, let epoch, let message): arrive(message, at: index, epoch: epoch)
        case .broker(let index, let event):
            if isServerUp { deliver(toCall: index, event) }
        case .push(let index, let invitation): pushArrived(invitation, on: index)
        case .reconnect(let index, let epoch): reconnect(index, epoch: epoch)
        case .launch(let index): launch(index)
        case .serverUp: serverUp()
        }
    }

    // MARK: - The end

    /// How many steps a world may take.
    static let stepLimit = 50_000
    /// How long a world may take to come to rest after the last move: a start action lives for ten minutes.
    static let patience = 3_600_000
    /// How often the people try to end everything.
    static let finales = 8

    /// First everything is healed, then everybody hangs up, again and again.
    private var finaleTime: Int {
        (plan.moves.last?.at ?? 0) + 2000 + finale * 25_000
    }

    private mutating func endAll() {
        finale += 1
        if finale == 1 { heal() }
        if finale == 2 { judgeScreens() }
        for index in phones.indices where finale > 1 {
            for call in phones[index].kit.map(\.id) { tap(index, [(call, .end)]) }
        }
    }

    private mutating func heal() {
        for index in phones.indices {
            phones[index].faults = FaultCountdown()
            phones[index].effectsLeft = nil
            phones[index].losesActivation = false
            phones[index].fate = nil
            phones[index].isSignedOut = false
            phones[index].delay = 20
            phones[index].kitDelay = 4
            if !phones[index].isAlive { launch(index) }
        }
        serverEffectsLeft = nil
    }

    // MARK: - For the parts of the world

    mutating func fresh() -> UInt64 {
        ids += 1
        return ids
    }

    mutating func schedule(_ delay: Int, _ step: WorldStep) {
        queue.add(step, at: time + delay)
    }

    mutating func breach(_ invariant: Invariant, _ phone: Int?, _ note: String) {
        guard breaches.count < CallWorld.breachLimit else { return }
        breaches.append(Breach(invariant: invariant, at: time, phone: phone, note: note))
    }

    /// A call's number in the world; nil for an id that no call has, such as a throwaway one.
    func number(of call: CallID) -> Int? {
        call.high == 1 && call.low >= 1 && call.low <= UInt64(calls.count) ? Int(call.low) - 1 : nil
    }
}

/// A call on the server.
public struct ServerCall: Sendable {
    /// The rules' state; nil before the invitation arrived.
    public internal(set) var machine: BrokerMachine?
    /// The phone that makes it.
    public let caller: Int
    /// The user who is called.
    public let callee: Int
    /// What the store holds.
    var stored: BrokerMachine?
    var nextTick: Int?
    /// When it was over.
    var endedAt: Int?
    /// How often it was decided over.
    var ends = 0
}
