// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookWire

extension Switchboard {
    /// Does what a device asks after its hello.
    func handle(_ message: ClientMessage, from session: Session, on connection: Connection) {
        let party = session.party
        switch message.body {
        case .hello: fail(connection, .invalidState, "hello comes once, as the first message", replyTo: message.id)
        case .ack(let sequence): session.acknowledge(sequence)
        case .register(let registration):
            storing(message, on: connection) { () throws(StoreFailure) in
                try store.register(registration, for: party, seenAt: clock.now)
                note("device \(party.device) registered a push token", rule: "R107")
            }
        case .unregister:
            storing(message, on: connection) { () throws(StoreFailure) in
                try store.unregister(party)
                note("device \(party.device) removed its push token", rule: "R107")
            }
        case .invite(let call, let callee, let video):
            invite(call, to: callee, video: video, message: message.id, from: party, on: connection)
        case .ringing(let call), .answer(let call), .decline(let call), .busy(let call), .cancel(let call),
            .hangup(let call, _), .media(let call, _), .connected(let call), .update(let call, _):
            guard let command = BrokerCommand(message.body) else { return }
            self.command(command, call, message: message.id, from: party, on: connection)
        }
    }

    private func storing(
        _ message: ClientMessage, on connection: Connection, _ work: () throws(StoreFailure) -> Void
    ) {
        commit()
        do {
            try work()
            try store.commit()
            connection.send(ServerMessage(body: .ack(replyTo: message.id)))
        } catch {
            note("a device cannot be stored: \(error.message)", rule: "R107")
            notStored(connection, message: message.id)
        }
    }

    private func command(
        _ command: BrokerCommand, _ call: CallID, message: String, from party: BrokerParty, on connection: Connection
    ) {
        let live: LiveCall
        var command = command
        if let known = calls[call] {
            live = known
        } else if let other = liveCalls(of: party.user).first(where: { $0.machine.hasJoined(call, of: party) }) {
            live = other
            command = command.ofJoined
        } else if let ended = try? store.call(call) {
            // Over: the machine tells latecomers how it ended, and changes nothing (races 16, 27).
            live = LiveCall(ended, clock)
        } else {
            note("a message for a call that does not exist", call: call, rule: "race 25")
            early.keep(command, message: message, of: call, from: party, at: clock.uptime)
            afterCommit { _ in self.answer(message, from: party, with: .unknownCall, call: call) }
            return
        }
        if live.machine.view(for: party) == nil { note("a message for a foreign call", call: call, rule: "race 25") }
        drive(live, .received(command, from: party, message: message)) { isStored in
            if !isStored { self.notStored(connection, message: message, call: call) }
        }
    }

    private func notStored(_ connection: Connection, message: String, call: CallID? = nil) {
        fail(connection, .internal, "the server cannot store this now", retryable: true, replyTo: message, call: call)
    }

    private func invite(
        _ call: CallID, to handle: Handle, video: Bool, message: String, from party: BrokerParty,
        on connection: Connection
    ) {
        do throws(StoreFailure) {
            guard let callee = try store.user(at: handle), let caller = try store.user(party.user) else {
                fail(connection, .unknownUser, "there is no such user", replyTo: message, call: call)
                return
            }
            if let known = try known(call) {
                repeated(known, callee: callee.id, video: video, message: message, from: party, on: connection)
                return
            }
            let limits = configuration.limits
            let placed = liveCalls(of: party.user).count {
                $0.machine.caller.user == party.user && !$0.machine.isEnded
            }
            let isBlocked = try store.isBlocked(caller.id, by: callee.id)
            if !isBlocked, cross(call, from: party, callee: callee.id, message: message, on: connection) { return }
            guard placed < limits.callsPerUser else {
                fail(
                    connection, .limitExceeded, "this user has \(placed) calls under way; end one first",
                    replyTo: message, call: call)
                return
            }
            guard placing.take(party.user, limit: limits.callsPerMinute, at: clock.uptime) else {
                fail(
                    connection, .limitExceeded, "this user placed \(limits.callsPerMinute) calls within a minute; wait",
                    retryable: true, replyTo: message, call: call)
                return
            }
            if !isBlocked { endForRecall(party, callee: callee.id) }
            let now = clock.now
            let invitation = Invitation(
                call: call, callerName: shownName(caller.name, id: caller.id), callerHandle: caller.handle,
                video: video, issuedAt: now, expiresAt: now + configuration.ringDuration)
            let live = LiveCall(
                BrokerMachine(
                    invitation: invitation, caller: party, callee: callee.id, settings: configuration.broker),
                clock)
            if isBlocked { note("the callee takes no calls from this caller", call: call, rule: "race 30") }
            // A blocked caller sees what one sees whose callee has no device (race 30).
            let targets = isBlocked ? [] : try reachable(callee.id)
            let words = early.take(call, of: party)
            if !words.isEmpty { note("words came before the invitation", call: call, rule: "race 18") }
            adopt(live)
            drive(live, .placed(targets), early: words) { isStored in
                if isStored {
                    connection.send(ServerMessage(body: .ack(replyTo: message)))
                } else {
                    self.release(live)
                    self.notStored(connection, message: message, call: call)
                }
            }
        } catch {
            note("the database cannot be read: \(error.message)", call: call, rule: "R98")
            fail(
                connection, .internal, "the server cannot read this now", retryable: true, replyTo: message, call: call)
        }
    }

