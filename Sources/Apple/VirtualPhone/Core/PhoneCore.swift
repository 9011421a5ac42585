// SPDX-License-Identifier: MIT

public import Foundation

/// The iPhone as a pure state machine: inputs in, effects out, time as a value.
///
/// It judges what apps do by the rules of docs/rules.md and shares no code with those who obey them. It calls nobody,
/// reads no clock, and takes randomness from its seed only.
public struct PhoneCore: Sendable {
    /// The system the phone runs.
    public let system: SystemVersion
    /// The answers to what Apple leaves open.
    public internal(set) var settings: PhoneSettings
    /// What happened.
    public internal(set) var timeline = Timeline()
    /// The broken rules.
    public internal(set) var violations: [Violation] = []
    /// The processes that the phone ended.
    public internal(set) var deaths: [CauseOfDeath] = []
    /// The calls of the past, newest first.
    public internal(set) var recents: [RecentCall] = []

    var now: Date
    var random: SeededGenerator
    var isLocked: Bool
    var doNotDisturb = false
    var doNotDisturbExceptions: Set<HandleValue> = []
    var blockList: Set<HandleValue> = []
    var contacts: [HandleValue: String] = [:]
    var nextReportFailure: Int?
    var apps: [String: AppRecord] = [:]
    var processes: [UUID: ProcessRecord] = [:]
    var calls: [CallRecord] = []
    var transactions: [TransactionRecord] = []
    var closedActions: [UUID: ClosedAction] = [:]
    var pushes: [PushRecord] = []
    var audio = CallAudio()
    var outcome = PhoneOutcome()
    var lastDelivery: UInt64 = 0
    var followUps: [UInt64: FollowUp] = [:]

    /// What the return of a delivery leads to.
    enum FollowUp: Hashable, Sendable {
        /// The request's completion returned: its transaction may start (O1).
        case startTransaction(UUID)
        /// The push reached nobody: it waits for a registry.
        case push(UUID)
    }

    /// How an action that is no longer pending went.
    enum ClosedAction: Hashable, Sendable {
        /// Fulfilled or failed.
        case completed
        /// Its deadline passed (T8).
        case timedOut
        /// Its call or its process ended before.
        case dropped
    }

    /// Makes a phone without apps.
    public init(system: SystemVersion, settings: PhoneSettings, locked: Bool, seed: UInt64, now: Date) {
        self.system = system
        self.settings = settings
        isLocked = locked
        random = SeededGenerator(seed: seed)
        self.now = now
    }

    /// Handles one input.
    ///
    /// - Parameters:
    ///   - input: What happened.
    ///   - date: When; a date before the last one counts as the last one.
    /// - Returns: What to do, and the answer to what was asked.
    public mutating func handle(_ input: PhoneInput, at date: Date) -> PhoneOutcome {
        now = max(now, date)
        outcome = PhoneOutcome()
        switch input {
        case .installed(let app): install(app)
        case .uninstalled(let bundle): uninstall(bundle)
        case .opened(let bundle): open(bundle)
        case .wentHome: goHome()
        case .closed(let bundle): close(bundle)
        case .crashed(let bundle): crash(bundle)
        case .launchFinished(let process): launchFinished(process)
        case .deliveryFinished(let delivery, let handled): deliveryFinished(delivery, handled: handled)
        case .request(let request, let process): outcome.reply = answer(request, from: process)
        case .pushArrived(let token, let payload, let sentAt):
            outcome.receipt = pushArrived(token: token, payload: payload, sentAt: sentAt)
        case .tokenInvalidated(let bundle): invalidateToken(of: bundle)
        case .user(let action):
            do throws(PhoneUserError) { try perform(action) } catch { outcome.userError = error }
        case .locked: lock()
        case .unlocked: unlock()
        case .doNotDisturb(let isOn, let exceptions): setDoNotDisturb(isOn, exceptions: exceptions)
        case .blocked(let handles): blockList = handles
        case .contacts(let names): contacts = names
        case .failNextReport(let code): nextReportFailure = code
        case .daemonRestarted: restartDaemon()
        case .recorded(let entry): append(entry)
        case .tick: break
        }
        runDue()
        defer { outcome = PhoneOutcome() }
        return outcome
    }

    /// When to send the next tick; nil when nothing waits for time.
    public var deadline: Date? {
        nextDue?.date
    }
}

// MARK: - What every rule uses

extension PhoneCore {
    /// Adds a line to the timeline; every line names the rule it follows from.
    mutating func log(
        _ actor: Timeline.Actor, _ text: String, rule: String, call: UUID? = nil, app: String? = nil
    ) {
        append(Timeline.Entry(time: now, actor: actor, rule: rule, text: text, call: call, app: app))
    }

    mutating func append(_ entry: Timeline.Entry) {
        timeline.entries.append(entry)
        outcome.effects.append(.record(entry))
    }

    /// Records a broken rule.
    mutating func violate(_ rule: String, _ what: String, advice: String, app: String, call: UUID? = nil) {
        violations.append(Violation(rule: rule, what: what, advice: advice, time: now, app: app, call: call))
        log(.phone, "violation: \(what)", rule: rule, call: call, app: app)
    }

    /// Delivers an event, to a process that is being launched afterwards; the returned number names the delivery.
    @discardableResult
    mutating func deliver(_ event: PhoneEvent, to process: UUID) -> UInt64 {
        lastDelivery += 1
        if processes[process]?.isLaunching == true {
            processes[process]?.held.append(ProcessRecord.HeldDelivery(number: lastDelivery, event: event))
        } else {
            outcome.effects.append(.deliver(delivery: lastDelivery, process: process, event: event))
        }
        return lastDelivery
    }

    mutating func deliveryFinished(_ delivery: UInt64, handled: Bool) {
        guard let followUp = followUps.removeValue(forKey: delivery) else { return }
        switch followUp {
        case .startTransaction(let transaction):
            requestCompletionReturned(transaction)
        case .push(let push):
            if !handled { pushUndelivered(push) }
        }
    }

    func callIndex(_ uuid: UUID) -> Int? {
        calls.firstIndex { $0.uuid == uuid }
    }

    /// The process of an app, when it runs.
    func process(of bundle: String) -> ProcessRecord? {
        apps[bundle]?.process.flatMap { processes[$0] }
    }

    /// The provider that speaks for a call: its own, else the newest of its app, which took over after a launch (T5).
    func provider(for call: CallRecord) -> (process: UUID, provider: ProcessRecord.Provider)? {
        guard let process = process(of: call.bundle) else { return nil }
        let own = process.providers.first { $0.id == call.provider }
        return (own ?? process.providers.last).map { (process.id, $0) }
    }

    func date(after duration: Duration) -> Date {
        now.addingTimeInterval(duration / .seconds(1))
    }
}
