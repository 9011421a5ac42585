// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@Suite struct CallMachineOutgoingTests {
    private let id = Fixture.call
    private let action = Fixture.action

    @Test("R42: the server first, then the phone") func serverFirst() {
        var call = CallMachine(id, to: Fixture.bob, at: Fixture.start)
        #expect(call.run(.opened) == [.send(id, .invite(to: Fixture.bob.handle, video: false))])
        #expect(call.run(.inviteAccepted) == [.request(.start(id, Fixture.bob))])
        #expect(call.run(.inviteAccepted) == [])
    }

    @Test("O2, O3: the start is fulfilled at once") func start() {
        var call = CallMachine.accepted()
        #expect(
            call.run(.startPerformed(action))
                == [.configureAudio, .reportStartedConnecting(id, at: Fixture.start), .fulfil(action)])
        #expect(call.snapshot.state == .outgoing)
        call.run(.remoteRang)
        #expect(call.snapshot.remoteRinging)
    }

    @Test("R44: connecting on the remote answer, active on media alone") func answeredThenMedia() {
        var call = CallMachine.calling()
        #expect(call.run(.answered) == [.startMedia(id, offers: true), .donate(id, Fixture.bob, .outgoing)])
        #expect(call.snapshot.state == .connecting)
        #expect(
            call.run(.mediaArrived, at: Fixture.at(700))
                == [.reportConnected(id, at: Fixture.at(700)), .send(id, .connected)])
        #expect(call.snapshot.state == .active)
    }

    @Test("R42: an answer before CallKit performs the start waits for it") func answeredBeforeStart() {
        var call = CallMachine.accepted()
        #expect(call.run(.answered) == [])
        #expect(
            call.run(.startPerformed(action)) == [
                .configureAudio, .reportStartedConnecting(id, at: Fixture.start), .fulfil(action),
                .startMedia(id, offers: true), .donate(id, Fixture.bob, .outgoing),
            ])
    }

    @Test("R42: a server that refuses leaves no trace on the phone") func inviteRefused() {
        var call = CallMachine(id, to: Fixture.bob, at: Fixture.start)
        call.run(.opened)
        let failure = CallFailure(.refusedByServer, "no such user")
        #expect(call.run(.inviteRefused(failure, .unreachable)) == [])
        #expect(call.snapshot.state == .ended(.unreachable))
        #expect(call.isSettled)
    }

    @Test("R42: a phone that refuses ends the call on the server") func startRefused() {
        var call = CallMachine.accepted()
        #expect(call.run(.startRefused(Fixture.broken)) == [.send(id, .cancel)])
        #expect(call.snapshot.failure == Fixture.broken)
        #expect(call.isSettled)
    }

    @Test("R42: without a server no call UI comes, and the user hears why") func serverSilent() {
        var call = CallMachine(id, to: Fixture.bob, at: Fixture.start)
        call.run(.opened)
        #expect(call.deadline == Fixture.at(10_000))
        #expect(call.run(.tick, at: Fixture.at(10_000)) == [.send(id, .cancel)])
        #expect(call.snapshot.state == .ended(.unreachable))
        #expect(call.snapshot.failure?.code == .serverUnreachable)
    }

    @Test(
        "R45: the far end's reason reaches phone and app", arguments: [EndReason.declined, .busy, .unanswered, .failed])
    func farEnd(_ reason: EndReason) {
        var call = CallMachine.calling()
        #expect(call.run(.remoteEnded(reason)) == [.reportEnded(id, reason, at: Fixture.start)])
        #expect(call.snapshot.state == .ended(reason))
    }

    @Test("A4: a call that ended before its start is failed when CallKit performs it") func endedBeforeStart() {
        var call = CallMachine.accepted()
        #expect(call.run(.remoteEnded(.busy)) == [])
        #expect(!call.isSettled)
        #expect(call.run(.startPerformed(action)) == [.fail(action)])
        #expect(call.isSettled)
    }

    @Test("R31: the caller cancels before the answer and hangs up after it") func cancelAndHangup() {
        var calling = CallMachine.calling()
        #expect(calling.run(.endPerformed(action)) == [.send(id, .cancel), .fulfil(action)])
        var picked = CallMachine.picked()
        #expect(
            picked.run(.endPerformed(action))
                == [.stopMedia(id), .send(id, .hangup(.localHangup)), .fulfil(action)])
        #expect(picked.snapshot.state == .ended(.localHangup))
    }

    @Test("P40: a callee that never answers ends the call in the end") func ringsForever() {
        var call = CallMachine.calling()
        #expect(call.deadline == Fixture.at(90_000))
        #expect(
            call.run(.tick, at: Fixture.at(90_000))
                == [.send(id, .cancel), .reportEnded(id, .unanswered, at: Fixture.at(90_000))])
    }

    @Test("P38: a mute during the ring holds for the call") func mutedWhileCalling() {
        var call = CallMachine.calling()
        #expect(call.run(.mutePerformed(Fixture.second, true)) == [.fulfil(Fixture.second)])
        #expect(
            call.run(.answered) == [
                .startMedia(id, offers: true), .setMediaMuted(id, true), .send(id, .update(PeerUpdate(muted: true))),
                .donate(id, Fixture.bob, .outgoing),
            ])
    }
}
