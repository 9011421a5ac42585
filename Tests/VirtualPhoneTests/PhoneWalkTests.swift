// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// Random walks over the machine: apps, users and time do anything in any order, and what must hold holds.
@Suite(.timeLimit(.minutes(2)))
struct PhoneWalkTests {
    @Test("Whatever apps and users do: no crash, one answer each, audio in pairs, one end a call", arguments: 1...60)
    func walk(_ seed: UInt64) {
        var walk = PhoneWalk(seed: seed)
        for _ in 0..<1500 { walk.step() }
        walk.drainAll()
        #expect(walk.complaints == [], "seed \(seed)")
        #expect(walk.performed > 0)
    }
}

/// One walk: a machine, a crude app for each process, and the bookkeeping of what must hold.
struct PhoneWalk {
    private var random: WalkGenerator
    private var core: PhoneCore
    private var now = Date(timeIntervalSinceReferenceDate: 0)
    private var queue: [PhoneInput] = []
    private var living: [UUID] = []
    private var dead: Set<UUID> = []
    private var providers: [UUID: [UUID]] = [:]
    private var registries: [UUID: UUID] = [:]
    private var actions: [(process: UUID, action: UUID)] = []
    private var pushes: [(process: UUID, push: UUID)] = []
    private var open: Set<UUID> = []
    private var performedActions: Set<UUID> = []
    private var audioOn: Set<UUID> = []
    private var ends = 0
    private(set) var performed = 0
    private(set) var complaints: [String] = []
    private let bundles = ["a", "b"]
    private let calls = [Calls.first, Calls.second, Calls.third]

    init(seed: UInt64) {
        random = WalkGenerator(state: seed)
        var settings = PhoneSettings()
        settings.reportFailureLimit = 1000
        core = PhoneCore(system: SystemVersion(26, 4), settings: settings, locked: true, seed: seed, now: now)
        for bundle in bundles { install(bundle) }
    }

    private mutating func install(_ bundle: String) {
        send(
            .installed(
                InstalledApp(
                    bundleIdentifier: bundle, displayName: bundle, backgroundModes: [.voip],
                    apsEnvironment: .development)))
    }

    mutating func drainAll() {
        while !queue.isEmpty { send(queue.removeFirst()) }
    }

    mutating func step() {
        if !queue.isEmpty, chance(3, of: 4) { return send(queue.removeFirst()) }
        let call = pick(calls)
        switch Int.random(in: 0..<24, using: &random) {
        case 0: send(.opened(pick(bundles)))
        case 1: if chance(1, of: 6) { send(.closed(pick(bundles))) }
        case 2: if chance(1, of: 40) { install(pick(bundles)) }
        case 3: if chance(1, of: 20) { send(.daemonRestarted) }
        case 4, 5: pass(Double.random(in: 0...3, using: &random))
        case 6: if let deadline = core.deadline { pass(max(0, deadline.timeIntervalSince(now))) }
        case 7, 8:
            if let token = core.snapshot.pushTokens.values.first {
                send(.pushArrived(token: token, payload: Data(), sentAt: nil))
            }
        case 9, 10: send(.user(.choose(pick([.answer, .decline, .holdAndAccept, .endAndAccept]), call: nil)))
        case 11: send(.user(.hangUp(call: chance(1, of: 2) ? call : nil)))
        case 12: send(.user(.setHeld(chance(1, of: 2), call: nil)))
        case 13: send(.user(.setMuted(chance(1, of: 2), call: nil)))
        case 14: send(.user(.playTone("12", call: nil)))
        case 15 where chance(1, of: 8): send(.crashed(pick(bundles)))
        case 15: send(chance(1, of: 2) ? .locked : .unlocked)
        default: appStep(call)
        }
    }

