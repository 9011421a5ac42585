// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@Suite struct PhoneMachineTests {
    private let id = Fixture.call
    private let action = Fixture.action
    private let push = PushID(1)

    private func arrival(
        _ content: PushContent = .invitation(Fixture.invitation()), mustReport: Bool = true, push: PushID = PushID(1)
    ) -> PhoneMachine.Event {
        .pushArrived(push, content, mustReport: mustReport, spare: Fixture.spare)
    }

    @Test("K3, R59, R61: a push is reported by its own event, and the server is connected beside it") func pushRings() {
        var phone = PhoneMachine()
        let effects = phone.run(arrival())
        #expect(
            effects.withoutPublishing
                == [.reportIncoming(id, Fixture.details), .tell(.accepted, id), .connectSignaling])
        #expect(
            phone.run(.reportCompleted(id, nil)).withoutPublishing == [.send(id, .ringing), .completePush(push)])
        #expect(phone.snapshots.map(\.state) == [.incoming])
    }

    @Test("Reference order 2: answer, claim, fulfil, window, voice") func answeredCall() {
        var phone = PhoneMachine.ringing()
        #expect(
            phone.run(.answerPerformed(action, id)).withoutPublishing
                == [.configureAudio, .connectSignaling, .send(id, .answer)])
        #expect(
            phone.run(.server(id, .answered)).withoutPublishing
                == [.fulfil(action), .startMedia(id, offers: false), .donate(id, Fixture.details, .incoming)])
        #expect(phone.run(.audioActivated) == [.setAudioOpen(id, true)])
        #expect(phone.snapshots.map(\.state) == [.connecting])  // R73
        #expect(phone.run(.media(id, .arrived)).withoutPublishing == [.send(id, .connected)])
        #expect(
            phone.run(.endPerformed(Fixture.second, id)).withoutPublishing == [
                .stopMedia(id), .send(id, .hangup(.localHangup)), .fulfil(Fixture.second),
            ])
        #expect(phone.run(.audioDeactivated) == [])
        #expect(phone.snapshots == [])
    }

    @Test("R70: a session made inside an open window gets its audio at once") func windowBeforeMedia() {
        var phone = PhoneMachine()
        phone.run(
            .command(OperationID(1), .start(id, Fixture.bob)), .server(id, .inviteAccepted),
            .startPerformed(action, id))
        #expect(phone.run(.audioActivated) == [])
        #expect(
            phone.run(.server(id, .answered)).withoutPublishing
                == [.startMedia(id, offers: true), .setAudioOpen(id, true), .donate(id, Fixture.bob, .outgoing)])
        #expect(phone.run(.audioDeactivated) == [.setAudioOpen(id, false)])
    }

    @Test("R22: a reset closes the window, ends the call and completes the push") func reset() {
        var phone = PhoneMachine.talking()
        #expect(
            phone.run(.providerReset).withoutPublishing
                == [.setAudioOpen(id, false), .stopMedia(id), .send(id, .hangup(.failed))])
        #expect(phone.snapshots == [])
        var ringing = PhoneMachine()
        ringing.run(arrival())
        #expect(ringing.run(.providerReset).withoutPublishing == [.send(id, .hangup(.failed)), .completePush(push)])
    }

    @Test("P01, R63: an unreadable push rings nowhere, is reported, ended and completed") func undecodable() {
        var phone = PhoneMachine.talking()
        let before = phone.snapshots
        #expect(
            phone.run(arrival(.undecodable, push: PushID(2))) == [
                .reportIncoming(Fixture.spare, CallDetails(handle: Handle(value: "unknown"))),
                .tell(.undecodable, nil), .connectSignaling,
            ])
        #expect(
            phone.run(.reportCompleted(Fixture.spare, nil))
                == [.reportEnded(Fixture.spare, .failed, at: Fixture.start), .completePush(PushID(2))])
        #expect(phone.snapshots == before)
    }

    @Test("P03, race 12: a push past its time is reported and ended as unanswered") func expired() {
        var phone = PhoneMachine()
        let late = Fixture.at(60_001)
        #expect(
            phone.run(arrival(), at: late)
                == [.reportIncoming(Fixture.spare, Fixture.details), .tell(.expired, id), .connectSignaling])
        #expect(
            phone.run(.reportCompleted(Fixture.spare, nil), at: late)
                == [.reportEnded(Fixture.spare, .unanswered, at: late), .completePush(push)])
    }

    @Test("P05: Do Not Disturb: the push is completed, no call remains") func filtered() {
        var phone = PhoneMachine()
        phone.run(arrival())
        let failure = CallFailure(.filtered, "Do Not Disturb")
        #expect(
            phone.run(.reportCompleted(id, failure)).withoutPublishing
                == [.send(id, .hangup(.failed)), .completePush(push)])
        #expect(phone.snapshots == [])
    }

    @Test("P23, R43: a second invitation is busy and leaves the call alone") func busy() {
        var phone = PhoneMachine.talking()
        let second = PushContent.invitation(Fixture.invitation(Fixture.other))
        #expect(
            phone.run(arrival(second, push: PushID(2))) == [
                .reportIncoming(Fixture.spare, Fixture.details), .send(Fixture.other, .busy),
                .tell(.busy, Fixture.other), .connectSignaling,
            ])
        #expect(phone.snapshots.map(\.state) == [.active])
        #expect(
            phone.run(.invited(Fixture.invitation(CallID(high: 3, low: 3)))) == [
                .send(CallID(high: 3, low: 3), .busy), .tell(.busy, CallID(high: 3, low: 3)),
            ])
    }

    @Test("R65, P19: the end comes before the push") func endBeforePush() {
        var phone = PhoneMachine()
        phone.run(.server(id, .ended(.callerCancelled)))
        #expect(phone.run(arrival())[1] == .tell(.ended(.callerCancelled), id))
        #expect(phone.snapshots == [])
    }

    @Test("race 13: push, then the same call over the socket: one ring") func pushThenSocket() {
        var phone = PhoneMachine()
        phone.run(arrival())
        #expect(phone.run(.invited(Fixture.invitation())) == [.tell(.duplicate, id)])
        #expect(phone.snapshots.count == 1)
    }

    @Test("race 13: socket, then the push: one ring, and the push is paid with a fresh UUID") func socketThenPush() {
        var phone = PhoneMachine()
        #expect(
            phone.run(.invited(Fixture.invitation())).withoutPublishing
                == [.reportIncoming(id, Fixture.details), .tell(.accepted, id)])
        #expect(phone.run(arrival())[0] == .reportIncoming(Fixture.spare, Fixture.details))
        #expect(phone.snapshots.count == 1)
    }

    @Test("R81: every change is published once") func publishes() {
        var phone = PhoneMachine()
        guard case .publish(let call) = phone.run(arrival()).last else {
            Issue.record("the ring is not published")
            return
        }
        #expect(call.state == .incoming)
        #expect(
            phone.run(.invited(Fixture.invitation())).contains { if case .publish = $0 { true } else { false } }
                == false)
    }

    // MARK: - Commands

    @Test("R42, R83: starting a call succeeds when the phone shows it") func startCommand() {
        var phone = PhoneMachine()
        let command = OperationID(1)
        #expect(
            phone.run(.command(command, .start(id, Fixture.bob))).withoutPublishing
                == [.connectSignaling, .send(id, .invite(to: Fixture.bob.handle, video: false))])
        #expect(phone.run(.server(id, .inviteAccepted)) == [.request(.start(id, Fixture.bob))])
        #expect(phone.run(.requestCompleted(.start(id, Fixture.bob), nil)) == [])
        #expect(phone.run(.startPerformed(action, id)).last == .applied(command))
    }

    @Test("R43: a second start is busy, a used id is invalid") func startTwice() {
        var phone = PhoneMachine.talking()
        guard let busy = phone.run(.command(OperationID(1), .start(Fixture.other, Fixture.bob))).last?.failure
        else {
            Issue.record("no result")
            return
        }
        #expect(busy.code == .busy)
        phone.run(.server(id, .ended(.remoteEnded)))
        guard let used = phone.run(.command(OperationID(2), .start(id, Fixture.bob))).last?.failure else {
            Issue.record("no result")
            return
        }
        #expect(used.code == .invalidState)
    }

    @Test("R42: a refused start names the phone's reason and frees the line") func startRefused() {
        var phone = PhoneMachine()
        phone.run(.command(OperationID(1), .start(id, Fixture.bob)), .server(id, .inviteAccepted))
        #expect(
            phone.run(.requestCompleted(.start(id, Fixture.bob), Fixture.broken)).withoutPublishing
                == [.send(id, .cancel), .rejected(OperationID(1), Fixture.broken)])
        #expect(phone.snapshots == [])
    }

    @Test("P36: mute, hold and end go through transactions") func transactions() {
        var phone = PhoneMachine.talking()
        #expect(phone.run(.command(OperationID(1), .setMuted(id, true))) == [.request(.setMuted(id, true))])
        #expect(phone.run(.mutePerformed(action, id, true)).last == .applied(OperationID(1)))
        #expect(phone.run(.command(OperationID(2), .setHeld(id, true))) == [.request(.setHeld(id, true))])
        #expect(phone.run(.holdPerformed(action, id, true)).last == .applied(OperationID(2)))
        #expect(phone.run(.command(OperationID(3), .end(id))) == [.request(.end(id))])
        #expect(phone.run(.endPerformed(action, id)).last == .applied(OperationID(3)))
    }

    @Test("R82: a command that changes nothing succeeds at once") func nothingToDo() {
        var phone = PhoneMachine.talking()
        #expect(phone.run(.command(OperationID(1), .setMuted(id, false))) == [.applied(OperationID(1))])
        #expect(phone.run(.command(OperationID(2), .setHeld(id, false))) == [.applied(OperationID(2))])
        phone.run(.server(id, .ended(.remoteEnded)))
        #expect(phone.run(.command(OperationID(3), .end(id))) == [.applied(OperationID(3))])
    }

    @Test("R31: a refused end transaction ends the call all the same") func endRefused() {
        var phone = PhoneMachine.talking()
        phone.run(.command(OperationID(1), .end(id)))
        #expect(
            phone.run(.requestCompleted(.end(id), Fixture.broken)).withoutPublishing == [
                .stopMedia(id), .send(id, .hangup(.localHangup)),
                .reportEnded(id, .localHangup, at: Fixture.start), .applied(OperationID(1)),
            ])
    }

    @Test("R84: an end of the other side fails what is on its way") func endBeatsCommand() {
        var phone = PhoneMachine.talking()
        phone.run(.command(OperationID(1), .setMuted(id, true)))
        guard let failure = phone.run(.server(id, .ended(.remoteEnded))).last?.failure else {
            Issue.record("no result")
            return
        }
        #expect(failure.code == .callEnded)
    }

    @Test("R83: a command that CallKit never performs runs out of time") func commandDeadline() {
        var phone = PhoneMachine.talking()
        phone.run(.command(OperationID(1), .setMuted(id, true)))
        #expect(phone.deadline == Fixture.at(4000))
        guard let failure = phone.run(.tick, at: Fixture.at(4000)).last?.failure else {
            Issue.record("no result")
            return
        }
        #expect(failure.code == .deadlineExceeded)
        #expect(phone.deadline == nil)
    }

    @Test("R44: commands that make no sense say so") func preconditions() {
        var ringing = PhoneMachine.ringing()
        var results: [CallFailure.Code?] = []
        let commands: [PhoneMachine.Command] = [
            .setMuted(id, true), .setHeld(id, true), .answer(Fixture.other), .end(Fixture.other),
        ]
        for (number, command) in commands.enumerated() {
            guard case .finish(let result)? = ringing.run(.command(OperationID(number), command)).last else { continue }
            results.append(result.failure?.code)
        }
        #expect(results == [.mediaNotReady, .invalidState, .callNotFound, .callNotFound])
    }

    @Test("An answer by the app succeeds when the call is won") func answerCommand() {
        var phone = PhoneMachine.ringing()
        #expect(phone.run(.command(OperationID(1), .answer(id))) == [.request(.answer(id))])
        phone.run(.answerPerformed(action, id))
        #expect(phone.run(.server(id, .answered)).last == .applied(OperationID(1)))
    }

    @Test("P17: an end by the app while the report is pending is deferred, and asks for no transaction")
    func endBeforeReport() {
        var phone = PhoneMachine()
        phone.run(arrival())
        #expect(
            phone.run(.command(OperationID(1), .end(id))).withoutPublishing
                == [.send(id, .decline), .applied(OperationID(1))])
        #expect(
            phone.run(.reportCompleted(id, nil)).withoutPublishing
                == [.reportEnded(id, .declined, at: Fixture.start), .completePush(push)])
    }

    @Test("R29: actions for calls that are not here are completed") func unknownCalls() {
        var phone = PhoneMachine()
        #expect(phone.run(.startPerformed(action, id)) == [.fail(action)])
        #expect(phone.run(.answerPerformed(action, id)) == [.fail(action)])
        #expect(phone.run(.endPerformed(action, id)).contains(.fulfil(action)))
        #expect(phone.run(.holdPerformed(action, id, true)) == [.fail(action)])
        #expect(phone.run(.mutePerformed(action, id, true)) == [.fail(action)])
        #expect(phone.run(.otherPerformed(action)) == [.fail(action)])
    }

    @Test("The server is asked about calls it can know") func callsKnownToServer() {
        var phone = PhoneMachine.ringing()
        #expect(phone.callsKnownToServer == [id])
        phone = PhoneMachine()
        phone.run(.command(OperationID(1), .start(id, Fixture.bob)))
        #expect(phone.callsKnownToServer == [])
        phone.run(.server(id, .inviteAccepted))
        #expect(phone.callsKnownToServer == [id])
    }

    @Test("R93, R44: what the other side and media say reaches the app") func news() {
        var phone = PhoneMachine.talking()
        phone.run(.media(id, .interrupted(true)), .server(id, .update(PeerUpdate(held: true, muted: true))))
        #expect(phone.snapshots.first?.interrupted == true)
        #expect(phone.snapshots.first?.peer == PeerUpdate(held: true, muted: true))
        #expect(phone.run(.media(id, .signal(Fixture.signal("x")))) == [.send(id, .media(Fixture.signal("x")))])
        var calling = PhoneMachine()
        calling.run(
            .command(OperationID(1), .start(id, Fixture.bob)), .server(id, .inviteAccepted), .startPerformed(action, id)
        )
        calling.run(.server(id, .ringing))
        #expect(calling.snapshots.first?.remoteRinging == true)
    }

    @Test("An outgoing call cannot be answered here") func answerOutgoing() {
        for late in [false, true] {
            var phone = PhoneMachine()
            phone.run(
                .command(OperationID(1), .start(id, Fixture.bob)), .server(id, .inviteAccepted),
                .startPerformed(action, id))
            if late { phone.run(.server(id, .answered)) }
            guard let failure = phone.run(.command(OperationID(2), .answer(id))).last?.failure else {
                Issue.record("no result")
                return
            }
            #expect(failure.code == .invalidState)
        }
    }

    @Test("C1: with the policy immediately an answer command waits for the server's word") func answerImmediately() {
        var policy = CallPolicy()
        policy.answer = .immediately
        var phone = PhoneMachine(policy: policy)
        phone.run(arrival(), .reportCompleted(id, nil), .command(OperationID(1), .answer(id)))
        let effects = phone.run(.answerPerformed(action, id))
        #expect(effects.contains(.fulfil(action)))
        #expect(!effects.contains(.applied(OperationID(1))))
        #expect(phone.run(.server(id, .answered)).last == .applied(OperationID(1)))
    }

    @Test("R83: a refused mute transaction fails the command and changes nothing") func muteRefused() {
        var phone = PhoneMachine.talking()
        phone.run(.command(OperationID(1), .setMuted(id, true)))
        #expect(
            phone.run(.requestCompleted(.setMuted(id, true), Fixture.broken))
                == [.rejected(OperationID(1), Fixture.broken)])
        #expect(phone.snapshots.first?.muted == false)
    }
}
