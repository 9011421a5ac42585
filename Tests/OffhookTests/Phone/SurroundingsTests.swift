// SPDX-License-Identifier: MIT

import AVFAudio
import AVFoundation
import Foundation
import OffhookCore
import OffhookNet
import Testing
import VirtualPhone

@testable import Offhook

/// What the phone around the app tells: other calls, lock, screen, permissions.
@Suite(.timeLimit(.minutes(2))) struct SurroundingsTests {
    @Test("P23, C1: calls of others are counted, the app's own are not") func otherCalls() async throws {
        let bench = SystemBench()
        defer { bench.close() }
        await bench.open()
        try await bench.talk()
        let cellular = bench.phone.cellular.incoming(from: "+12025550123")
        await bench.hear(.otherCalls(1))
        try bench.phone.cellular.endRemotely(cellular)
        await bench.hear(.otherCalls(0))
        try bench.phone.user.hangUp()
        await bench.settle()
        #expect(
            bench.events.filter { if case .otherCalls = $0 { true } else { false } } == [
                .otherCalls(1), .otherCalls(0),
            ])
    }

    @Test("P23: a call that was there before the app is counted") func earlierCall() async throws {
        let bench = SystemBench()
        defer { bench.close() }
        _ = bench.phone.cellular.incoming(from: "+12025550123")
        await bench.open()
        await bench.hear(.otherCalls(1))
    }

    private func last(_ bench: SystemBench) -> Surroundings? {
        var last: Surroundings?
        for case .surroundingsChanged(let surroundings) in bench.events { last = surroundings }
        return last
    }

    @Test("R76, R79, R116: screen and lock are told, and an unlock lets what is protected be read again")
    func lock() async throws {
        let bench = SystemBench()
        defer { bench.close() }
        await bench.open()
        await bench.until("the app is on the screen") { last(bench)?.isForeground == true }
        #expect(last(bench)?.isUnlocked == true)
        bench.phone.user.goHome()
        await bench.until("the app is in the background") { last(bench)?.isForeground == false }
        // Only what has something to do runs on.
        bench.phone.open(SystemBench.bundle)
        await bench.until("the app is back") { last(bench)?.isForeground == true }
        try await bench.talk()
        bench.phone.user.lock()
        await bench.advance(.seconds(15))
        await bench.until("it is locked") { last(bench)?.isUnlocked == false && last(bench)?.isForeground == false }
        #expect(!bench.words.contains(.unlocked))
        bench.phone.user.unlock()
        await bench.until("it is unlocked") { last(bench)?.isUnlocked == true }
        #expect(bench.words.contains(.unlocked))
        bench.expectClean()
    }

    @Test("R76: a push to a locked phone finds the app in the background from the beginning") func cold() async throws {
        let bench = SystemBench()
        defer { bench.close() }
        await bench.open()
        try bench.phone.user.close(SystemBench.bundle)
        bench.phone.user.lock()
        await bench.advance(.seconds(15))
        let token = try #require(bench.phone.pushToken(for: SystemBench.bundle))
        let first = bench.app
        bench.phone.receivePush(token: token, payload: Data("{}".utf8))
        await bench.until("the app is launched") { bench.app !== first }
        await bench.until("it rings") { !bench.phone.screen.incoming.isEmpty }
        #expect(
            bench.events.contains { event in
                guard case .surroundingsChanged(let seen) = event else { return false }
                return !seen.isForeground && !seen.isUnlocked
            })
        bench.expectClean()
    }

    // MARK: - Permissions

    private func ask(_ bench: SystemBench) -> Guarded<CallPermissions?> {
        let answer = Guarded<CallPermissions?>(nil)
        bench.app?.use { $0.requestPermissions(video: false) { given in answer.withLock { $0 = given } } }
        return answer
    }

    @Test("R5, R6, V9: the user is asked once, and the answer is told", arguments: [true, false])
    func microphone(_ allows: Bool) async throws {
        let bench = SystemBench(microphone: .undetermined)
        defer { bench.close() }
        await bench.open()
        #expect(last(bench)?.mayUseMicrophone == nil)
        let first = ask(bench)
        await bench.until("the user is asked") { bench.phone.screen.microphonePrompt != nil }
        try bench.phone.user.answerMicrophonePrompt(allows)
        await bench.until("the answer comes") { first.withLock { $0 } != nil }
        #expect(first.withLock { $0 }?.microphone == (allows ? .granted : .denied))
        await bench.until("the rules know") { last(bench)?.mayUseMicrophone == allows }
        let second = ask(bench)
        await bench.until("the answer comes at once") { second.withLock { $0 } != nil }
        #expect(bench.phone.screen.microphonePrompt == nil)
        bench.expectClean()
    }

    @Test("R77: over the lock screen nobody is asked, and the question stays open") func locked() async throws {
        let bench = SystemBench(microphone: .undetermined)
        defer { bench.close() }
        await bench.open()
        try await bench.talk()
        bench.phone.user.lock()
        let answer = ask(bench)
        await bench.until("the answer comes") { answer.withLock { $0 } != nil }
        #expect(answer.withLock { $0 }?.microphone == .notDetermined)
        #expect(bench.phone.violations.map(\.rule) == ["R77"])
    }

    @Test("R5: four states of the microphone, and the camera's") func states() {
        let expected: [(AVAuthorizationStatus, PermissionStatus, Bool?)] = [
            (.notDetermined, .notDetermined, nil), (.authorized, .granted, true), (.denied, .denied, false),
            (.restricted, .restricted, false),
        ]
        for (status, permission, isAllowed) in expected {
            #expect(PermissionStatus(status) == permission)
            #expect(permission.isAllowed == isAllowed)
        }
        #expect(PermissionStatus(AVAudioSession.RecordPermission.undetermined) == .notDetermined)
        #expect(PermissionStatus(AVAudioSession.RecordPermission.granted) == .granted)
        #expect(PermissionStatus(AVAudioSession.RecordPermission.denied) == .denied)
    }
}
