// SPDX-License-Identifier: MIT

import Foundation
import OffhookCore

/// A call leg in a room: the offerer gets two tickets, sends one to the other side, and both join.
///
/// Both being in the room is `connected`, never media: that is the first packet of the other side (R94).
final class RoomSession: AdapterSession, MediaSession {
    // Belongs to the queue.
    private var room: (any MediaRoom)?
    private var hasTicket = false

    func start(
        _ make: @escaping @Sendable (@escaping @Sendable (RoomReport) -> Void) throws -> any MediaRoom,
        tickets: @escaping @Sendable (CallID) async throws -> RoomMediaEngine.Tickets
    ) {
        onQueue { [self] in
            do {
                room = try make { [weak self] report in self?.onQueue { [weak self] in self?.take(report) } }
                apply(gates)
            } catch {
                return fail(
                    error as? MediaFailure ?? MediaFailure(.engine, "The room cannot be made: \(error)"))
            }
            if configuration.role == .offerer { ask(tickets) }
        }
    }

    private func ask(_ tickets: @escaping @Sendable (CallID) async throws -> RoomMediaEngine.Tickets) {
        let call = configuration.call
        Task { [weak self] in
            do {
                let tickets = try await tickets(call)
                self?.onQueue { [weak self] in self?.take(tickets) }
            } catch {
                let failure = MediaFailure(.engine, "No ticket for the room could be had: \(error)")
                self?.onQueue { [weak self] in self?.fail(failure) }
            }
        }
    }

    private func take(_ tickets: RoomMediaEngine.Tickets) {
        guard let text = try? JSONEncoder().encode(tickets.other) else { return }
        send(.ticket, String(decoding: text, as: UTF8.self))
        join(tickets.own)
    }

    func receive(_ signal: MediaSignal) {
        guard signal.generation == configuration.generation else { return }  // M15
        onQueue { self.take(signal) }
    }

    private func take(_ signal: MediaSignal) {
        switch signal.kind {
        case .ticket:
            guard configuration.role == .answerer, !hasTicket else { return }
            guard let ticket = try? JSONDecoder().decode(RoomTicket.self, from: Data(signal.body.utf8)) else {
                return fail(MediaFailure(.badSignal, "The room's ticket cannot be read."))
            }
            join(ticket)
        case .offer, .answer, .candidate:
            let message = "A room has no use for a description; both sides need the same engine."
            fail(MediaFailure(.badSignal, message))
        }
    }

    private func join(_ ticket: RoomTicket) {
        guard !hasTicket else { return }
        hasTicket = true
        room?.join(ticket)
    }

    private func take(_ report: RoomReport) {
        switch report {
        case .bothPresent: becomeConnected()
        case .failed(let reason): fail(MediaFailure(.connectivity, "The room is lost: \(reason)"))
        }
    }

    override func apply(_ gates: Gates) {
        room?.setMuted(gates.isMuted)
        room?.setPublishing(gates.sends)
        room?.setPlaying(gates.plays)
    }

    override func readReceivedPackets(_ reply: @escaping @Sendable (Int) -> Void) {
        room?.readReceivedPackets(reply)
    }

    override func release() {
        room?.leave()
        room = nil
    }
}

// Its own variables are bound to the session's serial queue too.
extension RoomSession: @unchecked Sendable {}
