// SPDX-License-Identifier: MIT

import Foundation
import VirtualPhone

/// Judges in the order of the effects: nothing is delivered to a suspended app (K11).
struct SuspensionCheck {
    private(set) var suspended: Set<String> = []

    /// - Returns: What is wrong, if something is.
    mutating func follow(_ effect: PhoneEffect, bundleOf: [UUID: String]) -> String? {
        switch effect {
        case .record(let entry):
            guard let app = entry.app, entry.actor == .phone else { return nil }
            if entry.text == "suspended the app", !suspended.insert(app).inserted { return "suspended twice" }
            if entry.text == "woke the app", suspended.remove(app) == nil { return "woken, and was not suspended" }
        case .terminate(let process): if let bundle = bundleOf[process] { suspended.remove(bundle) }
        case .deliver(_, let process, let event):
            if let bundle = bundleOf[process], suspended.contains(bundle) { return "\(event) for a suspended process" }
        case .launch, .launchExtension, .storage, .launchDirectory, .storeDirectory, .storeDirectorySwitches: break
        }
        return nil
    }
}

/// Follows each push to its one fate: handed to a process once, taken over by the next launch when that process died
/// before it had handled the push, dropped for good, or still waiting.
struct PushFates {
    /// How a push ended.
    enum Fate: Hashable, CaseIterable {
        /// A process has it, or had it until it died.
        case delivered
        /// A process died with it, and a later one got it (P07).
        case takenOver
        /// It waits for a registry or for the next launch.
        case waiting
        /// It waits for the network, a fault or the first unlock.
        case kept
        case dropped
    }
    private struct Way {
        var processes: [UUID] = []
        /// The last process has it.
        var isHeld = false
        /// Its handler returned while the process ran.
        var hasReturned = false
    }
    private var ways: [UUID: Way] = [:]

    /// - Returns: false when the push was there before.
    mutating func arrived(_ push: UUID) -> Bool {
        guard ways[push] == nil else { return false }
        ways[push] = Way()
        return true
    }

    /// - Returns: What is wrong, if something is.
    mutating func delivered(_ push: UUID, to process: UUID, dead: Set<UUID>) -> String? {
        var way = ways[push] ?? Way()
        defer {
            way.processes.append(process)
            way.isHeld = true
            ways[push] = way
        }
        if way.hasReturned { return "a push came again after its handler had returned" }
        guard way.isHeld, let last = way.processes.last else { return nil }
        if last == process { return "a process got a push twice" }
        return dead.contains(last) ? nil : "two processes have one push"
    }

    /// Nobody took it: it goes back to the phone.
    mutating func unhandled(_ push: UUID) { ways[push]?.isHeld = false }

    /// The handler returned in a process that runs.
    mutating func returned(_ push: UUID) { ways[push]?.hasReturned = true }

    /// The fates of all pushes, where the phone and the walk agree on them.
    func fates(at core: PhoneCore) -> [UUID: Fate] {
        ways.reduce(into: [:]) { fates, entry in
            switch core.receipt(of: entry.key) {
            case .delivered: fates[entry.key] = Set(entry.value.processes).count > 1 ? .takenOver : .delivered
            case .waiting: fates[entry.key] = .waiting
            case .kept: fates[entry.key] = .kept
            case .dropped: fates[entry.key] = .dropped
            case .refused, .unknownToken, nil: break
            }
        }
    }

    /// What is wrong at the end.
    func complaints(at core: PhoneCore, dead: Set<UUID>) -> [String] {
        let fates = fates(at: core)
        return ways.compactMap { push, way -> String? in
            let hasLiveOwner = way.isHeld && way.processes.last.map { !dead.contains($0) } ?? false
            switch fates[push] {
            case .delivered, .takenOver: return way.processes.isEmpty ? "delivered to nobody" : nil
            case .waiting: return hasLiveOwner ? "waits, and a process has it" : nil
            case .kept: return way.processes.isEmpty ? nil : "kept after it was delivered"
            case .dropped: return hasLiveOwner || way.hasReturned ? "dropped, and a process has it" : nil
            case nil: return "a push without a fate"
            }
        }
    }
}
