// SPDX-License-Identifier: MIT

import Foundation
import OffhookCore
import OffhookNet
import Testing
import VirtualPhone

@testable import Offhook

/// Actions between CallKit and the call rules, in both directions.
@Suite(.timeLimit(.minutes(2))) struct CallKitActionTests {
    private let call = SystemBench.call
    private let other = SystemBench.other

    /// Two calls, the first of them held.
    private func twoCalls(_ bench: SystemBench) async throws {
        await bench.open()
        try await bench.talk(call)
        bench.app?.use { $0.reportIncoming(other, CallDetails(handle: Handle(value: "bob"))) }
        await bench.until("the second rings") { !bench.phone.screen.incoming.isEmpty }
        try bench.phone.user.choose(.holdAndAccept, call: other.uuid)
        await bench.until("the first is held") {
            bench.phone.snapshot.calls.contains { $0.uuid == call.uuid && $0.isOnHold }
        }
        await bench.until("the second talks") {
            bench.phone.snapshot.calls.contains { $0.uuid == other.uuid && $0.phase == .connected }
        }
        await bench.advance(.milliseconds(50))
    }

    @Test("R39, G2: hold & accept on the call screen is a hold, then an answer") func holdAndAccept() async throws {
        let bench = SystemBench()
        defer { bench.close() }
        try await twoCalls(bench)
        let performed = bench.events.compactMap { event -> String? in
            switch event {
            case .answerPerformed(_, let call): "answer \(call.low)"
            case .holdPerformed(_, let call, let held): "hold \(call.low) \(held)"
            default: nil
            }
        }
        #expect(performed == ["answer 1", "hold 1 true", "answer 2"])
        bench.expectClean()
    }

    @Test("R39, R19: two actions in one transaction", arguments: [true, false])
    func twoActions(_ holds: Bool) async throws {
        let bench = SystemBench()
        defer { bench.close() }
        await bench.open()
        try await bench.talk(call)
        bench.app?.use { $0.reportIncoming(other, CallDetails(handle: Handle(value: "bob"))) }
        await bench.until("the second rings") { !bench.phone.screen.incoming.isEmpty }
        let request: CallRequest =
            holds ? .holdAndAnswer(hold: call, answer: other) : .endAndAnswer(end: call, answer: other)
        bench.request(request)
        await bench.hear(.requestCompleted(request, nil))
        await bench.until("the second talks") {
            bench.phone.snapshot.calls.contains { $0.uuid == other.uuid && $0.phase == .connected }
        }
        #expect(bench.phone.snapshot.calls.contains { $0.uuid == call.uuid } == holds)
        bench.expectClean()
    }

    @Test("R47, G4: a swap holds one and resumes the other") func swap() async throws {
        let bench = SystemBench()
        defer { bench.close() }
        try await twoCalls(bench)
        bench.request(.swap(hold: other, resume: call))
        await bench.hear(.requestCompleted(.swap(hold: other, resume: call), nil))
        await bench.until("they are swapped") {
            let held = bench.phone.snapshot.calls.filter(\.isOnHold).map(\.uuid)
            return held == [other.uuid]
        }
        bench.expectClean()
    }

    @Test("R49, G5: calls are merged and taken apart, from the app and from the call screen", arguments: [true, false])
    func groups(_ byApp: Bool) async throws {
        let bench = SystemBench()
        defer { bench.close() }
        try await twoCalls(bench)
        if byApp { bench.request(.setGroup(call, with: other)) } else { try bench.phone.user.merge() }
        await bench.until("the merge is performed") {
            bench.events.contains { event in
                guard case .groupPerformed(_, let one, let two?) = event else { return false }
                return Set([one, two]) == [call, other]
            }
        }
        await bench.until("they are one group") { Set(bench.phone.snapshot.calls.map(\.group)).count == 1 }
        if byApp {
            bench.request(.setGroup(call, with: nil))
        } else {
            try bench.phone.user.separate(try #require(call.uuid))
        }
        await bench.until("the split is performed") {
            bench.events.contains { if case .groupPerformed(_, call, nil) = $0 { true } else { false } }
        }
        await bench.until("they are two") { Set(bench.phone.snapshot.calls.map(\.group)).count == 2 }
        bench.expectClean()
    }

    private func tones(_ bench: SystemBench) -> [String] {
        bench.events.compactMap { if case .tonesPerformed(_, call, let text) = $0 { text } else { nil } }
    }

    @Test("R50, G7: digits of the app and of the keypad") func tones() async throws {
        let bench = SystemBench()
        defer { bench.close() }
        await bench.open()
        try await bench.talk()
        bench.request(.playTones(call, "12,34;5"))
        await bench.hear(.requestCompleted(.playTones(call, "12,34;5"), nil))
        await bench.until("they are performed") { tones(bench) == ["12", ",34", ";5"] }
        try bench.phone.user.playTone("1,2")
        await bench.until("the keypad's are performed") { tones(bench).suffix(2) == ["1", ",2"] }
        bench.expectClean()
    }

    @Test("R50, O4: without an engine for tones the keypad is not offered") func noTones() async throws {
        let bench = SystemBench(canPlayTones: false)
        defer { bench.close() }
        await bench.open()
        try await bench.talk()
        #expect(throws: PhoneUserError.self) { try bench.phone.user.playTone("1") }
    }

    @Test("R118, G8: a translation begins and ends, from the app and from the call screen", arguments: [true, false])
    func translation(_ byApp: Bool) async throws {
        let bench = SystemBench()
        defer { bench.close() }
        await bench.open()
        try await bench.talk()
        let languages = Translation(localLanguage: "de", remoteLanguage: "ja")
        if byApp {
            bench.request(.setTranslation(call, languages))
        } else {
            try bench.phone.user.setTranslating(true, from: "de", to: "ja")
        }
        await bench.until("it is performed") {
            bench.events.contains { if case .translationPerformed(_, call, languages) = $0 { true } else { false } }
        }
        await bench.until("the phone translates") { bench.phone.snapshot.calls.first?.isTranslating == true }
        if byApp {
            bench.request(.setTranslation(call, nil))
        } else {
            try bench.phone.user.setTranslating(false, from: "de", to: "ja")
        }
        await bench.until("the end is performed") {
            bench.events.contains { if case .translationPerformed(_, call, nil) = $0 { true } else { false } }
        }
        await bench.until("the phone stops") { bench.phone.snapshot.calls.first?.isTranslating == false }
        bench.expectClean()
    }

    @Test("R118: translation is offered only when the app wants it") func noTranslation() async throws {
        let bench = SystemBench { $0.provider.supportsAudioTranslation = false }
        defer { bench.close() }
        await bench.open()
        try await bench.talk()
        #expect(throws: PhoneUserError.self) { try bench.phone.user.setTranslating(true, from: "de", to: "ja") }
    }

    @Test("T8, R29: each action that runs out of time is told, and never completed afterwards")
    func timeouts() async throws {
        let bench = SystemBench()
        defer { bench.close() }
        await bench.open()
        try await bench.talk()
        bench.app?.fulfils.withLock { $0 = false }
        let requests: [CallRequest] = [
            .setMuted(call, true), .setHeld(call, true), .playTones(call, "1"),
            .setTranslation(call, Translation(localLanguage: "de", remoteLanguage: "ja")), .end(call),
        ]
        for request in requests {
            let before = bench.events.count { $0.action != nil }
            bench.request(request)
            await bench.until("it is performed") { bench.events.count { $0.action != nil } == before + 1 }
            let action = try #require(bench.events.last { $0.action != nil }?.action)
            await bench.advance(.seconds(6))
            await bench.hear(.actionTimedOut(action))
            bench.app?.use {
                $0.fulfil(action)
                $0.fail(action)
            }
        }
        await bench.settle()
        #expect(!bench.phone.violations.contains { $0.rule == "T8" || $0.rule == "T7" }, "\(bench.phone.violations)")
    }

    @Test("R22, P2: a reset is told, and what was performed is not completed any more") func reset() async throws {
        let bench = SystemBench()
        defer { bench.close() }
        await bench.open()
        try await bench.talk()
        bench.app?.fulfils.withLock { $0 = false }
        bench.request(.setMuted(call, true))
        await bench.until("it is performed") {
            bench.events.contains { if case .mutePerformed = $0 { true } else { false } }
        }
        let action = try #require(bench.events.last { $0.action != nil }?.action)
        bench.phone.faults.restartDaemon()
        await bench.hear(.providerReset)
        bench.app?.use { $0.fulfil(action) }
        await bench.settle()
        bench.expectClean()
    }

    @Test("R16, G1: what the app changes is on the next call's screen") func change() async throws {
        let bench = SystemBench { $0.provider.supportsVideo = false }
        defer { bench.close() }
        await bench.open()
        var options = CallCenter.ProviderOptions()
        options.includesCallsInRecents = false
        options.maximumCallGroups = 9
        bench.app?.use { $0.change(options) }
        try await bench.talk()
        try bench.phone.user.hangUp()
        await bench.until("the call is over") { bench.phone.snapshot.calls.isEmpty }
        #expect(bench.phone.recents.isEmpty)  // R18
        bench.expectClean()
    }

    @Test("R55, R57: a rotated token comes in hexadecimal, and a push is completed once") func pushes() async throws {
        let bench = SystemBench()
        defer { bench.close() }
        await bench.open()
        bench.phone.rotateToken(of: SystemBench.bundle)
        await bench.until("the token is told") {
            bench.words.last { if case .token = $0 { true } else { false } }
                == .token(bench.phone.pushToken(for: SystemBench.bundle)?.hexadecimal)
        }
        bench.phone.receivePush(
            token: try #require(bench.phone.pushToken(for: SystemBench.bundle)), payload: Data(#"{"aps":{}}"#.utf8))
        await bench.until("it rings") { !bench.phone.screen.incoming.isEmpty }
        await bench.advance(.seconds(8))
        bench.expectClean()
    }
}
