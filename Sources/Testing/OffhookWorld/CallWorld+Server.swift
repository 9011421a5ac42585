// SPDX-License-Identifier: MIT

import FoundationEssentials
import OffhookCore

extension CallWorld {
    /// Gives the rules of a call an event and carries their effects out in order.
    mutating func deliver(toCall number: Int, _ event: BrokerEvent) {
        tally.count(event)
        let now = now
        guard var effects = calls[number].machine?.handle(event, at: now) else { return }
        if let sabotage { effects = sabotage.broken(effects) }
        for effect in effects {
            if let left = serverEffectsLeft {
                guard left > 0 else { return stopServer(for: 1000) }
                serverEffectsLeft = left - 1
            }
            run(effect, of: number)
        }
        calls[number].nextTick = calls[number].machine?.deadline.map { relative($0) }
        if calls[number].machine?.isEnded ?? true { live.removeAll { $0 == number } }
    }

    private mutating func run(_ effect: BrokerEffect, of number: Int) {
        guard let machine = calls[number].machine else { return }
        let call = machine.call
        switch effect {
        case .persist: calls[number].stored = machine
        case .decided: break
        case .finished: finish(number)
        case .offer(let device):
            guard let index = phone(of: device, user: calls[number].callee) else { return }
            tell(index, .invited(machine.invitation))
        case .push(let device):
            guard let index = phone(of: device, user: calls[number].callee) else { return }
            push(machine.invitation, number, to: index)
        case .tell(let party, let notice):
            guard let index = phone(of: party) else { return }
            tell(index, .news(call, notice.news))
        case .reply(let party, let message, let reply):
            guard let index = phone(of: party), let message = Int(message) else { return }
            self.reply(reply, to: message, on: index)
        }
    }

    private mutating func finish(_ number: Int) {
        calls[number].ends += 1
        calls[number].endedAt = time
        judgeServerEnd(number)
        if calls[number].ends > 1 { breach(.serverDecidesOnce, nil, "call \(number + 1) ends again") }
    }

    private func phone(of party: BrokerParty) -> Int? {
        phones.firstIndex { $0.party == party }
    }

    private func phone(of device: String, user: Int) -> Int? {
        phones.firstIndex { $0.user == user && $0.party.device == device }
    }

    private mutating func push(_ invitation: Invitation, _ number: Int, to index: Int) {
        let device = phones[index].party.device
        let fate = phones[index].fate
        phones[index].fate = nil
        switch fate {
        case nil:
            schedule(200, .push(index, invitation))
        case .lost?:
            break
        case .refused?:
            return schedule(30, .broker(number, .pushFailed(device: device)))
        case .late(let milliseconds)?:
            schedule(milliseconds, .push(index, invitation))
        case .twice(let milliseconds)?:
            schedule(200, .push(index, invitation))
            schedule(200 + milliseconds, .push(index, invitation))
        }
        schedule(30, .broker(number, .pushAccepted(device: device)))
    }

    // MARK: - Invitations

    mutating func invite(_ message: UpMessage, _ number: Int, video: Bool, from index: Int) {
        let party = phones[index].party
        let callee = calls[number].callee
        if let known = calls[number].machine {
            switch known.view(for: party) {
            case nil, .ringing?: break
            case .answered?: tell(index, .news(message.call, .answered))
            case .ended(let reason)?: tell(index, .news(message.call, .ended(reason)))
            }
            return reply(.done, to: message.number, on: index)
        }
        endForRecall(index, callee: callee)
        guard isServerUp else { return }
        let invitation = Invitation(
            call: message.call, callerName: party.user, callerHandle: Handle(value: party.user), video: video,
            issuedAt: now, expiresAt: now + BrokerSettings.ringDuration)
        calls[number].machine = BrokerMachine(
            invitation: invitation, caller: party, callee: CallWorld.users[callee % 8], settings: settings)
        calls[number].stored = calls[number].machine
        live.append(number)
        reply(.done, to: message.number, on: index)
        let targets = phones.filter { $0.user == callee }.map { phone in
            BrokerTarget(device: phone.party.device, connected: phone.isOnline, pushable: !phone.isSignedOut)
        }
        deliver(toCall: number, .placed(targets))
    }

