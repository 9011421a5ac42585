// SPDX-License-Identifier: MIT

import Foundation
import LiveCommunicationKit
import Testing
import VirtualPhone

/// Every action, from the user's taps and from the app, completed in every way.
@Suite(.timeLimit(.minutes(1)))
struct ActionTests {
    enum Gesture: String, CaseIterable, Sendable {
        case join, decline, end, pause, mute, tone

        var action: String {
            switch self {
            case .join, .end, .pause, .mute: return rawValue
            case .decline: return "end"
            case .tone: return "tone 5"
            }
        }
        var rings: Bool { self == .join || self == .decline }
        var limit: Duration { self == .join ? .seconds(60) : .seconds(5) }

        func make(on phone: VirtualPhone) throws {
            switch self {
            case .join: try phone.user.answer()
            case .decline: try phone.user.decline()
            case .end: try phone.user.hangUp()
            case .pause: try phone.user.setHeld(true)
            case .mute: try phone.user.setMuted(true)
            case .tone: try phone.user.playTone("5")
            }
        }
    }

    private func bench(_ gesture: Gesture, _ completion: AppProbe.Completion) async throws -> ConversationBench {
        let bench = ConversationBench()
        if gesture.rings { try await bench.ring() } else { try await bench.talk() }
        bench.probe.state.withLock { $0.completes[gesture.action] = completion }
        bench.probe.forget()
        try gesture.make(on: bench.phone)
        await bench.phone.advance(by: .milliseconds(100))
        return bench
    }

    private func state(_ bench: ConversationBench) -> Conversation.State? {
        bench.probe.app?.conversation(Calls.first)?.state
    }

    @Test(
        "A1, E1, G2, G6, G7, L2: what the user taps comes as an action, and does it when fulfilled",
        arguments: Gesture.allCases)
    func fulfilled(gesture: Gesture) async throws {
        let bench = try await bench(gesture, .fulfill)
        defer { bench.close() }
        #expect(bench.probe.events.filter { $0.hasPrefix("perform") } == ["perform \(gesture.action) running"])
        #expect(bench.probe.performed.last?.state == .complete)
        #expect(bench.probe.app?.manager.pendingActions.isEmpty == true)
        let call = bench.phone.snapshot.calls.first
        switch gesture {
        case .join: #expect(state(bench) == .joined)
        case .decline, .end: #expect(state(bench) == nil && call == nil)
        case .pause: #expect(state(bench) == .paused)
        case .mute: #expect(call?.isMuted == true && state(bench) == .joined)
        case .tone: #expect(state(bench) == .joined)
        }
        #expect(bench.phone.violations == [])
    }

    @Test(
        "A4, L2: a failed join ends the conversation; another failed action changes nothing",
        arguments: Gesture.allCases)
    func failed(gesture: Gesture) async throws {
        let bench = try await bench(gesture, .fail)
        defer { bench.close() }
        #expect(bench.probe.performed.last?.state == .failed(reason: "the app failed it"))
        switch gesture {
        case .join:
            #expect(state(bench) == nil && bench.phone.recents.map(\.outcome) == [.failed])
            #expect(bench.probe.events.last == "changed left")
        case .decline: #expect(state(bench) == .idle)
        case .end, .pause, .mute, .tone: #expect(state(bench) == .joined)
        }
        #expect(bench.phone.violations == [])
    }

