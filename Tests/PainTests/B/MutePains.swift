// SPDX-License-Identifier: MIT

import AVFAudio
import CallKit
import Foundation
import Testing
import VirtualPhone

/// P36-P38: who is muted and does not know, and the other way round.
@Suite(.timeLimit(.minutes(1))) struct MutePains {
    // MARK: - P36

    /// Mutes its microphone behind the phone's back.
    private final class PrivateMuteApp: PracticeApp {
        override func setMuted(_ isMuted: Bool, _ call: UUID) {
            try? AVAudioApplication.shared.setInputMuted(isMuted)
        }

        override func mute(_ action: CXSetMutedCallAction) {
            try? AVAudioApplication.shared.setInputMuted(action.isMuted)
            action.fulfill()
        }
    }

    @Test("P36: an app that mutes without a transaction: the phone's screen says that the user is heard")
    func mutedInPrivate() async throws {
        let practice = Practice { PrivateMuteApp($0) }
        defer { practice.phone.shutDown() }
        try await practice.sleep()
        try await practice.talk()
        let call = try #require(practice.inCall).call
        await practice.inApp { $0.setMuted(true, call) }
        #expect(practice.session?.microphone == .silentMuted)
        #expect(practice.inCall?.isMuted == false && practice.diary.only("mute") == [])
        // The user wants to be heard, and has to tap twice.
        try practice.phone.user.setMuted(true)
        await practice.phone.settle()
        #expect(practice.session?.microphone == .silentMuted)
        try practice.phone.user.setMuted(false)
        await practice.phone.settle()
        #expect(practice.session?.microphone == .sound)
    }

    // MARK: - P37

    /// Keeps its own copy of the switch, and tells CallKit whenever that changes, which tells the copy.
    private final class EchoApp: PracticeApp {
        static let patience = 20

        override func mute(_ action: CXSetMutedCallAction) {
            action.fulfill()
            // The copy learns of it late, when the next change is on its way: it is always one step behind.
            guard diary.only("mute", "unmute").count < EchoApp.patience else { return }
            setMuted(!action.isMuted, action.callUUID)
        }
    }

    @Test("P37: an app that answers each mute with a transaction mutes and unmutes without end")
    func pingPong() async throws {
        let practice = Practice { EchoApp($0) }
        defer { practice.phone.shutDown() }
        try await practice.sleep()
        try await practice.talk()
        try practice.phone.user.setMuted(true)
        await practice.phone.settle()
        #expect(practice.diary.only("mute", "unmute").count == EchoApp.patience)
        #expect(practice.diary.all.suffix(2) == ["mute", "unmute"])
    }

    // MARK: - P38

    @Test(
        "P38: a system that unmutes when the call connects: who muted while it rang is heard", arguments: [true, false])
    func unmutedByTheSystem(_ hasQuirk: Bool) async throws {
        var settings = PhoneSettings()
        settings.unmutesOnConnect = hasQuirk
        let practice = Practice(settings: settings) { PracticeApp($0) }
        defer { practice.phone.shutDown() }
        await practice.open()
        let call = UUID()
        await practice.inApp { $0.call(call, "bob") }
        try practice.phone.user.setMuted(true)
        await practice.phone.advance(by: .seconds(3))
        #expect(practice.inCall?.isMuted == true)
        await practice.inApp { $0.remoteAnswered(call) }
        await practice.phone.advance(by: .seconds(1))
        #expect(practice.inCall?.status == .timer && practice.inCall?.isMuted == !hasQuirk)
        #expect(practice.diary.only("mute", "unmute") == (hasQuirk ? ["mute", "unmute"] : ["mute"]))
        #expect(practice.brokenRules == [])
    }
}
