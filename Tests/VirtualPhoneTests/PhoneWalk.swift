// SPDX-License-Identifier: MIT

import Foundation
import VirtualPhone

/// One walk: a machine, a crude app for each process, and the bookkeeping of what must hold.
struct PhoneWalk {
    var random: WalkGenerator
    var core: PhoneCore
    var now = Date(timeIntervalSinceReferenceDate: 0)
    var queue: [PhoneInput] = []
    var living: [UUID] = []
    var dead: Set<UUID> = []
    var providers: [UUID: [UUID]] = [:]
    var registries: [UUID: UUID] = [:]
    var actions: [(process: UUID, action: UUID)] = []
    var pushes: [(process: UUID, push: UUID)] = []
    var open: Set<UUID> = []
    var performedActions: Set<UUID> = []
    var audioOn: Set<UUID> = []
    var ends = 0
    /// Names a process's app.
    var bundleOf: [UUID: String] = [:]
    /// How many processes of an app ended.
    var terminated: [String: Int] = [:]
    /// Which app is suspended.
    var suspension = SuspensionCheck()
    /// What becomes of each push.
    var fates = PushFates()
    /// The deliveries that carry a push.
    var pushDeliveries: [UInt64: UUID] = [:]
    var performed = 0
    /// Providers that hear nothing more (P3).
    var invalidated: Set<UUID> = []
    var completed: Set<UUID> = []
    var timedOut: Set<UUID> = []
    /// Whether the daemon is slow, silent or reorders at times; then messages are on their way after an invalidate.
    let hasDaemonFaults: Bool
    var effects: [PhoneEffect] = []
    var complaints: [String] = []
    var snapshot: PhoneSnapshot { core.snapshot }
    var pushFates: [UUID: PushFates.Fate] { fates.fates(at: core) }
    let bundles = ["a", "b"]
    let calls = [Calls.first, Calls.second, Calls.third]

    init(seed: UInt64, settings wanted: PhoneSettings? = nil) {
        random = WalkGenerator(state: seed)
        hasDaemonFaults = seed.isMultiple(of: 3)
        var settings = wanted ?? PhoneSettings()
        if wanted == nil { settings.reportFailureLimit = 1000 }
        core = PhoneCore(system: SystemVersion(26, 4), settings: settings, locked: true, seed: seed, now: now)
        for bundle in bundles { install(bundle) }
    }

    mutating func install(_ bundle: String) {
        send(
            .installed(
                InstalledApp(
                    bundleIdentifier: bundle, displayName: bundle, backgroundModes: [.voip],
                    apsEnvironment: .development)))
    }

    /// Does all that is still to do, and looks at how everything ended.
    mutating func drainAll() {
        while !queue.isEmpty { send(queue.removeFirst()) }
        // No process dies without a cause; one that crashes before its main function has no end to run.
        for bundle in bundles {
            let causes = core.deaths.filter { $0.app == bundle && !$0.message.contains("while it was launched") }
            if causes.count != terminated[bundle, default: 0] {
                complain("\(terminated[bundle, default: 0]) ends and \(causes.count) causes of death")
            }
        }
        for text in fates.complaints(at: core, dead: dead) { complain(text) }
    }

    mutating func step() {
        if !queue.isEmpty, chance(3, of: 4) { return send(queue.removeFirst()) }
        let call = pick(calls)
        switch Int.random(in: 0..<24, using: &random) {
        case 0: send(.opened(pick(bundles)))
        case 1: if chance(1, of: 6) { send(.closed(pick(bundles))) }
        case 2: if chance(1, of: 40) { install(pick(bundles)) } else { deviceStep() }
        case 3: if chance(1, of: 20) { send(.fault(.daemonRestart)) }
        case 4, 5: pass(Double.random(in: 0...3, using: &random))
        case 6: if let deadline = core.deadline { pass(max(0, deadline.timeIntervalSince(now))) }
        case 7, 8:
            if let token = core.snapshot.pushTokens.min(by: { $0.key < $1.key })?.value {
                push(token)
            }
        case 9, 10: send(.user(.choose(pick([.answer, .decline, .holdAndAccept, .endAndAccept]), call: nil)))
        case 11: send(.user(.hangUp(call: chance(1, of: 2) ? call : nil)))
        case 12: send(.user(.setHeld(chance(1, of: 2), call: nil)))
        case 13: send(.user(.setMuted(chance(1, of: 2), call: nil)))
        case 14: send(.user(.playTone("12", call: nil)))
        case 15 where hasDaemonFaults && chance(1, of: 3): send(.fault(daemonFault()))
        case 15 where chance(1, of: 8): send(.fault(.crash(bundle: pick(bundles))))
        case 15: send(chance(1, of: 2) ? .locked : .unlocked)
        default: appStep(call)
        }
    }

    mutating func daemonFault() -> PhoneFault {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .silentDaemon(true)
        case 1, 2: .silentDaemon(false)
        case 3: .slowDaemon(.milliseconds(Int.random(in: 0...4000, using: &random)))
        case 4: .slowDaemon(.zero)
        case 5: .reorderedActions(chance(1, of: 2))
        case 6: .failedReport(code: Int.random(in: 0...7, using: &random))
        default: .failedTransaction(code: Int.random(in: 0...8, using: &random))
        }
    }

    mutating func complain(_ text: String) {
        if complaints.count < 5 { complaints.append(text) }
    }

    mutating func chance(_ count: Int, of all: Int) -> Bool {
        Int.random(in: 0..<all, using: &random) < count
    }

    mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }
}
