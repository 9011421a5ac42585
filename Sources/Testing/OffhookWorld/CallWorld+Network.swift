// SPDX-License-Identifier: MIT

import OffhookCore

// The session between a phone and the server: numbered, repeated until answered, resumed or replaced by a snapshot.
extension CallWorld {
    // MARK: - Up

    mutating func send(_ signal: CallSignal, of call: CallID, from index: Int) {
        let message = UpMessage(number: Int(fresh()), call: call, signal: signal)
        phones[index].outbox.append(message)
        if phones[index].isReady { transmit(message, from: index) }
        if fails(.send, on: index) { cut(index, for: 400) }
    }

    private mutating func transmit(_ message: UpMessage, from index: Int) {
        phones[index].lastUp = max(phones[index].lastUp, time + phones[index].delay)
        queue.add(.up(index, epoch: phones[index].epoch, message), at: phones[index].lastUp)
        if let later = phones[index].repeatsNextUp {
            phones[index].repeatsNextUp = nil
            queue.add(.up(index, epoch: nil, message), at: phones[index].lastUp + later)
        }
    }

    mutating func arrive(_ message: UpMessage, from index: Int, epoch: Int?) {
        guard isServerUp, epoch == nil || epoch == phones[index].epoch else { return }  // lost with its connection
        guard let number = number(of: message.call) else {
            // A process that does not know what an earlier one reported ends it as any call.
            if message.signal == .hangup(.localHangup) { return reply(.unknownCall, to: message.number, on: index) }
            return breach(.oneCallPerID, index, "the server hears of a throwaway call")
        }
        if case .invite(_, let video) = message.signal {
            return invite(message, number, video: video, from: index)
        }
        guard calls[number].machine != nil else { return reply(.unknownCall, to: message.number, on: index) }
        deliver(
            toCall: number,
            .received(message.signal.command, from: phones[index].party, message: String(message.number)))
    }

    // MARK: - Down

    /// Something for a phone that must arrive: kept until it has.
    mutating func tell(_ index: Int, _ content: DownMessage.Content) {
        guard !phones[index].isSignedOut else { return }
        phones[index].sent += 1
        let message = DownMessage(number: phones[index].sent, content: content)
        phones[index].kept.append(message)
        transmit(message, to: index)
    }

    mutating func reply(_ reply: BrokerReply, to message: Int, on index: Int) {
        transmit(DownMessage(number: 0, content: .reply(message, reply)), to: index)
    }

    private mutating func transmit(_ message: DownMessage, to index: Int) {
        guard phones[index].isOnline else { return }
        let step = WorldStep.down(index, epoch: phones[index].epoch, message)
        if message.number > 0, let later = phones[index].delaysNextDown {
            phones[index].delaysNextDown = nil
            return schedule(phones[index].delay + later, step)
        }
        phones[index].lastDown = max(phones[index].lastDown, time + phones[index].delay)
        queue.add(step, at: phones[index].lastDown)
        if phones[index].repeatsNextDown {
            phones[index].repeatsNextDown = false
            queue.add(step, at: phones[index].lastDown + 7)
        }
    }

    mutating func arrive(_ message: DownMessage, at index: Int, epoch: Int) {
        guard epoch == phones[index].epoch, phones[index].isAlive else { return }
        guard message.number > 0 else { return hear(message.content, on: index) }
        guard message.number > phones[index].taken else { return }
        if message.number > phones[index].taken + 1 { return phones[index].early.append(message) }
        take(message, on: index)
        while epoch == phones[index].epoch, phones[index].isAlive,
            let next = phones[index].early.firstIndex(where: { $0.number == phones[index].taken + 1 })
        {
            take(phones[index].early.remove(at: next), on: index)
        }
    }

    private mutating func take(_ message: DownMessage, on index: Int) {
        phones[index].taken = message.number
        phones[index].kept.removeAll { $0.number <= message.number }
        hear(message.content, on: index)
    }

