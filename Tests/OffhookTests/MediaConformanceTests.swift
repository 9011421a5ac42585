// SPDX-License-Identifier: MIT

import Offhook
import Testing

@testable import OffhookTesting

/// The conformance suite itself: sound engines pass it, and each clause's trial can fail.
@Suite(.timeLimit(.minutes(3))) struct MediaConformanceTests {
    private func report(_ flaw: LoopbackFlaw?) async throws -> ConformanceReport {
        let air = LoopbackMedia.Air()
        return try await MediaConformance {
            let engine = LoopbackMedia(air: air, flaw: flaw)
            return MediaCandidate(engine, probe: engine.probe)
        }.run()
    }

    @Test("R91, R92: the loopback engine keeps every clause, and every clause was looked at")
    func loopback() async throws {
        let report = try await report(nil)
        #expect(report.failures.isEmpty, "\(report)")
        #expect(report.unchecked.isEmpty, "\(report)")
        #expect(report.findings.map(\.clause) == MediaContract.Clause.allCases)
        #expect(report.version == MediaContract.version)
    }

    @Test("R91: an engine without tones and video passes", arguments: [true, false])
    func voiceAlone(hasProbe: Bool) async throws {
        let air = LoopbackMedia.Air()
        let report = try await MediaConformance {
            let engine = LoopbackMedia(air: air, capabilities: MediaCapabilities())
            return MediaCandidate(engine, probe: hasProbe ? engine.probe : MediaProbe())
        }.run()
        #expect(report.failures.isEmpty, "\(report)")
        #expect(
            report.unchecked.map(\.clause)
                == (hasProbe ? [] : [.audioOnlyWhileOpen, .muteIsNotHold, .audioSessionUntouched, .translation]))
    }

    private static let flaws: [(LoopbackFlaw, MediaContract.Clause)] = [
        (.blocks, .returnsAtOnce), (.secondCloseTalks, .closesAnyTime), (.talksAfterClose, .quietAfterClose),
        (.connectsTwice, .orderedEvents), (.talksFromTwoThreads, .orderedEvents), (.callsInside, .noEventInside),
        (.playsWhileClosed, .audioOnlyWhileOpen), (.repeatsRemoteMedia, .remoteMediaOnce),
        (.joinsAsMedia, .remoteMediaOnce), (.repeatsInterrupted, .interruptionToggles),
        (.deafWhileMuted, .muteIsNotHold), (.sendsWhileHeld, .muteIsNotHold), (.failsInSilence, .neverEndsCalls),
        (.touchesAudioSession, .audioSessionUntouched), (.reversesTones, .tones), (.swapsVideo, .camera),
        (.stopsMicrophone, .translation), (.takesAnyGeneration, .generations),
        (.goesOnAfterFailure, .failureIsLast), (.preparesOnce, .preparesAgain),
        (.closesAll, .independentSessions),
    ]

    @Test("R91: an engine with one flaw fails exactly that clause", arguments: flaws)
    func flawed(flaw: LoopbackFlaw, clause: MediaContract.Clause) async throws {
        let report = try await report(flaw)
        #expect(report.failures.map(\.clause) == [clause], "\(report)")
        #expect(report.unchecked.isEmpty, "\(report)")
    }

    @Test("R91: every clause has a flaw, and every flaw a clause") func completeness() {
        let flaws = MediaConformanceTests.flaws
        #expect(Set(flaws.map(\.1)) == Set(MediaContract.Clause.allCases))
        #expect(Set(flaws.map(\.0)) == Set(LoopbackFlaw.allCases))
    }
}
