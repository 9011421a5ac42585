// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// One scenario through both frameworks: the phone does the same, apart from names.
@Suite(.timeLimit(.minutes(1)))
struct ParityTests {
    enum Scenario: String, CaseIterable, Sendable {
        case answerAndHangUp, declined, remoteEnd, outgoing, holdAndAccept, merge, timeouts, failures, daemonRestart,
            invalidation, killedWithACall, doNotDisturb
    }

    private enum Framework: Sendable {
        case callKit, liveCommunicationKit
    }

    @Test("L1: CallKit and LiveCommunicationKit give the same timeline", arguments: Scenario.allCases)
    func sameTimeline(scenario: Scenario) async throws {
        let callKit = try await run(scenario, .callKit)
        let conversations = try await run(scenario, .liveCommunicationKit)
        #expect(callKit.count > 8)
        #expect(callKit.map(translated) == conversations)
    }

    private func run(_ scenario: Scenario, _ framework: Framework) async throws -> [String] {
        let phone = VirtualPhone(.init(seed: 11))
        defer { phone.shutDown() }
        let running = Locked<(any ParityApp)?>(nil)
        defer { running.withLock { $0 = nil } }
        phone.install(
            App(bundleIdentifier: "parity", displayName: "Parity") { _ in
                guard let process = AppProcess.current else { return NSObject() }
                let app: any ParityApp =
                    framework == .callKit
                    ? CallKitParityApp(process: process) : ConversationParityApp(process: process)
                running.withLock { $0 = app }
                return app
            })
        phone.open("parity")
        await phone.settle()
        let app = try #require(running.withLock { $0 })
        try await play(scenario, phone, app)
        await phone.advance(by: .seconds(70))
        running.withLock { $0 = nil }
        return phone.timeline.entries.map { "\($0.time.timeIntervalSince(phone.timeline.entries[0].time)) \($0)" }
            + phone.recents.map { "\($0.name) \($0.outcome) \($0.duration) \($0.isOutgoing)" }
            + phone.violations.map(\.rule) + ["\(phone.snapshot.calls.count) calls"]
    }

    private func play(_ scenario: Scenario, _ phone: VirtualPhone, _ app: any ParityApp) async throws {
        let first = Calls.first
        let second = Calls.second
        let moment = Duration.milliseconds(300)
        func answer() async throws {
            #expect(await app.ring(first))
            await phone.settle()
            try phone.user.answer()
            await phone.advance(by: moment)
        }
        switch scenario {
        case .answerAndHangUp:
            try await answer()
            try phone.user.setMuted(true)
            await phone.settle()
            try phone.user.playTone("12")
            await phone.advance(by: moment)
            try phone.user.hangUp()
        case .declined:
            #expect(await app.ring(first))
            try phone.user.decline()
        case .remoteEnd:
            try await answer()
            app.remoteEnded(first)
        case .outgoing:
            #expect(await app.start(first))
            await phone.advance(by: moment)
            app.connected(first)
            #expect(await app.mute(first, true))
            await phone.advance(by: moment)
            #expect(await app.end(first))
        case .holdAndAccept:
            try await answer()
            #expect(await app.ring(second))
            try phone.user.choose(.holdAndAccept)
            await phone.advance(by: moment)
            try phone.user.setHeld(false, call: first)
            await phone.advance(by: moment)
            try phone.user.hangUp(first)
        case .merge:
            try await answer()
            #expect(await app.ring(second))
            try phone.user.choose(.holdAndAccept)
            await phone.advance(by: moment)
            #expect(await app.group(second, with: first))
            await phone.advance(by: moment)
            #expect(await app.group(second, with: nil))
            await phone.advance(by: moment)
            #expect(await !app.group(UUID(), with: nil))
        case .timeouts:
            app.behavior.withLock { $0 = ["join": .never, "mute": .never] }
            #expect(await app.start(second))
            await phone.advance(by: moment)
            try phone.user.setMuted(true)
            await phone.advance(by: .seconds(6))
            app.remoteEnded(second)
            #expect(await app.ring(first))
            try phone.user.answer()
        case .failures:
            app.behavior.withLock { $0 = ["join": .fail, "pause": .fail] }
            #expect(await app.start(second))
            await phone.advance(by: moment)
            #expect(await app.hold(second, true))
            await phone.advance(by: moment)
            app.remoteEnded(second)
            try await answer()
        case .daemonRestart:
            try await answer()
            phone.faults.restartDaemon()
        case .invalidation:
            try await answer()
            app.invalidate()
            #expect(await !app.end(first))
            #expect(await !app.ring(second))
        case .killedWithACall:
            try await answer()
            try phone.user.close("parity")
            try phone.user.hangUp()
        case .doNotDisturb:
            phone.user.setDoNotDisturb(true)
            #expect(await !app.ring(first))
            phone.user.setDoNotDisturb(false)
            #expect(await app.ring(first))
            #expect(await !app.ring(first))
        }
    }

    /// A line about a CallKit app as it would be about one of LiveCommunicationKit.
    private func translated(_ line: String) -> String {
        let words = [
            ("CXSetGroupCallAction to leave its group", "UnmergeConversationAction"),
            ("CXSetGroupCallAction", "MergeConversationAction"), ("CXSetHeldCallAction", "PauseConversationAction"),
            ("CXSetMutedCallAction", "MuteConversationAction"), ("CXPlayDTMFCallAction", "PlayToneAction"),
            ("CXAnswerCallAction", "JoinConversationAction"), ("CXStartCallAction", "StartConversationAction"),
            ("CXEndCallAction", "EndConversationAction"), ("asks provider(_:execute:)", "hands over the actions"),
            ("provider", "conversation manager"),
        ]
        return words.reduce(line) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}