    private mutating func hear(_ content: DownMessage.Content, on index: Int) {
        switch content {
        case .news(let call, let news): deliver(index, .server(call, news))
        case .invited(let invitation): deliver(index, .invited(invitation))
        case .reply(let number, let reply):
            guard let position = phones[index].outbox.firstIndex(where: { $0.number == number }) else { return }
            let message = phones[index].outbox.remove(at: position)
            guard case .invite = message.signal else {
                return deliver(index, .delivered(message.call, message.signal))
            }
            switch reply {
            case .done: deliver(index, .server(message.call, .inviteAccepted))
            case .unknownCall, .invalidState, .conflict, .limitExceeded:
                let failure = CallFailure(.refusedByServer, reply.rawValue)
                deliver(index, .server(message.call, .inviteRefused(failure, .failed)))
            }
        case .welcome(let snapshots):
            phones[index].isReady = true
            for message in phones[index].outbox { transmit(message, from: index) }
            for snapshot in snapshots { catchUp(snapshot, on: index) }
        }
    }

    /// Takes the server's word on one call after a connection was made (races 12, 15, 21), as the shell does.
    private mutating func catchUp(_ snapshot: DownMessage.Snapshot, on index: Int) {
        guard phones[index].isAlive, phones[index].isReady else { return }
        let call = snapshot.call
        let isHere = phones[index].machine.calls.contains { $0.id == call }
        switch snapshot.view {
        case .ringing?:
            if isHere {
                if snapshot.isOutgoing { deliver(index, .server(call, .inviteAccepted)) }
            } else if snapshot.isOutgoing {
                send(.cancel, of: call, from: index)  // R88: made by an earlier process
            } else if let invitation = snapshot.invitation {
                deliver(index, .invited(invitation))
            }
        case .answered?:
            if isHere {
                deliver(index, .server(call, .answered))
            } else {
                send(.hangup(.failed), of: call, from: index)
            }
        case .ended(let reason)?: deliver(index, .server(call, .ended(reason)))
        case nil: if isHere { deliver(index, .server(call, .ended(.failed))) }
        }
    }

    // MARK: - Losing and finding the connection

    /// Cuts a phone's connection: what is on its way is lost; it comes back after so long, or never by itself.
    mutating func cut(_ index: Int, for milliseconds: Int?) {
        phones[index].epoch += 1
        phones[index].isReady = false
        phones[index].early = []
        if phones[index].isOnline, isServerUp {
            let party = phones[index].party
            // The server learns it after what it is just doing.
            for call in live { schedule(0, .broker(call, .deviceDisconnected(party))) }
        }
        phones[index].isOnline = false
        if let milliseconds { schedule(milliseconds, .reconnect(index, epoch: phones[index].epoch)) }
    }

    mutating func reconnect(_ index: Int, epoch: Int) {
        guard phones[index].epoch == epoch, phones[index].isAlive, !phones[index].isOnline else { return }
        guard isServerUp, !phones[index].isSignedOut else { return schedule(700, .reconnect(index, epoch: epoch)) }
        phones[index].isOnline = true
        phones[index].onlineSince = time
        let party = phones[index].party
        for call in live { deliver(toCall: call, .deviceConnected(party)) }
        guard isServerUp, phones[index].isOnline else { return }
        let missed = phones[index].hasSession ? phones[index].kept : []
        phones[index].hasSession = true
        phones[index].kept = []
        phones[index].sent = 0
        phones[index].taken = 0
        phones[index].lastDown = time
        phones[index].lastUp = time
        let asked = phones[index].machine.callsKnownToServer
        transmit(DownMessage(number: 0, content: .welcome(snapshots(for: index, asked: asked))), to: index)
        for message in missed {
            if case .invited = message.content { continue }  // one that still rings is in the welcome
            tell(index, message.content)
        }
    }
}

extension CallSignal {
    /// What the signal asks of the server's rules.
    var command: BrokerCommand {
        switch self {
        case .invite, .ringing: .ringing
        case .answer: .answer
        case .decline: .decline
        case .busy: .busy
        case .cancel: .cancel
        case .hangup(let reason): .hangup(reason)
        case .media(let signal): .media(signal)
        case .connected: .connected
        case .update(let update): .update(held: update.held, muted: update.muted, video: update.video)
        }
    }
}
