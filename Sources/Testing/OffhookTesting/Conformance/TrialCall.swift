// SPDX-License-Identifier: MIT

import Dispatch
import Offhook
import OffhookCore

/// Something that a trial waited for and that did not come; the text goes into the report.
struct TrialFailure: Error {
    var text: String
}

/// A call between two engines on trial: each side's signals go to the other one, and nowhere else.
final class TrialCall: Sendable {
    let caller: TrialSide
    let callee: TrialSide
    private let patience: Double

    init(_ number: UInt64, generation: Int, candidates: [MediaCandidate], patience: Double) throws {
        let call = CallID(high: 0x0FF_400C, low: number)
        self.patience = patience
        caller = TrialSide(
            MediaSessionConfiguration(call: call, role: .offerer, generation: generation), probe: candidates[0].probe)
        callee = TrialSide(
            MediaSessionConfiguration(call: call, role: .answerer, generation: generation), probe: candidates[1].probe)
        caller.connect(to: callee)
        callee.connect(to: caller)
        do {
            try callee.make(with: candidates[1].engine)
            try caller.make(with: candidates[0].engine)
        } catch {
            close()
            throw TrialFailure(text: "makeSession threw \(error)")
        }
    }

    var sides: [TrialSide] { [caller, callee] }

    func close() {
        for side in sides { side.close() }
    }

    /// Waits for a condition, for as long as the trial's patience lasts; a failed session ends the wait
    /// unless `failing` is false.
    func wait(_ what: String, failing: Bool = true, _ condition: () -> Bool) async throws {
        let start = DispatchTime.now().uptimeNanoseconds
        while !condition() {
            if failing, let failure = caller.failure ?? callee.failure {
                throw TrialFailure(text: "waiting for \(what), a session failed: \(failure.message)")
            }
            guard Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000_000_000 < patience else {
                throw TrialFailure(text: "\(what) never came. \(story)")
            }
            try await Task.sleep(nanoseconds: 1_000_000)
        }
    }

    /// Waits until both transports are up.
    func connect() async throws {
        try await wait("connected on both sides") { sides.allSatisfy { $0.has(.connected) } }
    }

    /// Opens both switches, and waits until each side has the other's media.
    func talk() async throws {
        try await connect()
        for side in sides { side.perform("setAudioOpen(_:)") { $0.setAudioOpen(true) } }
        try await wait("remoteMedia on both sides") { sides.allSatisfy { $0.has(.remoteMedia) } }
    }

    /// Waits until a count has grown by so much: time, as the engine itself measures it.
    func progress(
        _ what: String, _ count: (@Sendable (MediaSessionConfiguration) -> Int)?, of side: TrialSide,
        by frames: Int = 25
    ) async throws {
        guard let count else { return }
        let goal = count(side.configuration) + frames
        try await wait("\(what) of the \(side.configuration.role.rawValue)", failing: false) {
            count(side.configuration) >= goal
        }
    }

    private var story: String {
        sides.map { side in
            "\(side.configuration.role.rawValue) said: " + side.events.map(TrialCall.name).joined(separator: ", ")
        }.joined(separator: "; ")
    }

    static func name(_ event: MediaEvent) -> String {
        if case .signal(let signal) = event { signal.kind.rawValue } else { "\(event)" }
    }
}