    @Test(
        "T6, T8, R29, L2: an action that is not completed fails at its deadline, and the delegate hears it",
        arguments: Gesture.allCases)
    func timedOut(gesture: Gesture) async throws {
        let bench = try await bench(gesture, .never)
        defer { bench.close() }
        let action = try #require(bench.probe.performed.last)
        let app = try #require(bench.probe.app)
        #expect(action.state == .running && app.manager.pendingActions.map(\.uuid) == [action.uuid])
        #expect(
            app.conversation(Calls.first).map {
                app.manager.pendingConversationActions(of: type(of: action), for: $0).count
            } == 1)
        await bench.phone.advance(by: gesture.limit)
        let failed = "failed(reason: \"its time was over\")"
        #expect(bench.probe.events.contains("timed out \(gesture.action) \(failed)"))
        #expect(bench.phone.violations.map(\.rule) == ["R29"])
        #expect(bench.phone.violations.first?.what.contains("CX") == false)
        if gesture == .join {
            #expect(bench.probe.events.suffix(2) == ["perform end running", "changed left"])
            #expect(state(bench) == nil)
        }
        #expect(app.manager.pendingActions.isEmpty)
        // T8: it must not be completed any more, and nothing comes of it.
        action.fulfill()
        #expect(action.state == .failed(reason: "its time was over"))
    }

    @Test("T7, L2: an action completed twice counts once", arguments: Gesture.allCases)
    func completedTwice(gesture: Gesture) async throws {
        let bench = try await bench(gesture, .twice)
        defer { bench.close() }
        #expect(bench.probe.performed.last?.state == .complete)
        #expect(bench.phone.violations == [])
    }

    // MARK: - From the app

    @Test("O1, L1: what the app asks for comes to its delegate as the same object, and is done when fulfilled")
    func performedByTheApp() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.ring()
        bench.probe.forget()
        let english = Locale.Language(identifier: "en")
        let french = Locale.Language(identifier: "fr")
        let made = app.process.run {
            [
                JoinConversationAction(conversationUUID: Calls.first),
                MuteConversationAction(conversationUUID: Calls.first, isMuted: true),
                PlayToneAction(conversationUUID: Calls.first, digits: "1,2", tone: .softPause),
                PauseConversationAction(conversationUUID: Calls.first, isPaused: true),
                PauseConversationAction(conversationUUID: Calls.first, isPaused: false),
                SetTranslatingAction(
                    conversationID: Calls.first, isTranslating: true, localLanguage: english, remoteLanguage: french),
                EndConversationAction(conversationUUID: Calls.first),
            ]
        }
        #expect(made.allSatisfy { $0.state == .idle })
        for action in made {
            try await app.manager.perform([action])
            await bench.phone.advance(by: .milliseconds(100))
        }
        #expect(bench.probe.performed.elementsEqual(made, by: ===))
        #expect(made.allSatisfy { $0.state == .complete })
        #expect(
            bench.probe.events.filter { $0.hasPrefix("perform") } == [
                "perform join running", "perform mute running", "perform tone 1,2 running", "perform pause running",
                "perform resume running", "perform translate running", "perform end running",
            ])
        #expect(app.manager.conversations == [])
        #expect(bench.phone.violations == [])
    }

    @Test("T9, L1: the actions of one perform come one after the other, and wait for each other")
    func inOrder() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.talk()
        bench.probe.state.withLock { $0.completes["mute"] = .never }
        bench.probe.forget()
        try await app.perform {
            [
                MuteConversationAction(conversationUUID: Calls.first, isMuted: true),
                PauseConversationAction(conversationUUID: Calls.first, isPaused: true),
            ]
        }
        await bench.phone.settle()
        #expect(bench.probe.events == ["perform mute running"])
        #expect(app.manager.pendingActions.map(\.state) == [.running, .idle])
        try #require(app.manager.pendingActions.first).fulfill()
        await bench.phone.settle()
        #expect(bench.probe.events.prefix(2) == ["perform mute running", "perform pause running"])
        #expect(app.manager.pendingActions.isEmpty)
    }

    @Test("G5, L1: two conversations are merged and unmerged; a third is too many for the group")
    func merge() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.talk()
        try await bench.ring(Calls.second)
        try bench.phone.user.choose(.holdAndAccept)
        await bench.phone.advance(by: .seconds(1))
        bench.probe.forget()
        try await app.perform {
            [MergeConversationAction(conversationUUID: Calls.second, conversationUUIDToMergeWith: Calls.first)]
        }
        await bench.phone.settle()
        #expect(bench.probe.events.first == "perform merge running")
        try await bench.ring(Calls.third)
        let third = await code {
            try await app.perform {
                [MergeConversationAction(conversationUUID: Calls.third, conversationUUIDToMergeWith: Calls.first)]
            }
        }
        #expect(third == "\(requestDomain) 6")
        let start = bench.lines.count
        try await app.perform { [UnmergeConversationAction(conversationUUID: Calls.second)] }
        await bench.phone.settle()
        #expect(bench.lines(from: start).contains("app: fulfilled UnmergeConversationAction [G5]"))
        #expect(bench.phone.violations == [])
    }
}
