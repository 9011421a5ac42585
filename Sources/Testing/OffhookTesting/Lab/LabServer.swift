// SPDX-License-Identifier: MIT

import Foundation
public import Offhook
import OffhookNet
import OffhookWire

/// The calling server of a ``PhoneLab``: Offhook's own decisions (`BrokerMachine`), in virtual time and in memory.
///
/// Its messages and pushes take the lab's network. It has no accounts: every name is a user.
public final class LabServer: Sendable {
    struct Session: Sendable {
        var id: String
        var sequence = 0
        var unheard: [ServerMessage] = []
        var connection: LabConnection?
    }
    struct Registered: Sendable {
        var token: Data
        var phone: String
    }
    struct State: Sendable {
        var calls: [CallID: BrokerMachine] = [:]
        /// The devices of all users, in the order in which they said hello first.
        var parties: [BrokerParty] = []
        var sessions: [BrokerParty: Session] = [:]
        var tokens: [BrokerParty: Registered] = [:]
        var sessionCount = 0
        var decisions: [BrokerDecision] = []
        var invites = 0
    }

    let state = Guarded(State())
    private let lab: Weak<PhoneLab>

    init(lab: PhoneLab) {
        self.lab = Weak(lab)
    }

    /// What the server decided, in order.
    public var decisions: [BrokerDecision] { state.withLock { $0.decisions } }

    /// A call as the server knows it.
    public func call(_ call: CallID) -> BrokerMachine? { state.withLock { $0.calls[call] } }

    /// The calls that are not over.
    public var liveCalls: [CallID] {
        state.withLock { $0.calls.values.filter { !$0.isEnded }.map(\.call).sorted() }
    }

    /// The way to the server for one device of a user.
    func transport(for party: BrokerParty, phone: String) -> any SignalTransport {
        LabTransport(server: self, party: party, phone: phone)
    }

    /// How many invitations devices have sent.
    var invites: Int { state.withLock { $0.invites } }

    var now: Instant { PhoneLab.instant(lab.value?.now ?? Date(timeIntervalSince1970: 0)) }

    /// The next moment at which a call waits for something.
    var deadline: Instant? { state.withLock { $0.calls.values.compactMap(\.deadline).min() } }

    /// Lets calls do what is due.
    func tick() {
        dropOrphans()
        let now = now
        let due = state.withLock { state in
            state.calls.values.filter { $0.deadline.map { $0 <= now } ?? false }.map(\.call).sorted()
        }
        for call in due { feed(call, .tick) }
    }

    // MARK: - From devices

    func opened(_ connection: LabConnection) {
        plan(connection) { connection.emit(.opened) }
    }

    func closed(_ connection: LabConnection) {
        let party = connection.party
        let wasCurrent = state.withLock { state in
            guard state.sessions[party]?.connection === connection else { return false }
            state.sessions[party]?.connection = nil
            return true
        }
        guard wasCurrent else { return }
        for call in liveCalls { feed(call, .deviceDisconnected(party)) }
    }

    func hear(_ text: String, from connection: LabConnection) {
        guard let message = try? WireCodec.decodeClientMessage(text) else { return }
        let party = connection.party
        dropOrphans()
        switch message.body {
        case .hello(let hello): welcome(hello, on: connection)
        case .ack(let sequence):
            state.withLock { $0.sessions[party]?.unheard.removeAll { ($0.sequence ?? 0) <= sequence } }
        case .register(let registration):
            var token = Data()
            var digits = Substring(registration.token)
            while let byte = UInt8(digits.prefix(2), radix: 16) {
                token.append(byte)
                digits = digits.dropFirst(2)
            }
            state.withLock { $0.tokens[party] = Registered(token: token, phone: connection.phone) }
            reply(.ack(replyTo: message.id), on: connection)
        case .unregister:
            state.withLock { $0.tokens[party] = nil }
            reply(.ack(replyTo: message.id), on: connection)
        case .invite(let call, let handle, let video):
            invite(call, to: handle.value, video: video, message: message.id, on: connection)
        case .ringing(let call): command(.ringing, call, message.id, connection)
        case .answer(let call): command(.answer, call, message.id, connection)
        case .decline(let call): command(.decline, call, message.id, connection)
        case .busy(let call): command(.busy, call, message.id, connection)
        case .cancel(let call): command(.cancel, call, message.id, connection)
        case .hangup(let call, let reason): command(.hangup(reason), call, message.id, connection)
        case .media(let call, let signal): command(.media(signal), call, message.id, connection)
        case .connected(let call): command(.connected, call, message.id, connection)
        case .update(let call, let update):
            command(
                .update(held: update.held, muted: update.muted, video: update.video), call, message.id, connection)
        }
    }

