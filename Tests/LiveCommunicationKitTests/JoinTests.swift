// SPDX-License-Identifier: MIT

import Foundation
import LiveCommunicationKit
import Testing
import VirtualPhone

/// Whole timelines of conversations that come in.
@Suite(.timeLimit(.minutes(1)))
struct JoinTests {
    @Test("L2: push, ring, join on the lock screen, connect, talk, end")
    func wholeConversation() async throws {
        let bench = ConversationBench(locked: true)
        defer { bench.close() }
        let token = try await bench.register()
        let start = bench.lines.count
        bench.phone.receivePush(token: token, payload: Data("{}".utf8))
        try await bench.phone.wait { $0.timeline.entries.contains { $0.text.contains("completion handler") } }
        #expect(bench.phone.screen.incoming.first?.callerName == "Alice")
        try bench.phone.user.answer()
        await bench.phone.advance(by: .seconds(10))
        try bench.phone.user.hangUp()
        await bench.phone.settle()
        #expect(
            bench.lines(from: start) == [
                "apns: VoIP push arrived [K1]",
                "phone: launched the app in the background for a push [K1]",
                "app: created a conversation manager [P1]",
                "app: registered for VoIP pushes [K1]",
                "phone: handed out the push token [K1]",
                "app: launched [K1]",
                "phone: delivered the push [K3]",
                "app: reported an incoming call [I1]",
                "phone: rings [I1]",
                "app: push callback returned [K3]",
                "phone: check 1 passed [K3]",
                "app: called the push's completion handler [K5]",
                "user: tapped Answer on the lock screen [A1]",
                "phone: hands over the actions [T9]",
                "phone: performs JoinConversationAction [A1]",
                "app: reported the conversation connecting [L2]",
                "app: reported the conversation connected [L2]",
                "app: fulfilled JoinConversationAction [A1]",
                "phone: call connected [A1]",
                "phone: activated the audio session [S1]",
                "phone: check 2 passed [K4]",
                "user: tapped End [E1]",
                "phone: hands over the actions [T9]",
                "phone: performs EndConversationAction [E1]",
                "app: fulfilled EndConversationAction [E1]",
                "phone: call ended [E1]",
                "phone: deactivated the audio session [S2]",
            ])
        #expect(
            bench.probe.events == [
                "begin", "push", "changed idle", "reported", "changed joining", "perform join running",
                "changed joined", "didActivate", "changed leaving", "perform end running", "changed left",
                "didDeactivate",
            ])
        #expect(bench.phone.violations == [])
        #expect(bench.phone.recents.map(\.outcome) == [.answered])
        #expect(bench.phone.recents.first?.duration == .seconds(10))
    }

    @Test("L2: an outgoing conversation, from perform to the other side's answer")
    func outgoing() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.open()
        let start = bench.lines.count
        bench.probe.forget()
        try await app.perform {
            [StartConversationAction(conversationUUID: Calls.first, handles: [Calls.alice, Calls.bob], isVideo: false)]
        }
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.phone.screen.inCall.first?.callerName == "Alice, bob")
        #expect(app.conversation(Calls.first)?.state == .joining)
        app.report(.conversationConnected(app.process.now), Calls.first)
        await bench.phone.settle()
        #expect(app.conversation(Calls.first)?.state == .joined)
        app.report(.conversationEnded(app.process.now, .remoteEnded), Calls.first)
        await bench.phone.settle()
        #expect(
            bench.lines(from: start) == [
                "app: requested StartConversationAction [O1]",
                "phone: accepted the request [O1]",
                "phone: outgoing call appeared [C2]",
                "phone: hands over the actions [T9]",
                "phone: performs StartConversationAction [O2]",
                "app: reported the call connecting [O2]",
                "app: fulfilled StartConversationAction [O2]",
                "phone: activated the audio session [S1]",
                "app: reported the call connected [O2]",
                "phone: call connected [C2]",
                "app: reported the call ended: remoteEnded [E2]",
                "phone: call ended [C2]",
                "phone: deactivated the audio session [S2]",
            ])
        #expect(
            bench.probe.events == [
                "changed joining", "perform start running", "didActivate", "changed joined", "changed left",
                "didDeactivate",
            ])
        #expect(app.manager.conversations == [] && app.manager.pendingActions.isEmpty)
        #expect(bench.phone.violations == [])
    }

    @Test("G2, L2: Hold & Accept pauses the active conversation, then joins the new one; resuming swaps them")
    func holdAndAccept() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.talk()
        try await bench.ring(Calls.second)
        bench.probe.forget()
        try bench.phone.user.choose(.holdAndAccept)
        await bench.phone.advance(by: .seconds(1))
        #expect(
            bench.probe.events == [
                "changed joining", "perform pause running", "changed paused", "didDeactivate", "perform join running",
                "changed joined", "didActivate",
            ])
        #expect(app.conversation(Calls.first)?.state == .paused)
        #expect(app.conversation(Calls.second)?.state == .joined)
        bench.probe.forget()
        try bench.phone.user.setHeld(false, call: Calls.first)
        await bench.phone.advance(by: .seconds(1))
        #expect(
            bench.probe.events == [
                "perform pause running", "changed paused", "didDeactivate", "perform resume running",
                "changed joined", "didActivate",
            ])
        #expect(app.manager.conversations.map(\.state) == [.joined, .paused])
        #expect(bench.phone.violations == [])
    }

    @Test("G2: End & Accept ends the active conversation, then joins the new one")
    func endAndAccept() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.talk()
        try await bench.ring(Calls.second)
        bench.probe.forget()
        try bench.phone.user.choose(.endAndAccept)
        await bench.phone.advance(by: .seconds(1))
        #expect(
            bench.probe.events.filter { $0.hasPrefix("perform") } == ["perform end running", "perform join running"])
        #expect(app.manager.conversations.map(\.uuid) == [Calls.second])
        #expect(bench.phone.violations == [])
    }

    @Test("L2: a conversation that nobody joined cannot be reported connecting or connected")
    func reportedTooEarly() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.ring()
        app.report(.conversationConnected(app.process.now), Calls.first)
        app.report(.conversationStartedConnecting(app.process.now), Calls.first)
        await bench.phone.settle()
        #expect(bench.phone.violations.map(\.rule) == ["L2", "L2"])
        #expect(app.conversation(Calls.first)?.state == .idle)
    }

    @Test("L2: the timer starts when the conversation was reported connected, or when its action says")
    func connectedDate() async throws {
        var state = AppProbe.State()
        state.completes["join"] = .never
        let bench = ConversationBench(state)
        defer { bench.close() }
        let app = try await bench.ring()
        try bench.phone.user.answer()
        await bench.phone.advance(by: .seconds(3))
        let date = app.process.now
        app.report(.conversationConnected(date), Calls.first)
        await bench.phone.advance(by: .seconds(2))
        #expect(app.conversation(Calls.first)?.state == .joining)
        try #require(bench.probe.performed.first).fulfill()
        await bench.phone.settle()
        #expect(bench.phone.snapshot.calls.first?.connectedAt == date)
    }
}