    private mutating func appStep(_ call: UUID) {
        guard let process = living.randomElement(using: &random) else { return }
        let provider = providers[process]?.randomElement(using: &random) ?? UUID()
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1, 2: report(call, provider: provider, process: process)
        case 3: ask(.reportCallEnded(provider: provider, call: call, date: nil, reason: 2), process)
        case 4: ask(.reportOutgoingCallConnected(provider: provider, call: call, date: nil), process)
        case 5: request(.start(handle: Calls.alice, contactIdentifier: nil, isVideo: false), call, process)
        case 6: request(pick([.end, .answer, .setHeld(true), .setHeld(false), .setMuted(true)]), call, process)
        case 7, 8: complete()
        case 9: ask(.setAudioRunning(running: chance(1, of: 2)), process)
        case 10: ask(.setAudioActive(active: chance(1, of: 2), options: 0), process)
        case 11:
            guard chance(1, of: 8) else { return }
            audioOn.remove(provider)  // P3: it hears nothing more
            ask(.invalidateProvider(provider: provider), process)
        case 12: if chance(1, of: 8) { makeProvider(process) }
        default: returnPush()
        }
    }

    // MARK: - A crude app

    private mutating func launched(_ process: UUID) {
        living.append(process)
        if chance(9, of: 10) { makeProvider(process) }
        let registry = random.uuid()
        registries[process] = registry
        if chance(9, of: 10) { ask(.setDesiredPushTypes(registry: registry, types: ["PKPushTypeVoIP"]), process) }
        ask(.observeCalls(observer: random.uuid()), process)
        queue.append(.launchFinished(process: process))
    }

    private mutating func makeProvider(_ process: UUID) {
        let provider = random.uuid()
        providers[process, default: []].append(provider)
        ask(.createProvider(provider: provider, configuration: ProviderConfigurationValue()), process)
        if chance(9, of: 10) { ask(.setProviderDelegate(provider: provider, present: true), process) }
    }

    private mutating func report(_ call: UUID, provider: UUID, process: UUID) {
        let report = random.uuid()
        open.insert(report)
        ask(.reportNewIncomingCall(provider: provider, call: call, update: Calls.update, report: report), process)
    }

    private mutating func request(_ kind: ActionValue.Kind, _ call: UUID, _ process: UUID) {
        let request = random.uuid()
        open.insert(request)
        let action = ActionValue(uuid: random.uuid(), call: call, kind: kind, timeoutDate: now.addingTimeInterval(5))
        ask(
            .requestTransaction(
                request: request, transaction: TransactionValue(uuid: random.uuid(), actions: [action])), process)
    }

    private mutating func complete() {
        guard !actions.isEmpty else { return }
        let index = Int.random(in: 0..<actions.count, using: &random)
        let action = chance(1, of: 10) ? actions[index] : actions.remove(at: index)
        ask(
            chance(5, of: 6)
                ? .actionFulfilled(action: action.action, date: nil) : .actionFailed(action: action.action),
            action.process)
    }

    private mutating func returnPush() {
        guard let push = pushes.popLast() else { return }
        ask(.pushCompleted(push: push.push), push.process)
        ask(.pushHandlerReturned(push: push.push), push.process)
    }

    // MARK: - The machine and what must hold

    private mutating func ask(_ request: AppRequest, _ process: UUID) {
        send(.request(request, process: process))
    }

    private mutating func pass(_ seconds: Double) {
        now = now.addingTimeInterval(seconds)
        send(.tick)
    }

    private mutating func send(_ input: PhoneInput) {
        let outcome = core.handle(input, at: now)
        if let deadline = core.deadline, deadline <= now { complain("deadline in the past after \(input)") }
        for effect in outcome.effects { observe(effect) }
        if core.recents.count != ends { complain("\(core.recents.count) recents, \(ends) ended calls") }
    }

    private mutating func observe(_ effect: PhoneEffect) {
        switch effect {
        case .launch(let process, _, _): launched(process)
        case .terminate(let process):
            living.removeAll { $0 == process }
            dead.insert(process)
            for provider in providers[process] ?? [] { audioOn.remove(provider) }
        case .record(let entry): if entry.actor == .phone, entry.text == "call ended" { ends += 1 }
        case .deliver(let delivery, let process, let event):
            if dead.contains(process) { complain("\(event) for a dead process") }
            receive(event, process: process)
            queue.append(.deliveryFinished(delivery: delivery, handled: chance(19, of: 20)))
        }
    }

    private mutating func receive(_ event: PhoneEvent, process: UUID) {
        switch event {
        case .reportCompleted(let id, _), .requestCompleted(let id, _):
            if open.remove(id) == nil { complain("a second answer") }
        case .executeTransaction(_, let transaction):
            let handled = chance(1, of: 8)
            if handled { actions += transaction.actions.map { (process, $0.uuid) } }
            queue.append(
                .request(.transactionExecuted(transaction: transaction.uuid, handled: handled), process: process))
        case .performAction(_, let action):
            performed += 1
            if !performedActions.insert(action.uuid).inserted, action.kind != .end { complain("performed twice") }
            actions.append((process, action.uuid))
        case .audioSessionActivated(let provider):
            if !audioOn.insert(provider).inserted { complain("activated twice") }
        case .audioSessionDeactivated(let provider):
            if audioOn.remove(provider) == nil { complain("deactivated without activation") }
        case .providerDidReset(let provider): audioOn.remove(provider)
        case .push(_, let push):
            if chance(2, of: 3) {
                report(pick(calls), provider: providers[process]?.last ?? UUID(), process: process)
            }
            pushes.append((process, push.id))
        case .providerDidBegin, .actionTimedOut, .callChanged, .pushCredentials, .pushTokenInvalidated: break
        }
        if audioOn.count > 1 { complain("two providers with audio") }
    }

    private mutating func complain(_ text: String) {
        if complaints.count < 5 { complaints.append(text) }
    }

    private mutating func chance(_ count: Int, of all: Int) -> Bool {
        Int.random(in: 0..<all, using: &random) < count
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }
}

/// A small generator of the walks' own.
struct WalkGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        var mixed = state
        mixed ^= mixed >> 33
        mixed = mixed &* 0xff51_afd7_ed55_8ccd
        return mixed ^ (mixed >> 33)
    }

    mutating func uuid() -> UUID {
        let high = next()
        let low = next()
        func byte(_ value: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> (8 * index)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4),
                byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }
}