    /// The system closes a dead app's sockets.
    private func dropOrphans() {
        let orphans = state.withLock { state in
            state.parties.compactMap { state.sessions[$0]?.connection }.filter(\.isOrphan)
        }
        for orphan in orphans { closed(orphan) }
    }

    private func welcome(_ hello: Hello, on connection: LabConnection) {
        let party = connection.party
        let now = now
        let (welcome, replay) = state.withLock { state -> (Welcome, [ServerMessage]) in
            if !state.parties.contains(party) { state.parties.append(party) }
            let known = state.sessions[party]
            let resumes = hello.session != nil && hello.session == known?.id
            if !resumes {
                state.sessionCount += 1
                state.sessions[party] = Session(id: "session-\(state.sessionCount)")
            }
            state.sessions[party]?.connection = connection
            let session = state.sessions[party]?.id ?? ""
            let replay = resumes ? known?.unheard.filter { ($0.sequence ?? 0) > (hello.sequence ?? 0) } ?? [] : []
            let live = state.calls.values.filter { !$0.isEnded && $0.view(for: party) != nil }.map(\.call)
            let asked = Set(live + hello.calls).sorted()
            let calls = asked.map { LabServer.snapshot(of: $0, state.calls[$0], for: party) }
            return (Welcome(session: session, resumed: resumes, user: party.user, now: now, calls: calls), replay)
        }
        reply(.welcome(welcome), on: connection)
        for message in replay { transmit(message, on: connection) }
        for call in liveCalls { feed(call, .deviceConnected(party)) }
    }

    private func command(_ command: BrokerCommand, _ call: CallID, _ message: String, _ connection: LabConnection) {
        let party = connection.party
        guard state.withLock({ $0.calls[call] }) == nil else {
            return feed(call, .received(command, from: party, message: message))
        }
        guard let other = joined(call, of: party) else {
            return reply(.error(LabServer.failure(.unknownCall, message)), on: connection)
        }
        feed(other, .received(command.ofJoined, from: party, message: message))
    }

    /// The call in which a device's own one went on (race 7).
    private func joined(_ call: CallID, of party: BrokerParty) -> CallID? {
        state.withLock { $0.calls.values.first { $0.hasJoined(call, of: party) }?.call }
    }

    private func invite(
        _ call: CallID, to user: String, video: Bool, message: String, on connection: LabConnection
    ) {
        let (party, now) = (connection.party, now)
        if let crossed = state.withLock({ state in
            state.calls.values.first { $0.isCrossed(by: party, calling: user) }?.call
        }) {
            feed(crossed, .crossed(by: call, from: party))
            return reply(.ack(replyTo: message), on: connection)
        }
        let targets = state.withLock { state -> [BrokerTarget]? in
            let devices = state.parties.filter { $0.user == user }
            guard state.calls[call] == nil, !devices.isEmpty else { return nil }
            let invitation = Invitation(
                call: call, callerName: party.user, callerHandle: Handle(value: party.user), video: video,
                issuedAt: now, expiresAt: now + BrokerSettings.ringDuration)
            state.calls[call] = BrokerMachine(invitation: invitation, caller: party, callee: user)
            return devices.map { device in
                BrokerTarget(
                    device: device.device, connected: state.sessions[device]?.connection != nil,
                    pushable: state.tokens[device] != nil)
            }
        }
        guard let targets else {
            return reply(.error(LabServer.failure(.unknownUser, message)), on: connection)
        }
        reply(.ack(replyTo: message), on: connection)
        feed(call, .placed(targets))
    }

