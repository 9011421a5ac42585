// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@Suite struct CallMachineTalkTests {
    private let id = Fixture.call
    private let action = Fixture.action

    @Test("R47: hold and resume turn the gate, tell the other side and fulfil") func hold() {
        var call = CallMachine.talking()
        #expect(
            call.run(.holdPerformed(action, true))
                == [.setMediaHeld(id, true), .send(id, .update(PeerUpdate(held: true))), .fulfil(action)])
        #expect(call.snapshot.state == .held)
        #expect(call.run(.holdPerformed(action, true)) == [.fulfil(action)])
        #expect(
            call.run(.holdPerformed(action, false))
                == [.setMediaHeld(id, false), .send(id, .update(PeerUpdate(held: false))), .fulfil(action)])
        #expect(call.snapshot.state == .active)
    }

    @Test("R48: mute turns the gate; before an answer there is nothing to mute") func mute() {
        var call = CallMachine.talking()
        #expect(
            call.run(.mutePerformed(action, true))
                == [.setMediaMuted(id, true), .send(id, .update(PeerUpdate(muted: true))), .fulfil(action)])
        #expect(call.snapshot.muted)
        var ringing = CallMachine.ringing()
        #expect(ringing.run(.mutePerformed(action, true)) == [.fail(action)])
        #expect(!ringing.snapshot.muted)
    }

    @Test("P37: a mute that changes nothing is fulfilled and goes no further") func muteTwice() {
        var call = CallMachine.talking()
        call.run(.mutePerformed(action, true))
        #expect(call.run(.mutePerformed(Fixture.second, true)) == [.fulfil(Fixture.second)])
    }

    @Test("R47: a call without voice cannot be held") func holdTooEarly() {
        for var call in [CallMachine.ringing(), .claiming(), .won(), .calling(), .picked()] {
            let before = call
            #expect(call.run(.holdPerformed(Fixture.second, true)) == [.fail(Fixture.second)])
            #expect(call == before)
        }
    }

    @Test("C11: a remote end is reported, never requested") func remoteEnd() {
        var call = CallMachine.talking()
        #expect(
            call.run(.remoteEnded(.remoteEnded))
                == [.stopMedia(id), .reportEnded(id, .remoteEnded, at: Fixture.start)])
        #expect(call.run(.remoteEnded(.failed)) == [])
        #expect(call.snapshot.state == .ended(.remoteEnded))
    }

    @Test("R31: hanging up twice is fulfilled twice and ends once") func hangUpTwice() {
        var call = CallMachine.onHold()
        #expect(
            call.run(.endPerformed(action))
                == [.stopMedia(id), .send(id, .hangup(.localHangup)), .fulfil(action)])
        #expect(call.run(.endPerformed(Fixture.second)) == [.fulfil(Fixture.second)])
    }

    @Test("R93: lost media is a flag, not an end") func interrupted() {
        var call = CallMachine.talking()
        #expect(call.run(.mediaInterrupted(true)) == [])
        #expect(call.snapshot.interrupted)
        call.run(.mediaInterrupted(false))
        #expect(!call.snapshot.interrupted)
    }

    @Test("A failed identity check ends the call and says so") func peerIdentity() {
        let failure = CallFailure(.peerIdentity, "The peer's certificate is another.")
        for var call in [CallMachine.won(), .talking(), .onHold(), .picked()] {
            #expect(
                call.run(.mediaFailed(failure)) == [
                    .stopMedia(id), .send(id, .hangup(.failed)), .reportEnded(id, .failed, at: Fixture.start),
                ])
            #expect(call.snapshot.failure == failure)
        }
    }

    @Test("R28: an answered call without media ends in the end") func mediaNeverComes() {
        var call = CallMachine.won()
        #expect(call.deadline == Fixture.at(30_000))
        #expect(
            call.run(.tick, at: Fixture.at(30_000)) == [
                .stopMedia(id), .send(id, .hangup(.failed)), .reportEnded(id, .failed, at: Fixture.at(30_000)),
            ])
        #expect(call.snapshot.failure?.code == .mediaFailed)
    }

    @Test("R94: media before the call is won is nothing") func mediaTooEarly() {
        var call = CallMachine.claiming()
        #expect(call.run(.mediaArrived) == [])
        #expect(call.snapshot.state == .connecting)
    }

    @Test("Signals go both ways while there is media, and nowhere else") func signals() {
        let signal = Fixture.signal("x")
        var call = CallMachine.won()
        #expect(call.run(.mediaSignal(signal)) == [.send(id, .media(signal))])
        #expect(call.run(.signalReceived(signal)) == [.deliverSignal(id, signal)])
        call.run(.remoteEnded(.remoteEnded))
        #expect(call.run(.mediaSignal(signal)) == [])
        #expect(call.run(.signalReceived(signal)) == [])
    }

    @Test("The other side's hold and mute show") func peerUpdates() {
        var call = CallMachine.talking()
        call.run(.peerUpdated(PeerUpdate(held: true)), .peerUpdated(PeerUpdate(muted: true)))
        #expect(call.snapshot.peer == PeerUpdate(held: true, muted: true))
    }
}
