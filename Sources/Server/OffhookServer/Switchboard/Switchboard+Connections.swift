// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookWire

extension Switchboard {
    /// Takes up an authenticated WebSocket.
    func opened(_ claims: SessionTokens.Claims, _ link: any SocketLink) {
        let connection = Connection(claims: claims, link: link, limits: configuration.limits, now: clock.uptime)
        guard !isStopped else {
            connection.close(.goingAway)
            return
        }
        let key = ObjectIdentifier(link)
        connections[key] = connection
        connectionsOfUser[claims.user, default: 0] += 1
        connection.helloTimer = schedule(after: configuration.limits.helloTimeout) { switchboard in
            guard let connection = switchboard.connections[key], connection.session == nil else { return }
            connection.close(.noHello)
        }
        connection.expiryTimer = schedule(after: max(claims.expiresAt - clock.now, .zero)) { switchboard in
            switchboard.connections[key]?.close(.tokenExpired)
        }
    }

    /// How many connections a user has.
    func connectionCount(of user: String) -> Int {
        connectionsOfUser[user] ?? 0
    }

    /// The WebSocket is gone: its session waits for a while, its calls are told.
    func closed(_ link: any SocketLink) {
        guard let connection = connections.removeValue(forKey: ObjectIdentifier(link)) else { return }
        connection.cancelTimers()
        let user = connection.claims.user
        let others = (connectionsOfUser[user] ?? 1) - 1
        connectionsOfUser[user] = others > 0 ? others : nil
        guard !isStopped, let session = connection.session, session.connection === connection else { return }
        session.connection = nil
        session.absences += 1
        let (party, absence) = (session.party, session.absences)
        note("device \(party.device) is away", rule: "race 21")
        for live in liveCalls(of: party.user) { drive(live, .deviceDisconnected(party)) }
        schedule(after: configuration.limits.sessionLifetime) { switchboard in
            guard let session = switchboard.sessions[party], session.connection == nil, session.absences == absence
            else { return }
            switchboard.sessions[party] = nil
        }
    }

    /// Takes one text frame.
    func received(_ text: String, on link: any SocketLink) {
        guard !isStopped, let connection = connections[ObjectIdentifier(link)], !connection.isClosing else { return }
        guard connection.mayReceive(at: clock.uptime) else {
            fail(connection, .limitExceeded, "too many messages", retryable: true)
            connection.close(.tooMany)
            return
        }
        let message: ClientMessage
        do {
            message = try WireCodec.decodeClientMessage(text)
        } catch {
            connection.malformedFrames += 1
            note("a frame that is no message: \(error)", rule: "malformed")
            fail(connection, error.code, error.description, replyTo: WireCodec.messageID(ofBrokenFrame: text))
            if connection.malformedFrames >= configuration.limits.malformedFrames { connection.close(.malformed) }
            return
        }
        connection.malformedFrames = 0
        guard let session = connection.session else {
            guard case .hello(let hello) = message.body else {
                fail(connection, .invalidState, "the first message is hello", replyTo: message.id)
                return
            }
            self.hello(hello, message: message.id, on: connection)
            return
        }
        handle(message, from: session, on: connection)
    }

    private func hello(_ hello: Hello, message: String, on connection: Connection) {
        let claims = connection.claims
        guard claims.device == nil || claims.device == hello.device else {
            fail(connection, .unauthorized, "the token is for another device", replyTo: message)
            return
        }
        let party = BrokerParty(user: claims.user, device: hello.device)
        // What others were told before this belongs to the older connection.
        commit()
        do {
            try learn(claims)
            try store.saveDevice(party, seenAt: clock.now, limit: configuration.limits.devicesPerUser)
            try store.commit()
        } catch {
            note("a device cannot be stored: \(error.message)", rule: "R107")
            fail(connection, .internal, "the server cannot store this now", retryable: true, replyTo: message)
            return
        }
        let (session, replay) = takeSession(hello, party)
        if let older = session.connection {
            // Race 24: the newest connection of a device wins; the calls notice nothing.
            session.connection = nil
            older.session = nil
            older.close(.replaced)
            note("device \(party.device) has a newer connection", rule: "race 24")
        }
        session.connection = connection
        connection.session = session
        connection.helloTimer?.cancel()
        note("device \(party.device) is here\(replay == nil ? "" : ", session resumed")", rule: "R100")
        for live in liveCalls(of: party.user) { drive(live, .deviceConnected(party)) }
        commit()
        let welcome = Welcome(
            session: session.id, resumed: replay != nil, user: party.user, now: clock.now,
            calls: snapshots(for: party, asked: hello.calls))
        connection.send(ServerMessage(body: .welcome(welcome)))
        for message in replay ?? [] { connection.send(message) }
    }

    /// The session to go on with and what the device missed, or a new session.
    private func takeSession(_ hello: Hello, _ party: BrokerParty) -> (Session, replay: [ServerMessage]?) {
        let old = sessions[party]
        if let old, old.id == hello.session, let replay = old.replay(after: hello.sequence ?? 0) {
            old.acknowledge(hello.sequence ?? 0)
            return (old, replay)
        }
        let session = Session(
            id: Base64URL.encode(SecureRandom.bytes(16)), party: party, limits: configuration.limits)
        session.connection = old?.connection
        sessions[party] = session
        return (session, nil)
    }

    /// Users become known by their first token; a name in it is the signer's word.
    private func learn(_ claims: SessionTokens.Claims) throws(StoreFailure) {
        let known = try store.user(claims.user)
        if known != nil && claims.name == nil { return }
        let name = shownName(claims.name ?? claims.user, id: claims.user)
        try store.save(StoredUser(id: claims.user, name: name, handle: known?.handle ?? Handle(value: claims.user)))
    }

    /// The calls a device must know: its own that live, and those it asks for.
    private func snapshots(for party: BrokerParty, asked: [CallID]) -> [CallSnapshot] {
        var snapshots: [CallSnapshot] = []
        var seen: Set<CallID> = []
        for live in liveCalls(of: party.user) {
            let machine = live.machine
            let isOwn = machine.caller == party || machine.callee == party.user
            guard isOwn, let view = machine.view(for: party) else { continue }
            if case .ended = view { continue }
            seen.insert(machine.call)
            snapshots.append(snapshot(machine, view, for: party))
        }
        for call in asked where seen.insert(call).inserted {
            if let machine = calls[call]?.machine ?? (try? store.call(call)), let view = machine.view(for: party) {
                snapshots.append(snapshot(machine, view, for: party))
            } else {
                snapshots.append(CallSnapshot(call: call, state: .unknown, outgoing: false))
            }
        }
        return snapshots
    }

    private func snapshot(_ machine: BrokerMachine, _ view: BrokerView, for party: BrokerParty) -> CallSnapshot {
        let outgoing = machine.caller == party
        switch view {
        case .ringing:
            return CallSnapshot(
                call: machine.call, state: .ringing, outgoing: outgoing,
                invitation: outgoing ? nil : machine.invitation)
        case .answered: return CallSnapshot(call: machine.call, state: .answered, outgoing: outgoing)
        case .ended(let reason):
            return CallSnapshot(call: machine.call, state: .ended, outgoing: outgoing, reason: reason)
        }
    }
}