    // MARK: - To devices

    private func feed(_ call: CallID, _ event: BrokerEvent) {
        let now = now
        let effects = state.withLock { $0.calls[call]?.handle(event, at: now) ?? [] }
        for effect in effects { run(effect, of: call) }
    }

    private func run(_ effect: BrokerEffect, of call: CallID) {
        guard let machine = self.call(call) else { return }
        switch effect {
        case .persist, .finished: break
        case .decided(let decision): state.withLock { $0.decisions.append(decision) }
        case .offer(let device):
            tell(BrokerParty(user: machine.callee, device: device), .invited(machine.invitation))
        case .push(let device): push(machine, to: BrokerParty(user: machine.callee, device: device))
        case .tell(let party, let notice): tell(party, LabServer.body(of: notice, call))
        case .reply(let party, let message, let answer):
            guard let connection = state.withLock({ $0.sessions[party]?.connection }) else { return }
            switch answer {
            case .done: reply(.ack(replyTo: message), on: connection)
            case .unknownCall: reply(.error(LabServer.failure(.unknownCall, message)), on: connection)
            case .invalidState: reply(.error(LabServer.failure(.invalidState, message)), on: connection)
            case .conflict: reply(.error(LabServer.failure(.conflict, message)), on: connection)
            case .limitExceeded: reply(.error(LabServer.failure(.limitExceeded, message)), on: connection)
            }
        }
    }

    private func push(_ machine: BrokerMachine, to party: BrokerParty) {
        guard let lab = lab.value, let registered = state.withLock({ $0.tokens[party] }),
            let phone = lab.phones.first(where: { $0.configuration.name == registered.phone }),
            let body = try? PushPayload(invitation: machine.invitation).encoded()
        else { return feed(machine.call, .pushFailed(device: party.device)) }
        lab.deliver(to: phone, token: registered.token, body: PushBody(data: Data(body)))
        feed(machine.call, .pushAccepted(device: party.device))
    }

    /// Says something in the session's stream; it waits there when the device has no connection.
    private func tell(_ party: BrokerParty, _ body: ServerMessage.Body) {
        let (message, connection) = state.withLock { state -> (ServerMessage?, LabConnection?) in
            guard var session = state.sessions[party] else { return (nil, nil) }
            session.sequence += 1
            let message = ServerMessage(sequence: session.sequence, body: body)
            session.unheard.append(message)
            state.sessions[party] = session
            return (message, session.connection)
        }
        if let message, let connection { transmit(message, on: connection) }
    }

    private func reply(_ body: ServerMessage.Body, on connection: LabConnection) {
        transmit(ServerMessage(body: body), on: connection)
    }

    private func transmit(_ message: ServerMessage, on connection: LabConnection) {
        let text = WireCodec.encode(message)
        plan(connection) { connection.emit(.received(text)) }
    }

    /// Notes that an app sent something, once it is on its way.
    func sent(_ text: String) {
        guard case .invite? = (try? WireCodec.decodeClientMessage(text))?.body else { return }
        state.withLock { $0.invites += 1 }
    }

    /// Lets something happen at one end of a connection, after what is on its way there already.
    func plan(_ connection: LabConnection, upwards: Bool = false, _ body: @escaping @Sendable () -> Void) {
        guard let lab = lab.value else { return }
        let arrival = connection.arrival(upwards: upwards, after: lab.network.messageTravel(), at: lab.now)
        lab.plan(at: arrival) { [weak lab] in
            if lab?.network.isOffline(connection.phone) == true { return connection.cut() }
            body()
        }
    }
}

/// A reference that does not keep its object.
struct Weak<Object: AnyObject & Sendable>: Sendable {
    private(set) weak var value: Object?

    init(_ value: Object?) {
        self.value = value
    }
}
