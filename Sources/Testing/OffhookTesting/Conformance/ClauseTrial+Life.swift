// SPDX-License-Identifier: MIT

import Offhook
import OffhookCore

// Calls, events, beginnings and ends.
extension ClauseTrial {
    func returnsAtOnce() async throws -> Verdict {
        var slow: [String: Double] = [:]
        for _ in 0..<3 {
            let call = try call()
            try await exercise(call)
            call.close()
            slow = call.sides.reduce(into: [:]) { slow, side in
                slow.merge(side.slowest.filter { $0.value > methodLimit }) { max($0, $1) }
            }
            if slow.isEmpty { return .passed }
        }
        let list = slow.sorted { $0.key < $1.key }.map { "\($0.key) took \(Int($0.value * 1000)) ms" }
        throw TrialFailure(
            text: list.joined(separator: ", ") + "; hand the work to a queue of the engine's own and return")
    }

    func closesAnyTime() async throws -> Verdict {
        let first = try call()
        first.close()
        try await pulse()
        let before = first.sides.map(\.said.count)
        first.close()
        try await pulse()
        try require(
            before == first.sides.map(\.said.count), "a second close() made the session say something")
        return .passed
    }

    func quietAfterClose() async throws -> Verdict {
        let call = try call()
        try await call.talk()
        let side = call.caller
        side.close()
        side.perform("setAudioOpen(_:)") { $0.setAudioOpen(true) }
        side.perform("setMuted(_:)") { $0.setMuted(true) }
        side.perform("setHeld(_:)") { $0.setHeld(true) }
        side.perform("receive(_:)") {
            $0.receive(MediaSignal(kind: .offer, generation: ClauseTrial.generation, body: "too late"))
        }
        try await pulse()
        let late = side.said.filter(\.isLate).map { "\($0.event)" }
        try require(late.isEmpty, "after close() came \(late.joined(separator: ", "))")
        return .passed
    }

    func orderedEvents() async throws -> Verdict {
        let call = try call()
        try await exercise(call)
        try await pulse()
        for side in call.sides {
            let role = side.configuration.role.rawValue
            try require(side.count(.connected) == 1, "the \(role) said connected \(side.count(.connected)) times")
            if let connected = side.events.firstIndex(of: .connected),
                let media = side.events.firstIndex(of: .remoteMedia)
            {
                try require(connected < media, "the \(role) said remoteMedia before connected")
            }
            let overlapping = side.said.filter(\.overlaps).count
            try require(
                overlapping == 0,
                "the \(role) sent \(overlapping) events while it was still sending another; use one serial queue")
        }
        return .passed
    }

    func noEventInside() async throws -> Verdict {
        let call = try call()
        try await exercise(call)
        call.close()
        let inside = call.sides.flatMap(\.said).filter(\.isInside).map { TrialCall.name($0.event) }
        try require(
            inside.isEmpty,
            "\(inside.joined(separator: ", ")) came from inside a method; send events from the engine's own queue")
        return .passed
    }

    func generations() async throws -> Verdict {
        let call = try call()
        try await call.connect()
        for side in call.sides {
            for kind in [MediaSignal.Kind.offer, .candidate] {
                for generation in [ClauseTrial.generation - 1, ClauseTrial.generation + 1] {
                    side.perform("receive(_:)") {
                        $0.receive(MediaSignal(kind: kind, generation: generation, body: "of another session"))
                    }
                }
            }
        }
        try await call.talk()
        for case .signal(let signal) in call.sides.flatMap(\.events) {
            try require(
                signal.generation == ClauseTrial.generation,
                "a \(signal.kind.rawValue) carries generation \(signal.generation), the session's is "
                    + "\(ClauseTrial.generation)")
        }
        return .passed
    }

    func failureIsLast() async throws -> Verdict {
        let call = try call()
        try await call.connect()
        let side = call.callee
        side.perform("receive(_:)") {
            $0.receive(MediaSignal(kind: .offer, generation: ClauseTrial.generation, body: "no description"))
        }
        try await call.wait("failed after an offer that is no description", failing: false) { side.failure != nil }
        try await pulse()
        try require(side.failure?.code == .badSignal, "the failure's code is not badSignal")
        let place = side.events.firstIndex { if case .failed = $0 { true } else { false } } ?? 0
        let rest = side.events[(place + 1)...].map(TrialCall.name)
        try require(rest.isEmpty, "after failed came \(rest.joined(separator: ", "))")
        return .passed
    }

    func preparesAgain() async throws -> Verdict {
        let engine = candidates[0].engine
        do {
            try await engine.prepare()
            async let one: Void = engine.prepare()
            async let other: Void = engine.prepare()
            _ = try await (one, other)
        } catch {
            throw TrialFailure(text: "prepare() threw when it was called again: \(error)")
        }
        return .passed
    }

    func independentSessions() async throws -> Verdict {
        let (one, other) = (try call(), try call())
        try await one.talk()
        try await other.talk()
        one.close()
        try await pulse()
        try require(
            other.caller.failure == nil && other.callee.failure == nil,
            "closing one session failed another one of the same engine")
        try await other.progress("frames sent", candidates[0].probe.sent, of: other.caller)
        return .passed
    }
}
