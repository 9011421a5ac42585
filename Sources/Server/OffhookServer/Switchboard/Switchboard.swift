// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookWire

/// The shell around the broker machines: sessions, devices, deadlines, pushes.
///
/// Everything happens on the server's event-loop thread, one event at a time: a machine takes the event, the change is
/// stored, then its effects run. That order is what makes an outcome decided once survive the process.
final class Switchboard {
    /// A call that is not over, its time and its timer.
    final class LiveCall {
        var machine: BrokerMachine
        let time: CallTime
        var timer: (any ServerTimer)?
        var armed: Instant?

        init(_ machine: BrokerMachine, _ clock: any ServerClock) {
            self.machine = machine
            time = CallTime(clock)
        }
    }

    let loop: EventLoop
    let store: any Store
    let configuration: ServerConfiguration
    let gateway: (any PushGateway)?
    let clock: any ServerClock
    let onEvent: @Sendable (ServerEvent) -> Void
    var calls: [CallID: LiveCall] = [:]
    /// The live calls in which a user takes part.
    var callsOfUser: [String: Set<CallID>] = [:]
    var sessions: [BrokerParty: Session] = [:]
    var connections: [ObjectIdentifier: Connection] = [:]
    /// How many of them each user has.
    var connectionsOfUser: [String: Int] = [:]
    /// What happens when the changes of this turn of the loop are stored, in order.
    var waiting: [Waiting] = []
    var isCommitting = false
    /// What was said of calls before their invitations came.
    var early = EarlyWords()
    /// How many calls each user may place now.
    var placing = CallAllowance()
    /// After this, nothing changes a call any more.
    var isStopped = false

    init(
        loop: EventLoop, store: any Store, configuration: ServerConfiguration, gateway: (any PushGateway)?,
        clock: any ServerClock, onEvent: @escaping @Sendable (ServerEvent) -> Void
    ) {
        self.loop = loop
        self.store = store
        self.configuration = configuration
        self.gateway = gateway
        self.clock = clock
        self.onEvent = onEvent
    }

    func note(_ text: String, call: CallID? = nil, rule: String) {
        onEvent(ServerEvent(at: clock.now, text: text, call: call, rule: rule))
    }

    /// Runs work on the loop's thread at a later time, unless the server has stopped by then.
    @discardableResult
    func schedule(after delay: TimeSpan, _ work: @escaping @Sendable (Switchboard) -> Void)
        -> any ServerTimer
    {
        clock.schedule(after: delay, on: loop) { [weak self] in
            guard let self, !self.isStopped else { return }
            work(self)
        }
    }

    /// Takes up the users of the configuration and the calls of the store (race 23).
    func load() throws(ServerError) {
        do {
            for user in configuration.users {
                try store.save(StoredUser(id: user.id, name: shownName(user.name, id: user.id), handle: user.handle))
            }
            try store.commit()
            let live = try store.liveCalls()
            for machine in live.calls { adopt(LiveCall(machine, clock)) }
            if live.unreadable > 0 { note("\(live.unreadable) calls in the database cannot be read", rule: "R99") }
        } catch {
            throw SQLiteStore.error(error, path: store.path, doing: "read")
        }
    }

    /// Lets the calls that were found in the store go on.
    func resumeCalls() {
        for live in Array(calls.values) { drive(live, .restarted) }
        // Devices may have been faster than this.
        for (party, session) in sessions where session.connection != nil {
            for live in liveCalls(of: party.user) { drive(live, .deviceConnected(party)) }
        }
        commit()
        removeOldCalls()
    }

    /// Closes every connection and changes nothing more.
    func stop() {
        commit()
        isStopped = true
        for live in calls.values { live.timer?.cancel() }
        for connection in connections.values {
            connection.cancelTimers()
            connection.close(.goingAway)
        }
        connections = [:]
        connectionsOfUser = [:]
        sessions = [:]
        calls = [:]
        callsOfUser = [:]
        store.release()
    }

    /// The name to show for a user: cleaned, or the id when nothing is left of it.
    func shownName(_ name: String, id: String) -> String {
        let cleaned = CallerName.cleaned(name)
        if !cleaned.isEmpty { return cleaned }
        let fromID = CallerName.cleaned(id)
        return fromID.isEmpty ? "?" : fromID
    }
}

// Safe because every access happens on the loop's thread; only `loop.execute` and `schedule` come from elsewhere.
extension Switchboard: @unchecked Sendable {}

extension Switchboard {
    // MARK: - Calls

    func adopt(_ live: LiveCall) {
        calls[live.machine.call] = live
        callsOfUser[live.machine.caller.user, default: []].insert(live.machine.call)
        callsOfUser[live.machine.callee, default: []].insert(live.machine.call)
    }

    func release(_ live: LiveCall) {
        live.timer?.cancel()
        live.timer = nil
        calls[live.machine.call] = nil
        for user in [live.machine.caller.user, live.machine.callee] {
            callsOfUser[user]?.remove(live.machine.call)
            if callsOfUser[user]?.isEmpty == true { callsOfUser[user] = nil }
        }
    }

    /// The live calls in which a user takes part, in the order of their ids.
    func liveCalls(of user: String) -> [LiveCall] {
        (callsOfUser[user] ?? []).sorted().compactMap { calls[$0] }
    }

    func answer(_ message: String, from party: BrokerParty, with reply: BrokerReply, call: CallID) {
        guard let connection = sessions[party]?.connection else { return }
        guard let code = reply.failureCode else {
            connection.send(ServerMessage(body: .ack(replyTo: message)))
            return
        }
        fail(connection, code, reply.words, replyTo: message, call: call)
    }

    func fail(
        _ connection: Connection, _ code: WireFailure.Code, _ message: String, retryable: Bool = false,
        replyTo: String? = nil, call: CallID? = nil
    ) {
        let failure = WireFailure(
            code: code, message: message, retryable: retryable, replyTo: replyTo, call: call)
        connection.send(ServerMessage(body: .error(failure)))
    }
}
