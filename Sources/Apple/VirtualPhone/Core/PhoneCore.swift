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
    /// The broken rules, oldest first; the first `PhoneSettings.violationsLimit` of them.
    public internal(set) var violations: [Violation] = []
    /// What is likely a mistake and breaks nothing on an iPhone at once; limited as the violations are.
    public internal(set) var warnings: [Violation] = []
    /// The processes that the phone ended, oldest first; the last `PhoneSettings.recordsLimit` of them.
    public internal(set) var deaths: [CauseOfDeath] = []
    /// The calls of the past, newest first.
    public var recents: [RecentCall] { pastCalls.reversed() }

    var now: Date
    var random: SeededGenerator
    /// Names that stay the same however often they are asked for come from here.
    let identitySeed: UInt64
    var isLocked: Bool
    var doNotDisturb = false
    var doNotDisturbExceptions: Set<HandleValue> = []
    var blockList: Set<HandleValue> = []
    var contacts = ContactBook()
    var person = Person()
    var lineSteps: [LineStep] = []
    var lastActivation: UInt64 = 0
    var faults = FaultState()
    var device = DeviceState()
    var notifications: [String: NotificationState] = [:]
    var appLogs: [String: [AppLogEntry]] = [:]
    var donations: [String: [DonationValue]] = [:]
    var openedURLs: [String] = []
    /// Where the apps' folders are; the shell says it, and makes none before an app asks.
    var storageRoot = ""
    var directory = DirectoryState()
    var apps: [String: AppRecord] = [:]
    var processes: [UUID: ProcessRecord] = [:]
    var calls: [CallRecord] = []
    var transactions: [TransactionRecord] = []
    /// The calls of the past, oldest first.
    var pastCalls: [RecentCall] = []
    var closingCalls: [ClosingCall] = []
    var closedActions = ClosedActions()
    /// What was warned of once for each provider or process.
    var givenWarnings: Set<GivenWarning> = []
    var pushes: [PushRecord] = []
    var audio = CallAudio()
    var sound = SoundState()
    var outcome = PhoneOutcome()
    /// What woken processes had asked while they were suspended.
    var thawed: [FrozenRequest] = []
    var lastDelivery: UInt64 = 0
    var followUps: [UInt64: FollowUp] = [:]
    var conversations = ConversationNews()
    var readRecents: Set<UUID> = []

    /// What the return of a delivery leads to.
    enum FollowUp: Hashable, Sendable {
        /// The request's completion returned: its transaction may start (O1).
        case startTransaction(UUID)
        /// The action was performed before its request's completion: the completion comes now (O1, reordered).
        case answerRequest(request: UUID, process: UUID)
        /// The push reached nobody: it waits for a registry.
        case push(UUID)
        /// The app was handed what the user wants to continue (R123).
        case activity(String)
        /// The extension heard the end of its load: its process ends (D11).
        case endDirectory(UUID)
        /// The app heard that it is about to end.
        case closeApp(UUID)
    }

    /// A request of a process that was suspended.
    struct FrozenRequest: Hashable, Sendable {
        var process: UUID
        var request: AppRequest
    }

    /// Makes a phone without apps.
    public init(system: SystemVersion, settings: PhoneSettings, locked: Bool, seed: UInt64, now: Date) {
        self.system = system
        self.settings = settings
        isLocked = locked
        random = SeededGenerator(seed: seed)
        identitySeed = seed
        self.now = now
    }

    /// Handles one input.
    ///
    /// - Parameters:
    ///   - input: What happened.
    ///   - date: When; a date before the last one counts as the last one.
    /// - Returns: What to do, and the answer to what was asked.
    public mutating func handle(_ input: PhoneInput, at date: Date) -> PhoneOutcome {
        // Most deliveries lead to nothing, and nothing else can be due that was not before.
        if case .deliveryFinished(let delivery, _) = input, date <= now, followUps[delivery] == nil {
            return PhoneOutcome()
        }
        now = max(now, date)
        outcome = PhoneOutcome()
        switch input {
        case .installed(let app): install(app)
        case .uninstalled(let bundle): uninstall(bundle)
        case .opened(let bundle): open(bundle)
        case .wentHome: goHome()
        case .closed(let bundle): close(bundle)
        case .launchFinished(let process): launchFinished(process)
        case .deliveryFinished(let delivery, let handled): deliveryFinished(delivery, handled: handled)
        case .request(let request, let process): outcome.reply = answer(request, from: process)
        case .pushArrived(let token, let payload, let sentAt, let expiration):
            outcome.receipt = pushArrived(token: token, payload: payload, sentAt: sentAt, expiration: expiration)
        case .notificationArrived(let bundle, let payload):
            outcome.notification = notificationArrived(bundle, payload: payload)
        case .tokenInvalidated(let bundle): invalidateToken(of: bundle)
        case .user(let action):
            do throws(PhoneUserError) { try perform(action) } catch { outcome.userError = error }
        case .locked: lock()
        case .unlocked:
            unlock()
            showVideoCall()
        case .doNotDisturb(let isOn, let exceptions): setDoNotDisturb(isOn, exceptions: exceptions)
        case .blocked(let handles): blockList = handles
        case .contacts(let names): contacts = ContactBook(names: names)
        case .contactBook(let people): contacts = ContactBook(people: people)
        case .fault(let fault): apply(fault)
        case .device(let input): handle(input)
        case .audio(let input): handle(input)
        case .otherCall(let input): handle(input)
        case .directory(let input): handle(input)
        case .notification(let input): handle(input)
        case .recorded(let entry): append(entry)
        case .tick: break
        }
        repeat {
            runThawed()
            advanceLine()
            runDue()
            reconcileSound()
            tellConversations()
            updateLives()
        } while !thawed.isEmpty
        updateProtection()
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
        append(Timeline.Entry(time: now, actor: actor, rule: rule, text: spoken(text, to: app), call: call, app: app))
    }

    mutating func append(_ entry: Timeline.Entry) {
        timeline.entries.append(entry)
        timeline.dropped += timeline.entries.keepLast(settings.timelineLimit)
        outcome.effects.append(.record(entry))
    }

    /// Records a broken rule.
    mutating func violate(_ rule: String, _ what: String, advice: String, app: String, call: UUID? = nil) {
        let violation = Violation(
            rule: rule, what: spoken(what, to: app), advice: spoken(advice, to: app), time: now, app: app, call: call)
        // The first mistakes explain the later ones.
        if violations.count < settings.violationsLimit { violations.append(violation) }
        log(.phone, violation.line, rule: rule, call: call, app: app)
    }

    /// Records what is likely a mistake.
    mutating func warn(_ rule: String, _ what: String, advice: String, app: String, call: UUID? = nil) {
        let warning = Violation(
            rule: rule, what: spoken(what, to: app), advice: spoken(advice, to: app), time: now, app: app, call: call,
            severity: .warning)
        if warnings.count < settings.violationsLimit { warnings.append(warning) }
        log(.phone, warning.line, rule: rule, call: call, app: app)
    }

    /// Delivers an event, to a process that is being launched afterwards; the returned number names the delivery.
    @discardableResult
    mutating func deliver(_ event: PhoneEvent, to process: UUID) -> UInt64 {
        tellConversations()
        lastDelivery += 1
        let event = event.shifted(by: faults.clockJump)
        if processes[process]?.isSuspended == true {
            guard event.wakes else {
                processes[process]?.held.append(ProcessRecord.HeldDelivery(number: lastDelivery, event: event))
                return lastDelivery
            }
            wake(process)
        }
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
        case .answerRequest(let request, let process):
            if processes[process] != nil { deliver(.requestCompleted(request: request, error: nil), to: process) }
        case .push(let push):
            if !handled { pushUndelivered(push) }
        case .activity(let bundle):
            if !handled { activityUndelivered(bundle) }
        case .endDirectory(let process):
            endDirectory(process)
        case .closeApp(let process):
            endClosing(process)
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
        return (own ?? newestProvider(of: process)).map { (process.id, $0) }
    }

    func date(after duration: Duration) -> Date {
        now.addingTimeInterval(duration / .seconds(1))
    }
}
