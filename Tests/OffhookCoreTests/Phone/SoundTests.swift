// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

/// Tones, routes, interruptions and mute.
@Suite struct SoundTests {
    private let id = Fixture.call
    private let action = Fixture.action
    private let next = Fixture.second
    private let routes = AudioRoutes(
        available: [
            AudioRoute(id: "receiver", kind: .receiver, name: "iPhone"),
            AudioRoute(id: "speaker", kind: .speaker, name: "Speaker"),
        ], current: "receiver")

    // MARK: - Tones

    @Test("R50, P54: the system's keypad plays through the media, and changes no state") func keypad() {
        var phone = PhoneMachine.able()
        let before = phone.snapshots
        #expect(phone.run(.tonesPerformed(action, id, "5")) == [.playTones(id, "5"), .fulfil(action)])
        #expect(phone.run(.tonesPerformed(next, id, "12,3;#")) == [.playTones(id, "12,3;#"), .fulfil(next)])
        #expect(phone.snapshots == before)
    }

    @Test("R50: the app's tones are done when CallKit has performed the last of them") func tonesCommand() {
        var phone = PhoneMachine.able()
        let id = OperationID(1)
        #expect(
            phone.run(.command(id, .playTones(self.id, "12,3"))) == [.request(.playTones(self.id, "12,3"))])
        phone.run(.tonesPerformed(action, self.id, "12"), .tonesPerformed(action, self.id, ","))
        #expect(
            phone.run(.tonesPerformed(next, self.id, "3"))
                == [.playTones(self.id, "3"), .fulfil(next), .applied(id)])
        phone.run(.command(OperationID(2), .playTones(self.id, "45")))
        phone.run(.holdPerformed(action, self.id, true))
        let effects = phone.run(.tonesPerformed(next, self.id, "4"))
        #expect(effects.first == .fail(next))
        #expect(effects.last?.failure?.code == .mediaNotReady)
    }

    @Test("R50: tones are 1 to 32 of 0-9, * and #; only in a call that speaks; only where the engine can")
    func impossibleTones() {
        let phone = PhoneMachine.able()
        let most = String(repeating: "0", count: 32)
        #expect(phone.refusal(of: .playTones(id, most)) == nil)
        for tones in ["", "a", "1 2", "٣", most + "0"] {
            #expect(phone.refusal(of: .playTones(id, tones)) == .invalidArgument)
        }
        var held = phone
        held.run(.holdPerformed(action, id, true))
        #expect(held.refusal(of: .playTones(id, "1")) == .invalidState)
        #expect(held.run(.tonesPerformed(next, id, "1")) == [.fail(next)])
        var plain = PhoneMachine.talking()
        #expect(plain.refusal(of: .playTones(id, "1")) == .unsupported)
        #expect(plain.run(.tonesPerformed(next, id, "1")) == [.fail(next)])
        #expect(plain.run(.tonesPerformed(action, Fixture.other, "1")) == [.fail(action)])
    }

    // MARK: - Routes

    @Test("R51, R52: the routes are published; another one is chosen without a change of category") func route() {
        var phone = PhoneMachine.able()
        #expect(phone.run(.routesChanged(routes)) == [.publishRoutes(routes)])
        #expect(phone.run(.routesChanged(routes)) == [])
        #expect(phone.run(.command(OperationID(1), .setRoute(id, "speaker"))) == [.selectRoute("speaker")])
        var changed = routes
        changed.current = "speaker"
        #expect(phone.run(.routesChanged(changed)) == [.publishRoutes(changed), .applied(OperationID(1))])
        #expect(phone.run(.command(OperationID(2), .setRoute(id, "speaker"))) == [.applied(OperationID(2))])
    }

    @Test("R51: where the phone does not say which route is in use, the chosen one is") func unknownRoute() {
        var phone = PhoneMachine.able()
        var unsure = routes
        unsure.current = nil
        phone.run(.routesChanged(unsure))
        unsure.current = "speaker"
        #expect(
            phone.run(.command(OperationID(1), .setRoute(id, "speaker")))
                == [.selectRoute("speaker"), .publishRoutes(unsure), .applied(OperationID(1))])
    }

    @Test("R51: an unknown route, a closed window, a call that rings") func impossibleRoutes() {
        var phone = PhoneMachine.able()
        phone.run(.routesChanged(routes))
        #expect(phone.refusal(of: .setRoute(id, "car")) == .invalidArgument)
        phone.run(.audioDeactivated)
        #expect(phone.refusal(of: .setRoute(id, "speaker")) == .mediaNotReady)
        #expect(PhoneMachine.ringing().refusal(of: .setRoute(id, "speaker")) == .invalidState)
    }

    // MARK: - Interruptions

    @Test("R53: an interruption closes the audio, its end opens it, inside the window only") func interruption() {
        var phone = PhoneMachine.able()
        #expect(phone.run(.audioInterrupted(true)) == [.setAudioOpen(id, false)])
        #expect(!phone.window.isOpen)
        #expect(phone.run(.audioInterrupted(true)) == [])
        #expect(phone.run(.audioInterrupted(false)) == [.setAudioOpen(id, true)])
        phone.run(.audioInterrupted(true), .audioDeactivated)
        #expect(phone.run(.audioInterrupted(false)) == [])
        #expect(phone.run(.audioActivated).withoutPublishing == [.setAudioOpen(id, true)])
        phone.run(.audioInterrupted(true))
        #expect(phone.run(.audioActivated) == [.setAudioOpen(id, true)])
        phone.run(.audioInterrupted(true))
        #expect(phone.run(.providerReset).withoutPublishing == [.stopMedia(id), .send(id, .hangup(.failed))])
    }

    @Test("R53: after a reset of the media services the category is set again and audio starts anew")
    func servicesReset() {
        var phone = PhoneMachine.able()
        #expect(
            phone.run(.mediaServicesReset)
                == [.setAudioOpen(id, false), .configureAudio, .setAudioOpen(id, true)])
        phone.run(.audioInterrupted(true))
        #expect(phone.run(.mediaServicesReset) == [.configureAudio])
        phone.run(.audioDeactivated)
        #expect(phone.run(.mediaServicesReset) == [.configureAudio])
        var ringing = PhoneMachine.ringing()
        #expect(ringing.run(.mediaServicesReset) == [])
    }

    // MARK: - Mute

    @Test("R48, P36, P37: a mute of the system, and one of the app, meet once and do not come back") func muteOnce() {
        var phone = PhoneMachine.able()
        #expect(
            phone.run(.mutePerformed(action, id, true)).withoutPublishing
                == PhoneEffect.gate(id, muted: true) + [.fulfil(action)])
        #expect(phone.run(.command(OperationID(1), .setMuted(id, true))) == [.applied(OperationID(1))])
        #expect(phone.run(.command(OperationID(2), .setMuted(id, false))) == [.request(.setMuted(id, false))])
        #expect(
            phone.run(.mutePerformed(next, id, false)).withoutPublishing
                == PhoneEffect.gate(id, muted: false) + [.fulfil(next), .applied(OperationID(2))])
        #expect(phone.run(.mutePerformed(action, id, false)) == [.fulfil(action)])
    }

    /// An outgoing call that was muted while it rang, and is connected now.
    private func mutedOutgoing() -> PhoneMachine {
        var phone = PhoneMachine(policy: .everything)
        phone.run(
            .command(OperationID(1), .start(id, Fixture.bob)), .server(id, .inviteAccepted),
            .startPerformed(action, id), .mutePerformed(action, id, true), .server(id, .answered),
            .media(id, .arrived))
        return phone
    }

    @Test("P38: the unmute that follows connectedAt is not the user's: the call stays muted") func systemUnmute() {
        var phone = mutedOutgoing()
        #expect(phone.run(.mutePerformed(next, id, false)) == [.fulfil(next), .request(.setMuted(id, true))])
        #expect(phone[id]?.muted == true)
        #expect(phone.run(.mutePerformed(action, id, true)) == [.fulfil(action)])
        phone.run(.mutePerformed(next, id, false))
        #expect(phone[id]?.muted == false)  // the second one is the user's
    }

    @Test("P38: a later unmute, and the app's own, are the user's") func userUnmute() {
        var phone = mutedOutgoing()
        phone.run(.mutePerformed(next, id, false), at: Fixture.at(1001))
        #expect(phone[id]?.muted == false)
        var own = mutedOutgoing()
        own.run(.command(OperationID(2), .setMuted(id, false)), .mutePerformed(next, id, false))
        #expect(own[id]?.muted == false)
    }

    @Test("R6: without a microphone the call goes on, and only listens") func listenOnly() {
        var phone = PhoneMachine(policy: .everything)
        phone.run(.surroundingsChanged(Surroundings(mayUseMicrophone: false)))
        phone.ring(id)
        phone.run(.answerPerformed(action, id))
        #expect(
            phone.run(.server(id, .answered)).withoutPublishing == [
                .fulfil(action), .startMedia(id, offers: false), .setMediaMuted(id, true),
                .send(id, .update(PeerUpdate(muted: true))), .donate(id, Fixture.details, .incoming),
            ])
        phone.run(.media(id, .arrived))
        #expect(phone.state(id) == .active)
        #expect(phone[id]?.isListenOnly == true)
        #expect(phone[id]?.muted == false)
        #expect(
            phone.run(.surroundingsChanged(Surroundings(mayUseMicrophone: true))).withoutPublishing
                == PhoneEffect.gate(id, muted: false))
        #expect(phone[id]?.isListenOnly == false)
    }

    // MARK: - Names and donations

    @Test("R37: a new name reaches CallKit and the app, in the ring too; the handle stays") func rename() {
        var phone = PhoneMachine.ringing()
        var named = Fixture.details
        named.displayName = "Alice B."
        #expect(
            phone.run(.command(OperationID(1), .setDisplayName(id, "Alice B."))).withoutPublishing
                == [.reportUpdated(id, named), .applied(OperationID(1))])
        #expect(phone[id]?.details == named)
        #expect(phone.refusal(of: .setDisplayName(id, "")) == .invalidArgument)
        #expect(phone.refusal(of: .setDisplayName(id, String(repeating: "ä", count: 129))) == .invalidArgument)
        #expect(phone.refusal(of: .setDisplayName(id, String(repeating: "ä", count: 128))) == nil)
    }

    @Test("R37: a name that comes before CallKit has the call follows the report, or the start") func earlyName() {
        var named = Fixture.details
        named.displayName = "A"
        var phone = PhoneMachine()
        phone.run(.invited(Fixture.invitation()), .command(OperationID(1), .setDisplayName(id, "A")))
        #expect(
            phone.run(.reportCompleted(id, nil)) == [.send(id, .ringing), .reportUpdated(id, named)])
        var answered = PhoneMachine()
        answered.run(
            .invited(Fixture.invitation()), .command(OperationID(1), .setDisplayName(id, "A")),
            .answerPerformed(action, id))
        #expect(answered.run(.reportCompleted(id, nil)) == [.reportUpdated(id, named)])
        var calling = PhoneMachine()
        calling.run(
            .command(OperationID(1), .start(id, Fixture.bob)), .server(id, .inviteAccepted),
            .command(OperationID(2), .setDisplayName(id, "B")))
        var renamed = Fixture.bob
        renamed.displayName = "B"
        #expect(calling.run(.startPerformed(action, id)).contains(.reportUpdated(id, renamed)))
    }

    @Test("R125: an answered call is donated once, unless the policy says no") func donation() {
        var policy = CallPolicy()
        policy.donatesCalls = false
        for wanted in [true, false] {
            var phone = PhoneMachine(policy: wanted ? CallPolicy() : policy)
            phone.ring(id)
            phone.run(.answerPerformed(action, id))
            let effects = phone.run(.server(id, .answered))
            #expect(effects.contains(.donate(id, Fixture.details, .incoming)) == wanted)
        }
    }

    @Test("R118, R119: translation starts and ends with CallKit's action; muted, the session goes on")
    func translation() {
        var phone = PhoneMachine.able()
        let german = Translation(localLanguage: "en", remoteLanguage: "de-AT")
        #expect(
            phone.run(.command(OperationID(1), .setTranslation(id, german)))
                == [.request(.setTranslation(id, german))])
        #expect(
            phone.run(.translationPerformed(action, id, german)).withoutPublishing
                == [.setTranslation(id, german), .fulfil(action), .applied(OperationID(1))])
        #expect(phone[id]?.translation == german)
        #expect(phone.run(.translationPerformed(next, id, german)) == [.fulfil(next)])
        #expect(
            phone.run(.mutePerformed(next, id, true)).withoutPublishing
                == PhoneEffect.gate(id, muted: true) + [.fulfil(next)])
        #expect(
            phone.run(.translationPerformed(action, id, nil)).withoutPublishing
                == [.setTranslation(id, nil), .fulfil(action)])
    }

    @Test("R118, G8: only a call with voice is translated, and only where the provider offers it") func noTranslation()
    {
        let german = Translation(localLanguage: "en", remoteLanguage: "de")
        var ringing = PhoneMachine(policy: .everything)
        ringing.ring(id)
        #expect(ringing.refusal(of: .setTranslation(id, german)) == .invalidState)
        #expect(ringing.run(.translationPerformed(action, id, german)) == [.fail(action)])
        var plain = PhoneMachine.talking()
        #expect(plain.refusal(of: .setTranslation(id, german)) == .unsupported)
        #expect(plain.run(.translationPerformed(action, id, german)) == [.fail(action)])
        let endless = Translation(localLanguage: "en", remoteLanguage: String(repeating: "x", count: 36))
        #expect(PhoneMachine.able().refusal(of: .setTranslation(id, endless)) == .invalidArgument)
        #expect(PhoneMachine.able().refusal(of: .setTranslation(id, nil)) == nil)
    }
}
