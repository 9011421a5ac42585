// SPDX-License-Identifier: MIT

import Foundation
import LiveCommunicationKit
import Testing
import VirtualPhone

/// What apps do wrong, and what the phone makes of it.
@Suite(.timeLimit(.minutes(1)))
struct BadInputTests {
    @Test("T1, T2, L1: what the phone refuses to perform, with CallKit's domain and codes")
    func refusals() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.talk()
        let unknown = UUID()
        func refusal(_ make: () -> [ConversationAction]) async -> String? {
            await code { try await app.perform(make) }
        }
        #expect(await refusal { [] } == "\(requestDomain) 3")
        #expect(await refusal { [EndConversationAction(conversationUUID: unknown)] } == "\(requestDomain) 4")
        #expect(
            await refusal {
                [StartConversationAction(conversationUUID: Calls.first, handles: [Calls.bob], isVideo: false)]
            } == "\(requestDomain) 5")
        #expect(
            await refusal { [StartConversationAction(conversationUUID: unknown, handles: [], isVideo: false)] }
                == "\(requestDomain) 6")
        #expect(
            await refusal { [ConversationAction(conversationUUID: Calls.first, timeoutDate: .distantFuture)] }
                == "\(requestDomain) 6")
        try await bench.ring(Calls.second)
        #expect(
            await refusal { [StartConversationAction(conversationUUID: unknown, handles: [Calls.bob], isVideo: false)] }
                == "\(requestDomain) 7")
        #expect(app.manager.pendingActions.isEmpty)
        #expect(app.manager.conversations.map(\.uuid) == [Calls.first, Calls.second])
    }

    @Test("T7, L1: an action is performed once: the same object is refused, before and after it is complete")
    func sameActionTwice() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.talk()
        let action = app.process.run { MuteConversationAction(conversationUUID: Calls.first, isMuted: true) }
        try await app.manager.perform([action])
        #expect(await code { try await app.manager.perform([action]) } == "\(requestDomain) 6")
        await bench.phone.settle()
        #expect(action.state == .complete)
        #expect(await code { try await app.manager.perform([action]) } == "\(requestDomain) 6")
        #expect(bench.probe.performed.filter { $0 === action }.count == 1)
    }

    @Test("T7: an action that no manager has can be completed by nobody; one that waits, not yet")
    func completedTooEarly() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.talk()
        let loose = app.process.run { EndConversationAction(conversationUUID: Calls.first) }
        loose.fulfill()
        loose.fail()
        #expect(loose.state == .idle && bench.phone.violations == [])
        bench.probe.state.withLock { $0.completes["mute"] = .never }
        try await app.perform {
            [
                MuteConversationAction(conversationUUID: Calls.first, isMuted: true),
                PauseConversationAction(conversationUUID: Calls.first, isPaused: true),
            ]
        }
        await bench.phone.settle()
        let waiting = try #require(app.manager.pendingActions.last)
        waiting.fulfill()
        #expect(waiting.state == .idle)
        #expect(bench.phone.violations.map(\.rule) == ["T7"])
        #expect(
            bench.phone.violations.first?.what
                == "PauseConversationAction was completed before the conversation manager was asked to perform it")
    }

    @Test("E2, I3, I4: events of a conversation that is over do nothing; refused reports leave no conversation")
    func unknownConversations() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.ring()
        let conversation = try #require(app.conversation(Calls.first))
        #expect(
            await code { try await app.manager.reportNewIncomingConversation(uuid: Calls.first, update: .init()) }
                == "\(incomingDomain) 2")
        app.report(.conversationEnded(app.process.now, .remoteEnded), Calls.first)
        await bench.phone.settle()
        for event in [
            Conversation.Event.conversationStartedConnecting(app.process.now), .conversationConnected(.now),
            .conversationUpdated(Calls.update), .conversationEnded(.now, .failed),
        ] {
            app.manager.reportConversationEvent(event, for: conversation)
        }
        await bench.phone.settle()
        #expect(conversation.state == .left && bench.phone.recents.count == 1)
        bench.phone.user.block([HandleValue(type: 2, value: Calls.alice.value)])
        #expect(
            await code { try await app.manager.reportNewIncomingConversation(uuid: Calls.second, update: Calls.update) }
                == "\(incomingDomain) 4")
        #expect(app.manager.conversations == [])
        #expect(bench.phone.violations == [])
    }

    @Test("O4, G2, L1: without capabilities the phone offers nothing; an update adds them")
    func capabilities() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.ring(update: Conversation.Update(members: [Calls.alice]))
        try bench.phone.user.answer()
        await bench.phone.settle()
        #expect(bench.phone.screen.inCall.first?.canHold == false)
        #expect(throws: PhoneUserError.notOffered("hold")) { try bench.phone.user.setHeld(true) }
        app.report(.conversationUpdated(.init(capabilities: [.pausing, .video])), Calls.first)
        await bench.phone.settle()
        #expect(bench.phone.screen.inCall.first?.canHold == true)
        #expect(bench.phone.screen.inCall.first?.hasVideo == true)
        // I7: what an update leaves out stays.
        #expect(bench.phone.screen.inCall.first?.callerName == "Alice")
    }

    @Test("I7, L1: a contact's name comes before the app's, the app's before the address")
    func names() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        bench.phone.user.setContacts([HandleValue(type: 2, value: Calls.alice.value): "Mum"])
        let app = try await bench.ring(update: Conversation.Update(members: [Calls.alice, Calls.bob]))
        #expect(bench.phone.screen.incoming.first?.callerName == "Mum, bob")
        bench.phone.user.setContacts([:])
        #expect(bench.phone.screen.incoming.first?.callerName == "Alice, bob")
        app.report(.conversationUpdated(.init(localMember: Calls.bob, members: [Calls.bob])), Calls.first)
        await bench.phone.settle()
        #expect(bench.phone.screen.incoming.first?.callerName == "bob")
        #expect(app.conversation(Calls.first)?.localMember == Calls.bob)
    }

    @Test("Huge and empty names, and thousands of members, are shown or not, and break nothing")
    func hugeValues() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let huge = Handle(type: .generic, value: String(repeating: "x", count: 1 << 20), displayName: "")
        let many = Set((0..<5000).map { Handle(type: .generic, value: "member \($0)") })
        let app = try await bench.ring(update: Conversation.Update(members: [huge]))
        app.report(.conversationUpdated(.init(members: many, activeRemoteMembers: many)), Calls.first)
        app.report(.conversationUpdated(.init(members: [], capabilities: [])), Calls.first)
        try bench.phone.user.answer()
        await bench.phone.settle()
        try await app.perform {
            [
                PlayToneAction(
                    conversationUUID: Calls.first, digits: String(repeating: "1", count: 1 << 16), tone: .hardPause)
            ]
        }
        await bench.phone.settle()
        #expect(app.conversation(Calls.first)?.state == .joined)
        #expect(bench.phone.violations == [])
    }
}
