// SPDX-License-Identifier: MIT

import Foundation
import LiveCommunicationKit
import Testing
import VirtualPhone

/// Random walks: the user, the app and time do anything, and the framework's books agree with the phone's.
@Suite(.timeLimit(.minutes(2)))
struct ConversationWalkTests {
    @Test("L2: Conversation.state is what the phone knows, whatever happens", arguments: 1...12)
    func walk(seed: UInt64) async throws {
        var random = WalkGenerator(state: seed)
        let bench = ConversationBench(seed: seed)
        defer { bench.close() }
        var seen: Set<String> = []
        for step in 0..<150 {
            let app: ConversationApp
            if let running = bench.probe.app { app = running } else { app = try await bench.open() }
            try await act(on: bench, app, &random)
            await bench.phone.settle()
            let wrong = differences(bench, &seen)
            #expect(wrong == [], "seed \(seed), step \(step)")
            if !wrong.isEmpty { return }
        }
        #expect(seen.count >= 3, "seed \(seed) saw \(seen)")
        print("conversation walk, seed \(seed): \(bench.lines.count) lines, \(seen.sorted())")
    }

    private func differences(_ bench: ConversationBench, _ seen: inout Set<String>) -> [String] {
        guard let app = bench.probe.app, bench.phone.appState(of: ConversationBench.bundle) != .notRunning else {
            return []
        }
        let framework = app.manager.conversations.map { "\($0.uuid) \($0.state)" }
        let phone = bench.phone.snapshot.calls.map { "\($0.uuid) \(expected($0))" }
        for conversation in app.manager.conversations { seen.insert("\(conversation.state)") }
        var wrong = framework.sorted() == phone.sorted() ? [] : ["framework \(framework), phone \(phone)"]
        let live = Set(bench.phone.snapshot.calls.map(\.uuid))
        for action in app.manager.pendingActions where !live.contains(action.conversationUUID) {
            wrong.append("\(ConversationApp.name(of: action)) is pending without a conversation")
        }
        return wrong
    }

    private func expected(_ call: PhoneCall) -> Conversation.State {
        if call.isEnding { return .leaving }
        if call.isOnHold { return .paused }
        switch call.phase {
        case .ringing: return .idle
        case .answering, .dialing, .started: return .joining
        case .connected: return .joined
        }
    }

    private func act(
        on bench: ConversationBench, _ app: ConversationApp, _ random: inout WalkGenerator
    ) async throws {
        let call = [Calls.first, Calls.second, Calls.third].randomElement(using: &random) ?? Calls.first
        let flag = Bool.random(using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0, 1, 2: try? await app.manager.reportNewIncomingConversation(uuid: call, update: Calls.update)
        case 3: try? bench.phone.user.answer()
        case 4: try? bench.phone.user.choose(flag ? .holdAndAccept : .endAndAccept)
        case 5: try? bench.phone.user.decline()
        case 6: try? bench.phone.user.hangUp()
        case 7: try? bench.phone.user.setHeld(flag)
        case 8: try? bench.phone.user.setMuted(flag)
        case 9: try? bench.phone.user.playTone("12")
        case 10:
            try? await app.perform {
                [StartConversationAction(conversationUUID: call, handles: [Calls.bob], isVideo: flag)]
            }
        case 11: try? await app.perform { [JoinConversationAction(conversationUUID: call)] }
        case 12: try? await app.perform { [EndConversationAction(conversationUUID: call)] }
        case 13: try? await app.perform { [PauseConversationAction(conversationUUID: call, isPaused: flag)] }
        case 14: app.report(.conversationConnected(app.process.now), call)
        case 15: app.report(.conversationEnded(app.process.now, flag ? .remoteEnded : .failed), call)
        case 16: await bench.phone.advance(by: .seconds(Int.random(in: 1...70, using: &random)))
        case 17:
            let kinds = ["join", "end", "pause", "start", "mute"]
            let completions: [AppProbe.Completion] = [.fulfill, .fulfill, .fail, .never, .twice]
            let kind = kinds.randomElement(using: &random) ?? "join"
            bench.probe.state.withLock { $0.completes[kind] = completions.randomElement(using: &random) }
        case 18:
            if let action = app.manager.pendingActions.randomElement(using: &random) {
                if flag { action.fulfill() } else { action.fail() }
            }
        default:
            guard Int.random(in: 0..<4, using: &random) == 0 else { return }
            if flag {
                bench.phone.faults.restartDaemon()
            } else {
                bench.phone.faults.crash(ConversationBench.bundle)
                bench.probe.state.withLock { $0.app = nil }
            }
        }
    }
}

/// SplitMix64.
struct WalkGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
