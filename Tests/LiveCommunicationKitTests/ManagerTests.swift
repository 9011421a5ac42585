// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import LiveCommunicationKit
import Testing
import VirtualPhone

/// The manager's life, and that of the app's process.
@Suite(.timeLimit(.minutes(1)))
struct ManagerTests {
    @Test("L1: a process that makes both a CXProvider and a ConversationManager is told so", arguments: [true, false])
    func oneFramework(callKitFirst: Bool) async throws {
        let phone = VirtualPhone()
        defer { phone.shutDown() }
        phone.install(
            App(bundleIdentifier: "both", displayName: "Both") { _ in
                BothFrameworks(callKitFirst: callKitFirst)
            })
        phone.open("both")
        await phone.settle()
        #expect(phone.violations.map(\.rule) == ["L1"])
        #expect(phone.violations.first?.what == "the app made both a CXProvider and a ConversationManager")
    }

    @Test("L1: a second manager is one too many, and the phone says it in the framework's words (R15)")
    func secondManager() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.open()
        let second = app.process.run { ConversationManager(configuration: ConversationApp.configuration) }
        await bench.phone.settle()
        #expect(bench.phone.violations.map(\.rule) == ["R15"])
        #expect(bench.phone.violations.first?.advice.contains("CXProvider") == false)
        withExtendedLifetime(second) {}
    }

    @Test("P1, L1: the delegate is not retained; its release is named (R15), and what it was to perform fails")
    func delegateReleased() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.talk()
        var other: SilentDelegate? = SilentDelegate()
        app.manager.delegate = other
        #expect(app.manager.delegate === other)
        other = nil
        #expect(app.manager.delegate == nil)
        try bench.phone.user.setMuted(true)
        await bench.phone.settle()
        // Nobody performed it, so it failed at once (A4).
        #expect(bench.phone.violations.map(\.rule) == ["R15"])
        #expect(bench.phone.snapshot.calls.map(\.isMuted) == [false])
        #expect(app.manager.pendingActions.isEmpty)
        app.manager.delegate = app
        try bench.phone.user.setMuted(true)
        await bench.phone.settle()
        #expect(bench.phone.snapshot.calls.map(\.isMuted) == [true])
    }

    @Test("L2, P3: invalidate ends every conversation as failed, fails what waits, and silences the delegate")
    func invalidate() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.talk()
        bench.probe.state.withLock { $0.completes["mute"] = .never }
        try await app.perform {
            [
                MuteConversationAction(conversationUUID: Calls.first, isMuted: true),
                PauseConversationAction(conversationUUID: Calls.first, isPaused: true),
            ]
        }
        await bench.phone.settle()
        let pending = app.manager.pendingActions
        let conversation = try #require(app.conversation(Calls.first))
        #expect(pending.map(\.state) == [.running, .idle])
        bench.probe.forget()
        let start = bench.lines.count
        app.manager.invalidate()
        app.manager.invalidate()
        await bench.phone.advance(by: .seconds(60))
        let reason = ConversationAction.State.failed(reason: "the conversation manager was invalidated")
        #expect(pending.map(\.state) == [reason, reason])
        #expect(conversation.state == .left && app.manager.conversations == [] && app.manager.pendingActions.isEmpty)
        #expect(bench.probe.events == [])
        #expect(
            bench.lines(from: start).prefix(2) == [
                "app: invalidated the conversation manager [P3]", "phone: call ended [P3]",
            ])
        #expect(bench.phone.snapshot.calls == [])
        // T3: nothing can be asked for any more, and nothing reported.
        #expect(
            await code { try await app.perform { [EndConversationAction(conversationUUID: Calls.first)] } }
                == "\(requestDomain) 2")
        #expect(
            await code { try await app.manager.reportNewIncomingConversation(uuid: Calls.second, update: .init()) }
                == "\(incomingDomain) 0")
    }

    @Test("P3: a manager that is released ends its conversations")
    func released() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        try await bench.open()
        let app = try #require(bench.probe.app)
        var second: ConversationManager? = app.process.run {
            ConversationManager(configuration: ConversationApp.configuration)
        }
        let delegate = SilentDelegate()
        second?.delegate = delegate
        try await second?.reportNewIncomingConversation(uuid: Calls.second, update: Calls.update)
        #expect(bench.phone.screen.incoming.count == 1)
        second = nil
        await bench.phone.settle()
        #expect(bench.phone.screen.incoming.isEmpty)
        #expect(bench.phone.recents.map(\.outcome) == [.failed])
    }

    @Test("P2, L1: a restart of the call daemon resets the manager: no conversation and no action is left")
    func reset() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.talk()
        bench.probe.state.withLock { $0.completes["pause"] = .never }
        try bench.phone.user.setHeld(true)
        await bench.phone.settle()
        let action = try #require(app.manager.pendingActions.first)
        bench.probe.forget()
        bench.phone.faults.restartDaemon()
        await bench.phone.settle()
        #expect(bench.probe.events == ["changed left", "reset"])
        #expect(app.manager.conversations == [] && app.manager.pendingActions.isEmpty)
        #expect(action.state == .failed(reason: "its conversation is over"))
        action.fulfill()
        #expect(bench.phone.violations == [])
    }

    @Test("E4, T5, L1: a killed app's conversation stays; its next process knows it, and gets the end action")
    func relaunch() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        try await bench.talk()
        try bench.phone.user.close(ConversationBench.bundle)
        bench.probe.state.withLock { $0.app = nil }
        #expect(bench.phone.snapshot.calls.map(\.uuid) == [Calls.first])
        bench.probe.forget()
        try bench.phone.user.hangUp()
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.probe.events == ["begin", "changed leaving", "perform end running", "changed left"])
        #expect(bench.phone.snapshot.calls == [])
        #expect(bench.phone.violations == [])
    }

    @Test("T5: a relaunched app finds the conversation it left, and can end it")
    func leftOver() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        try await bench.talk()
        bench.phone.faults.crash(ConversationBench.bundle)
        bench.probe.state.withLock { $0.app = nil }
        let app = try await bench.open()
        #expect(app.manager.conversations.map(\.uuid) == [Calls.first])
        #expect(app.conversation(Calls.first)?.state == .joined)
        app.report(.conversationEnded(app.process.now, .failed), Calls.first)
        await bench.phone.settle()
        #expect(app.manager.conversations == [] && bench.phone.snapshot.calls == [])
    }

    @Test("I6, E1: a conversation that nobody joins ends after its time by an end action")
    func ringsOut() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        try await bench.ring()
        bench.probe.forget()
        await bench.phone.advance(by: .seconds(60))
        #expect(bench.probe.events == ["changed leaving", "perform end running", "changed left"])
        #expect(bench.phone.recents.map(\.outcome) == [.missed])
    }

    @Test(
        "E3, L1: the reasons of an end are CallKit's",
        arguments: [
            (Conversation.EndedReason.failed, RecentCall.Outcome.failed), (.remoteEnded, .missed),
            (.unanswered, .missed),
            (.joinedElsewhere, .answeredElsewhere), (.declinedElsewhere, .declinedElsewhere),
        ])
    func endedReasons(reason: Conversation.EndedReason, outcome: RecentCall.Outcome) async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.ring()
        app.report(.conversationEnded(app.process.now, reason), Calls.first)
        await bench.phone.settle()
        #expect(bench.phone.recents.map(\.outcome) == [outcome])
        #expect(bench.phone.violations == [])
    }

    @Test("L1: a ConversationManager and a CXCallController in one process are one framework too many, said once")
    func callController() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.talk()
        let controller = app.process.run { CXCallController() }
        #expect(bench.phone.violations == [])
        for muted in [true, false] {
            let action = app.process.run { CXSetMutedCallAction(call: Calls.first, muted: muted) }
            try await controller.requestTransaction(with: action)
            await bench.phone.settle()
        }
        #expect(bench.phone.violations.map(\.rule) == ["L1"])
        #expect(bench.phone.violations.first?.what.contains("CXCallController") == true)
    }
}

private final class BothFrameworks {
    let provider: CXProvider
    let manager: ConversationManager

    init(callKitFirst: Bool) {
        if callKitFirst {
            provider = CXProvider(configuration: CXProviderConfiguration())
            manager = ConversationManager(configuration: ConversationApp.configuration)
        } else {
            manager = ConversationManager(configuration: ConversationApp.configuration)
            provider = CXProvider(configuration: CXProviderConfiguration())
        }
    }
}
