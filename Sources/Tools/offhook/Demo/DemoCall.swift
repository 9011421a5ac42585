// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookMedia
import OffhookServer
import OffhookTesting
import VirtualPhone

/// The demo's story: Alice calls Bob, whose app is dead and whose phone is locked; they talk, mute, hold and hang up.
struct DemoCall {
    /// When what was said, for the verification.
    struct Moments {
        /// The stretches in which both talk, in order.
        var talk: [ClosedRange<Date>] = []
        /// While Alice is muted.
        var muted = Date()...Date()
        /// While Bob holds.
        var held = Date()...Date()
    }

    /// What came out of it.
    struct Outcome {
        /// The call.
        var call: CallID
        /// When what was.
        var moments: Moments
        /// What each side really sent.
        var sent: [String: PCM]
        /// The record as the server's database has it, read by a server started anew.
        var record: CallRecord?
        /// The screens at the turning points.
        var screens: [DemoReport.Screen]
    }

    let stage: DemoStage
    /// How long each stretch of talk lasts.
    let talk: Duration

    /// Plays the story.
    func play() async throws -> Outcome {
        var screens: [DemoReport.Screen] = []
        try await prepareBob()
        let (alice, call) = try await placeCall()
        try await stage.bob.wait { !$0.screen.incoming.isEmpty }
        milestone("Bob's locked phone rings", rule: "I1", from: .bobPhone, to: .bob, call: call)
        let card = stage.bob.screen.incoming.first
        screens.append(screen("Bob", .ringing, card?.callerName ?? "", "Offhook Demo · on the lock screen"))
        try await alice.calls.wait(for: "the ringback at Alice") { $0.contains { $0.id == call && $0.remoteRinging } }
        screens.append(screen("Alice", .calling, "Bob", "calling…"))
        try await Task.sleep(for: .milliseconds(900))

        try stage.bob.user.answer()
        milestone("Bob answers on the lock screen", rule: "R75", from: .bob, to: .bobPhone, call: call)
        let bob = try await app("bob", on: stage.bob)
        try await alice.calls.wait(for: "voice at Alice") { $0.contains { $0.id == call && $0.state == .active } }
        try await bob.calls.wait(for: "voice at Bob") { $0.contains { $0.id == call && $0.state == .active } }
        stage.recorder.record(
            "voice both ways", from: .aliceApp, to: .bobApp, rule: "R28", call: "\(call)", kind: .voice)

        var moments = Moments()
        moments.talk.append(try await talk(for: talk))
        screens.append(screen("Alice", .inCall, "Bob", "0:0\(min(9, Int(talk / .seconds(1))))"))
        screens.append(screen("Bob", .inCall, "Alice", "locked · 0:0\(min(9, Int(talk / .seconds(1))))"))

        milestone("Alice mutes", rule: "R48", from: .alice, to: .alicePhone, call: call)
        try stage.alice.user.setMuted(true)
        try await alice.calls.wait(for: "mute at Alice") { $0.contains { $0.id == call && $0.muted } }
        moments.muted = try await talk(for: .milliseconds(1800))
        screens.append(screen("Alice", .inCall, "Bob", "muted", muted: true))
        milestone("Alice unmutes", rule: "R48", from: .alice, to: .alicePhone, call: call)
        try stage.alice.user.setMuted(false)
        try await alice.calls.wait(for: "unmute at Alice") { $0.contains { $0.id == call && !$0.muted } }
        moments.talk.append(try await talk(for: max(.seconds(2), talk / 2)))

        milestone("Bob holds", rule: "R47", from: .bob, to: .bobPhone, call: call)
        try stage.bob.user.setHeld(true)
        try await bob.calls.wait(for: "hold at Bob") { $0.contains { $0.id == call && $0.state == .held } }
        moments.held = try await talk(for: .milliseconds(1800))
        screens.append(screen("Bob", .inCall, "Alice", "on hold", held: true))
        milestone("Bob resumes", rule: "R47", from: .bob, to: .bobPhone, call: call)
        try stage.bob.user.setHeld(false)
        try await bob.calls.wait(for: "resume at Bob") { $0.contains { $0.id == call && $0.state == .active } }
        try await stage.bob.wait { $0.isCallAudioActive }
        moments.talk.append(try await talk(for: max(.seconds(2), talk / 2)))

        milestone("Alice hangs up", rule: "E1", from: .alice, to: .alicePhone, call: call)
        try stage.alice.user.hangUp()
        try await stage.alice.wait { $0.calls.isEmpty && !$0.isCallAudioActive }
        try await stage.bob.wait { $0.calls.isEmpty && !$0.isCallAudioActive }
        milestone("the call is over on both phones", rule: "R95", from: .bobPhone, to: .bob, call: call)
        let sent = ["alice": alice.sent.recording, "bob": bob.sent.recording]
        let record = try await record(of: call)
        return Outcome(call: call, moments: moments, sent: sent, record: record, screens: screens)
    }

    /// Bob opened his app once, so that the server knows his phone; then he closed it and locked the phone.
    func prepareBob() async throws {
        stage.bob.open(DemoStage.bundle)
        try await stage.bob.wait { $0.pushTokens[DemoStage.bundle] != nil }
        guard let token = stage.bob.pushToken(for: DemoStage.bundle) else {
            throw DemoStopped(what: "Bob's push token")
        }
        stage.connectPushes(to: stage.bob, token: token)
        try await stage.recorder.wait(for: "device bob-iphone registered a push token")
        try stage.bob.user.close(DemoStage.bundle)
        stage.bob.user.lock()
        try await stage.recorder.wait(for: "device bob-iphone is away")
        milestone("Bob's app is closed, his phone is locked", rule: "R75", from: .bob, to: .bobPhone)
    }

    /// Alice opens her app and calls Bob.
    func placeCall() async throws -> (CallingApp, CallID) {
        stage.alice.open(DemoStage.bundle)
        let alice = try await app("alice", on: stage.alice)
        try await stage.recorder.wait(for: "device alice-iphone is here")
        milestone("Alice calls Bob", rule: "R40", from: .alice, to: .aliceApp)
        return (alice, try await alice.calls.startCall(to: Handle(value: "bob"), displayName: "Bob").get())
    }

    private func app(_ user: String, on phone: VirtualPhone) async throws -> CallingApp {
        await phone.settle()
        guard let app = stage.app(of: user) else { throw DemoStopped(what: "\(user)'s app") }
        return app
    }

    private func talk(for duration: Duration) async throws -> ClosedRange<Date> {
        let start = Date()
        try await Task.sleep(for: duration)
        return start...Date()
    }

    /// The record from the database: the server is stopped, and another one opens the file.
    private func record(of call: CallID) async throws -> CallRecord? {
        await stage.server.stop()
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.database = stage.database
        let reader = OffhookServer(configuration)
        try await reader.start()
        let record = await reader.callRecord(call)
        await reader.stop()
        return record
    }

    private func milestone(
        _ text: String, rule: String, from: DemoTimeline.Actor, to: DemoTimeline.Actor?, call: CallID? = nil
    ) {
        stage.recorder.record(text, from: from, to: to, rule: rule, call: call?.description, kind: .milestone)
    }

    private func screen(
        _ owner: String, _ content: DemoReport.Screen.Content, _ name: String, _ detail: String, muted: Bool = false,
        held: Bool = false
    ) -> DemoReport.Screen {
        DemoReport.Screen(
            owner: owner, milliseconds: stage.recorder.elapsed.inMilliseconds, content: content, name: name,
            detail: detail, muted: muted, held: held)
    }
}
