// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookNet
import VirtualPhone

/// The way to a ``LabServer`` for one device.
final class LabTransport: SignalTransport {
    private let server: LabServer
    private let party: BrokerParty
    private let phone: String
    private let process: AppProcess?

    /// Made while the app is launched: it belongs to that process, and works as long as that lives.
    init(server: LabServer, party: BrokerParty, phone: String) {
        self.server = server
        self.party = party
        self.phone = phone
        process = AppProcess.current
    }

    func connect(
        to url: String, headers: [(name: String, value: String)],
        events: @escaping @Sendable (SignalTransportEvent) -> Void
    ) -> any SignalConnection {
        let connection = LabConnection(
            server: server, party: party, phone: phone, process: process, events: events)
        if !connection.isOrphan { server.opened(connection) }
        return connection
    }
}

/// One connection to a ``LabServer``; nothing overtakes anything on it.
final class LabConnection: SignalConnection {
    private struct State {
        var isOver = false
        var lastUp = Date.distantPast
        var lastDown = Date.distantPast
    }

    let party: BrokerParty
    let phone: String
    private let server: LabServer
    private let events: @Sendable (SignalTransportEvent) -> Void
    private let process: AppProcess?
    private let state = Guarded(State())

    /// Whether the app that made it is dead: its socket is closed then.
    var isOrphan: Bool { process.map { !$0.isRunning } ?? false }

    init(
        server: LabServer, party: BrokerParty, phone: String, process: AppProcess?,
        events: @escaping @Sendable (SignalTransportEvent) -> Void
    ) {
        self.server = server
        self.party = party
        self.phone = phone
        self.process = process
        self.events = events
    }

    func send(_ text: String) {
        guard !state.withLock({ $0.isOver }), !isOrphan else { return }
        server.plan(self, upwards: true) { [self] in
            if !state.withLock({ $0.isOver }) { server.hear(text, from: self) }
        }
        server.sent(text)
    }

    func close() {
        // What a dead app's objects still do reaches nobody: the system has closed the socket.
        guard !isOrphan, end() else { return }
        server.closed(self)
        events(.closed(code: nil, status: nil, reason: "closed by the app"))
    }

    /// The network is gone.
    func cut() {
        guard !isOrphan, end() else { return }
        server.closed(self)
        events(.closed(code: nil, status: nil, reason: "the phone is offline"))
    }

    func emit(_ event: SignalTransportEvent) {
        if !isOrphan, !state.withLock({ $0.isOver }) { events(event) }
    }

    /// When something that is sent now arrives.
    func arrival(upwards: Bool, after travel: Duration, at now: Date) -> Date {
        state.withLock { state in
            let last = upwards ? state.lastUp : state.lastDown
            let arrival = max(last, now.addingTimeInterval(travel / .seconds(1)))
            if upwards { state.lastUp = arrival } else { state.lastDown = arrival }
            return arrival
        }
    }

    private func end() -> Bool {
        state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
    }
}
