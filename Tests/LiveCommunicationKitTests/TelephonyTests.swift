// SPDX-License-Identifier: MIT

import Foundation
import LiveCommunicationKit
import Testing
import VirtualPhone

/// What the framework offers to dialer apps.
@Suite(.timeLimit(.minutes(1)))
struct TelephonyTests {
    @Test("L1: a dialer app makes a cellular call over the phone's line; it is none of its conversations")
    func cellularCall() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.open()
        let telephony = TelephonyConversationManager.sharedInstance
        let service = try #require(app.process.run { telephony.cellularServices.first })
        #expect(service.label == "Primary")
        try await start(StartCellularConversationAction(Calls.alice, cellularService: service), in: app)
        await bench.phone.settle()
        #expect(bench.phone.screen.inCall.map(\.callerName) == [Calls.alice.value])
        #expect(app.manager.conversations == [])
        #expect(bench.phone.snapshot.calls.first?.app != ConversationBench.bundle)
    }

    private func start(_ action: StartCellularConversationAction, in app: ConversationApp) async throws {
        try await app.inProcess {
            try await TelephonyConversationManager.sharedInstance.startCellularConversation(action)
        }
    }

    @Test("L1: without a line, or without somebody to call, there is no cellular call")
    func noCellularCall() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.open()
        let json = Data(#"{"label":"Gone","id":"\#(UUID().uuidString)"}"#.utf8)
        let service = try JSONDecoder().decode(CellularService.self, from: json)
        #expect(
            await code {
                try await start(StartCellularConversationAction(Calls.alice, cellularService: service), in: app)
            } == "\(requestDomain) 0")
        try await bench.ring(update: Conversation.Update())
        try bench.phone.user.decline()
        await bench.phone.settle()
        let nobody = try #require(try await recents(of: app, #Predicate { _ in true }).first)
        #expect(nobody.handles == [])
        #expect(
            await code { try await start(StartCellularConversationAction(nobody), in: app) } == "\(requestDomain) 6")
        #expect(bench.phone.snapshot.calls == [])
    }

    private func recents(
        of app: ConversationApp, _ predicate: Predicate<ConversationHistoryManager.RecentConversation>
    ) async throws -> [ConversationHistoryManager.RecentConversation] {
        try await app.inProcess {
            try await ConversationHistoryManager.sharedInstance.recentConversations(matching: predicate)
        }
    }

    @Test("L1, R41: Recents, newest first, with direction, length, status, and what was read")
    func history() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.talk()
        await bench.phone.advance(by: .seconds(30))
        try bench.phone.user.hangUp()
        await bench.phone.settle()
        try await app.perform {
            [StartConversationAction(conversationUUID: Calls.second, handles: [Calls.bob], isVideo: false)]
        }
        await bench.phone.settle()
        try bench.phone.user.hangUp()
        try await bench.ring(Calls.third)
        await bench.phone.advance(by: .seconds(60))
        let all = try await recents(of: app, #Predicate { _ in true })
        #expect(all.map(\.id) == [Calls.third, Calls.second, Calls.first])
        #expect(all.map(\.status) == [.missed, .cancelled, .connected])
        #expect(all.map(\.direction) == [.incoming, .outgoing, .incoming])
        #expect(all.map(\.isRead) == [false, true, true])
        #expect(all.map { $0.duration.rounded() } == [0, 0, 30])
        #expect(all.last?.handles == [Calls.alice])
        let unread = #Predicate<ConversationHistoryManager.RecentConversation> { !$0.isRead }
        let missed = try #require(try await recents(of: app, unread).first)
        try await app.inProcess { try await ConversationHistoryManager.sharedInstance.markConversationAsRead(missed) }
        #expect(try await recents(of: app, unread) == [])
    }
}
