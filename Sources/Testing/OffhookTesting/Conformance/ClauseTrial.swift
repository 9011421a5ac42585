// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookCore

/// The clauses' trials; each one's own calls are closed when it ends.
final class ClauseTrial {
    typealias Verdict = ConformanceReport.Verdict
    typealias Count = @Sendable (MediaSessionConfiguration) -> Int

    let candidates: [MediaCandidate]
    let methodLimit: Double
    private let patience: Double
    private var number: UInt64 = 0
    private var calls: [TrialCall] = []

    /// The generation of every trial's sessions; none is the default one.
    static let generation = 5

    init(candidates: [MediaCandidate], patience: Double, methodLimit: Double) {
        self.candidates = candidates
        self.patience = patience
        self.methodLimit = methodLimit
    }

    func verdict(on clause: MediaContract.Clause) async -> Verdict {
        defer {
            for call in calls { call.close() }
            calls = []
        }
        do {
            switch clause {
            case .returnsAtOnce: return try await returnsAtOnce()
            case .closesAnyTime: return try await closesAnyTime()
            case .quietAfterClose: return try await quietAfterClose()
            case .orderedEvents: return try await orderedEvents()
            case .noEventInside: return try await noEventInside()
            case .audioOnlyWhileOpen: return try await audioOnlyWhileOpen()
            case .remoteMediaOnce: return try await remoteMediaOnce()
            case .interruptionToggles: return try await interruptionToggles()
            case .muteIsNotHold: return try await muteIsNotHold()
            case .neverEndsCalls: return try await neverEndsCalls()
            case .audioSessionUntouched: return try await audioSessionUntouched()
            case .tones: return try await tones()
            case .camera: return try await camera()
            case .translation: return try await translation()
            case .generations: return try await generations()
            case .failureIsLast: return try await failureIsLast()
            case .preparesAgain: return try await preparesAgain()
            case .independentSessions: return try await independentSessions()
            }
        } catch {
            return .failed((error as? TrialFailure)?.text ?? "\(error)")
        }
    }

    /// A new call of the two engines.
    func call() throws -> TrialCall {
        number += 1
        let call = try TrialCall(
            number, generation: ClauseTrial.generation, candidates: candidates, patience: patience)
        calls.append(call)
        return call
    }

    /// Lets an unrelated call connect: what was on its way before has arrived after it.
    func pulse() async throws {
        try await call().connect()
    }

    func require(_ condition: Bool, _ text: @autoclosure () -> String) throws {
        if !condition { throw TrialFailure(text: text()) }
    }

    /// Every method in the way a call uses it, on both sides.
    func exercise(_ call: TrialCall) async throws {
        try await call.talk()
        for side in call.sides {
            for value in [true, false] {
                side.perform("setMuted(_:)") { $0.setMuted(value) }
                side.perform("setHeld(_:)") { $0.setHeld(value) }
                side.perform("setAudioOpen(_:)") { $0.setAudioOpen(!value) }
            }
            let translation = Translation(localLanguage: "en", remoteLanguage: "fr")
            side.perform("setTranslation(_:)") { $0.setTranslation(translation) }
            side.perform("setTranslation(_:)") { $0.setTranslation(nil) }
        }
    }
}