    /// Race 9: who calls the peer of a call that seems to go on has left that call.
    private mutating func endForRecall(_ index: Int, callee: Int) {
        for number in live where isServerUp {
            let calledBefore = calls[number].caller == index && calls[number].callee == callee
            let answeredBefore =
                calls[number].callee == phones[index].user
                && calls[number].machine?.winner == phones[index].party.device
                && phones[calls[number].caller].user == callee
            if calledBefore || answeredBefore { deliver(toCall: number, .replaced) }
        }
    }

    // MARK: - What a phone that connects is told

    func snapshots(for index: Int, asked: [CallID]) -> [DownMessage.Snapshot] {
        var snapshots: [DownMessage.Snapshot] = []
        for number in live {
            guard calls[number].caller == index || calls[number].callee == phones[index].user,
                let machine = calls[number].machine, let view = machine.view(for: phones[index].party)
            else { continue }
            if case .ended = view { continue }
            snapshots.append(snapshot(of: machine, view, for: index))
        }
        for call in asked where !snapshots.contains(where: { $0.call == call }) {
            if let number = number(of: call), let machine = calls[number].machine,
                let view = machine.view(for: phones[index].party)
            {
                snapshots.append(snapshot(of: machine, view, for: index))
            } else {
                snapshots.append(DownMessage.Snapshot(call: call, view: nil, invitation: nil, isOutgoing: false))
            }
        }
        return snapshots
    }

    private func snapshot(of machine: BrokerMachine, _ view: BrokerView, for index: Int) -> DownMessage.Snapshot {
        let isOutgoing = machine.caller == phones[index].party
        return DownMessage.Snapshot(
            call: machine.call, view: view, invitation: isOutgoing ? nil : machine.invitation, isOutgoing: isOutgoing)
    }

    // MARK: - The server's process

    /// The server dies and comes back after a while: connections and sessions are gone, the store is not.
    mutating func stopServer(for milliseconds: Int) {
        guard isServerUp else { return }
        isServerUp = false
        serverEffectsLeft = nil
        for index in phones.indices {
            cut(index, for: milliseconds + 300)
            phones[index].hasSession = false
        }
        for number in live { calls[number].machine = calls[number].stored.flatMap { CallWorld.stored($0) } }
        schedule(milliseconds, .serverUp)
        tally.serverDeaths += 1
    }

    mutating func serverUp() {
        isServerUp = true
        for number in live where isServerUp { deliver(toCall: number, .restarted) }
    }

    /// What a machine is after it was written and read.
    private static func stored(_ machine: BrokerMachine) -> BrokerMachine? {
        guard let bytes = try? JSONEncoder().encode(machine) else { return nil }
        return try? JSONDecoder().decode(BrokerMachine.self, from: bytes)
    }

    /// The device loses its right: it leaves its calls, and its connection closes (race 29).
    mutating func signOut(_ index: Int) {
        guard isServerUp, !phones[index].isSignedOut else { return }
        let party = phones[index].party
        for number in live where isServerUp { deliver(toCall: number, .deviceRemoved(party)) }
        phones[index].isSignedOut = true
        phones[index].hasSession = false
        cut(index, for: 500)
    }
}

extension BrokerNotice {
    /// What the server's word means to a phone.
    var news: PhoneMachine.ServerNews {
        switch self {
        case .ringing: .ringing
        case .answered: .answered
        case .joined(let from): .joined(from)
        case .ended(let reason): .ended(reason)
        case .media(let signal): .media(signal)
        case .update(let held, let muted, let video): .update(PeerUpdate(held: held, muted: muted, video: video))
        }
    }
}