    private func known(_ call: CallID) throws(StoreFailure) -> BrokerMachine? {
        if let live = calls[call] { return live.machine }
        return try store.call(call)
    }

    /// The devices of a user and how each can be reached now.
    ///
    /// A device with a live connection is invited over it; if it stays silent for two seconds (it sleeps, or the
    /// connection is dead without anybody knowing) it is also pushed. A device without one is pushed at once.
    private func reachable(_ user: String) throws(StoreFailure) -> [BrokerTarget] {
        try store.devices(of: user).map { device in
            let party = BrokerParty(user: user, device: device.device)
            return BrokerTarget(
                device: device.device, connected: sessions[party]?.connection != nil,
                pushable: device.push != nil && gateway != nil)
        }
    }

    /// The same invitation again is the same call; another one with the same id is refused (race 19).
    private func repeated(
        _ known: BrokerMachine, callee: String, video: Bool, message: String, from party: BrokerParty,
        on connection: Connection
    ) {
        guard known.caller == party, known.callee == callee, known.invitation.video == video else {
            fail(connection, .conflict, "this call id is taken; make a new one", replyTo: message, call: known.call)
            return
        }
        note("the invitation came again", call: known.call, rule: "race 19")
        afterCommit { isStored in
            guard isStored else {
                self.notStored(connection, message: message, call: known.call)
                return
            }
            switch known.view(for: party) {
            case nil, .ringing?: break
            case .answered?: self.sessions[party]?.send(.answered(call: known.call))
            case .ended(let reason)?: self.sessions[party]?.send(.ended(call: known.call, reason: reason))
            }
            connection.send(ServerMessage(body: .ack(replyTo: message)))
        }
    }

    /// Races 7 and 8: a call to a user whose call rings here goes on in that one; false when nothing crosses.
    private func cross(
        _ call: CallID, from party: BrokerParty, callee: String, message: String, on connection: Connection
    ) -> Bool {
        for live in liveCalls(of: party.user) {
            if live.machine.hasJoined(call, of: party) {  // race 19
                let joined = live.machine.call
                afterCommit { isStored in
                    guard isStored else {
                        self.notStored(connection, message: message, call: call)
                        return
                    }
                    self.sessions[party]?.send(.joined(call: call, into: joined))
                    connection.send(ServerMessage(body: .ack(replyTo: message)))
                }
                return true
            }
            guard live.machine.isCrossed(by: party, calling: callee) else { continue }
            drive(live, .crossed(by: call, from: party)) { isStored in
                guard live.machine.hasJoined(call, of: party) || !isStored else { return }
                if isStored {
                    connection.send(ServerMessage(body: .ack(replyTo: message)))
                } else {
                    self.notStored(connection, message: message, call: call)
                }
            }
            if live.machine.hasJoined(call, of: party) { return true }
        }
        return false
    }

    /// Race 9: who calls the peer of a call that seems to go on has left that call.
    private func endForRecall(_ party: BrokerParty, callee: String) {
        for live in liveCalls(of: party.user) {
            let machine = live.machine
            let calledBefore = machine.caller == party && machine.callee == callee
            let answeredBefore =
                machine.callee == party.user && machine.winner == party.device && machine.caller.user == callee
            if calledBefore || answeredBefore { drive(live, .replaced) }
        }
    }
}
