// SPDX-License-Identifier: MIT

import Foundation
import LiveCommunicationKit
import Testing
import VirtualPhone

/// What the user taps on the in-call screen comes to the manager's delegate.
@Suite(.timeLimit(.minutes(1)))
struct UserTapTests {
    @Test("G5, L1: the user merges two conversations and takes one out again")
    func merge() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        try await bench.talk()
        try await bench.ring(Calls.second)
        try bench.phone.user.choose(.holdAndAccept)
        await bench.phone.advance(by: .seconds(1))
        bench.probe.forget()
        try bench.phone.user.merge()
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.probe.events.filter { $0.hasPrefix("perform") }.contains("perform merge running"))
        #expect(bench.phone.screen.inCall.map(\.members.count) == [2])
        bench.probe.forget()
        try bench.phone.user.separate(Calls.second)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.probe.events.contains("perform unmerge running"))
        #expect(bench.phone.screen.inCall.map(\.members.count) == [1, 1])
        #expect(bench.phone.violations == [])
    }

    @Test("G8, L1: the user starts and stops the translation; the action carries the languages")
    func translation() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        try await bench.talk()
        bench.probe.forget()
        try bench.phone.user.setTranslating(true, from: "en", to: "fr")
        await bench.phone.settle()
        let action = try #require(bench.probe.performed.last as? SetTranslatingAction)
        #expect(action.isTranslating)
        #expect(action.localLanguage.languageCode == "en" && action.remoteLanguage.languageCode == "fr")
        #expect(bench.phone.screen.inCall.map(\.isTranslating) == [true])
        try bench.phone.user.setTranslating(false, from: "en", to: "fr")
        await bench.phone.settle()
        #expect(bench.phone.screen.inCall.map(\.isTranslating) == [false])
        #expect(bench.probe.events.count { $0 == "perform translate running" } == 2)
        #expect(bench.phone.violations == [])
    }
}
