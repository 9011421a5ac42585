// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookNet
import OffhookTesting
import Testing
import VirtualPhone

/// Two people with Offhook's engine and server, in one virtual time.
struct EngineLab {
    let lab = PhoneLab(seed: 1)
    let alice: LabUser
    /// Asleep: his app is closed, his phone locked.
    let bob: LabUser

    /// - Parameters:
    ///   - settings: Those of both phones.
    ///   - capabilities: What the media engine of both apps can do.
    ///   - configure: Changes the configuration of both apps.
    /// - Throws: When an app did not stay alive.
    init(
        _ settings: PhoneSettings = PhoneSettings(), capabilities: MediaCapabilities = MediaCapabilities(),
        configure: @escaping @Sendable (inout CallCenter.Configuration) -> Void = { _ in }
    ) async throws {
        for name in ["alice", "bob"] { _ = lab.phone(name, settings: settings) }
        alice = try await lab.join("alice", capabilities: capabilities, configure: configure)
        bob = try await lab.join("bob", closed: true, capabilities: capabilities, configure: configure)
    }

    /// A world of two calls and groups of five.
    static func waiting() async throws -> EngineLab {
        try await EngineLab {
            $0.provider.maximumCallGroups = 2
            $0.provider.maximumCallsPerCallGroup = 5
        }
    }

    /// Alice calls Bob, whose phone rings.
    @discardableResult
    func ring() async throws -> CallID {
        await alice.call("bob")
        await lab.advance(by: .seconds(3))
        let card = try #require(bob.phone.screen.incoming.first)
        return try #require(CallID(card.call.uuidString))
    }

    /// Alice calls Bob, who answers on his phone.
    @discardableResult
    func talk() async throws -> CallID {
        let call = try await ring()
        try bob.phone.user.answer()
        await lab.advance(by: .seconds(1))
        return call
    }

    /// Somebody's app does something; time stands still meanwhile.
    func command(_ user: LabUser, _ body: @escaping @Sendable (CallCenter) async throws -> Void) async throws {
        let calls = try #require(user.calls)
        let isOver = Guarded(false)
        let task = Task {
            defer { isOver.withLock { $0 = true } }
            try await body(calls)
        }
        while !isOver.withLock({ $0 }) {
            await lab.settle()
            await Task.yield()
        }
        try await task.value
        await lab.settle()
    }

    /// Bob's call as his screen shows it.
    var shown: Screen.InCall? { bob.phone.screen.inCall.first }

    /// Where Bob's call sounds.
    var output: String? { bob.phone.audioSession(of: bob.bundle)?.outputPort }

    /// How often a line is in Bob's timeline.
    func count(_ text: String) -> Int {
        bob.phone.timeline.entries.count { $0.text == text }
    }

    /// How Bob's audio switch was turned in a call.
    func switches(_ call: CallID) -> [Bool] {
        bob.media.entries(call).compactMap { if case .audioOpen(let open) = $0 { open } else { nil } }
    }

    /// Checks that no phone found anything to blame, and that nothing was left behind.
    func expectClean() {
        #expect(lab.violations.isEmpty, "\(lab.violations)")
        #expect(lab.phones.flatMap(\.deaths).allSatisfy { $0.rule == nil })
    }
}
