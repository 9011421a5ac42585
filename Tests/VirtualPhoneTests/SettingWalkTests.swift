// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// Walks on phones whose settings make no sense: the phone stays whole, whatever it does.
@Suite(.timeLimit(.minutes(2)))
struct SettingWalkTests {
    @Test("Negative times, zero limits and times without end: no crash, no hang, one answer each", arguments: 1...10)
    func nonsense(_ seed: UInt64) {
        var random = WalkGenerator(state: seed &* 977)
        let times: [Duration] = [
            .zero, .seconds(-1), .seconds(-1_000_000_000), .nanoseconds(1), .seconds(1), .seconds(1_000_000_000_000),
        ]
        let counts = [0, -1, Int.min, 1, 2, Int.max]
        var settings = PhoneSettings()
        func time() -> Duration { times.randomElement(using: &random) ?? .zero }
        func count() -> Int { counts.randomElement(using: &random) ?? 0 }
        func answer() -> Bool { Bool.random(using: &random) }
        settings.reportFailureLimit = count()
        settings.pushMaximumAge = time()
        settings.secondCheckDelay = time()
        settings.pushCompletionLimit = time()
        settings.pushesStoredOffline = count()
        settings.expiredPushLateness = time()
        settings.pushesKeptUntilFirstUnlock = count()
        settings.pushTokenLength = [0, -1, Int.min, 1, 32].randomElement(using: &random) ?? 0
        settings.backgroundTime = time()
        settings.expiredTaskLimit = time()
        settings.notificationExtensionLimit = time()
        settings.ringLimit = [.bySystem, .after(time()), .unlimited].randomElement(using: &random) ?? .bySystem
        settings.endedCallLingers = time()
        settings.startActionLimit = time()
        settings.answerActionLimit = time()
        settings.otherActionLimit = time()
        settings.audioActivationDelay = time()
        settings.audioStopLimit = time()
        settings.activityLimit = time()
        settings.timelineLimit = count()
        settings.violationsLimit = count()
        settings.requestChecks = answer() ? [] : settings.requestChecks
        settings.timedOutEndEndsCall = answer()
        settings.timedOutAnswerOrStartEndsCall = answer()
        settings.restartForgetsProviders = answer()
        settings.makesRoomForActiveCall = answer()
        settings.activatesAudioBeforeFulfill = answer()
        settings.actionsWaitForEachOther = answer()
        settings.callsBelongToTheirProvider = answer()
        settings.unmutesOnConnect = answer()
        var walk = PhoneWalk(seed: seed, settings: settings)
        for _ in 0..<600 { walk.step() }
        #expect(
            !walk.complaints.contains { $0.contains("second answer") || $0.contains("dead process") }, "seed \(seed)")
        #expect(walk.core.timeline.entries.count <= max(1, settings.timelineLimit) || settings.timelineLimit < 1)
        settings.recentsLimit = Int.min
        settings.timelineLimit = Int.min
        var forgetful = PhoneWalk(seed: seed, settings: settings)
        for _ in 0..<200 { forgetful.step() }
        #expect(forgetful.core.recents.count <= 1 && forgetful.core.timeline.entries.count <= 1)
    }
}
