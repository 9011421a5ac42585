// SPDX-License-Identifier: MIT

import Offhook

extension CallWorld {
    // MARK: - Up

    mutating func send(_ message: WorldMessage, from index: Int) {
        devices[index].outbox.append(message)
        transmit(message, from: index)
    }

    private mutating func transmit(_ message: WorldMessage, from index: Int) {
        guard devices[index].isOnline else { return }
        for _ in 0..<(happens(network.duplicates) ? 2 : 1) {
            devices[index].lastUp = max(devices[index].lastUp, now + .milliseconds(roll(network.delay)))
            schedule(at: devices[index].lastUp, .up(index, epoch: devices[index].epoch, message))
        }
        if happens(network.drops) { cut(index) }
    }

    mutating func arrive(_ message: WorldMessage, from index: Int, epoch: Int) {
        guard epoch == devices[index].epoch else { return }  // lost with its connection
        let party = devices[index].party
        if case .invite(let handle, let video) = message.signal {
            return invite(message, to: handle.value, video: video, from: index)
        }
        guard brokers[message.call] != nil else {
            if let joined = brokers.values.first(where: { $0.hasJoined(message.call, of: party) }) {
                return feed(
                    joined.call, .received(message.signal.command.ofJoined, from: party, message: message.id))
            }
            return tell(party, .reply(message.id, .unknownCall))
        }
        feed(message.call, .received(message.signal.command, from: party, message: message.id))
    }

    private mutating func invite(_ message: WorldMessage, to user: String, video: Bool, from index: Int) {
        let party = devices[index].party
        if let joined = brokers.values.first(where: { $0.hasJoined(message.call, of: party) }) {
            tell(party, .event(.server(message.call, .joined(joined.call))))
            tell(party, .reply(message.id, .done))
        } else if let crossed = brokers.values.filter({ $0.isCrossed(by: party, calling: user) }).map(\.call).min() {
            feed(crossed, .crossed(by: message.call, from: party))
            tell(party, .reply(message.id, .done))
        } else if brokers[message.call] == nil {
            let invitation = Invitation(
                call: message.call, callerName: party.user, callerHandle: Handle(value: party.user), video: video,
                issuedAt: now, expiresAt: now + BrokerSettings.ringDuration)
            brokers[message.call] = BrokerMachine(invitation: invitation, caller: party, callee: user)
            let targets = devices.filter { $0.party.user == user }.map { device in
                BrokerTarget(device: device.party.device, connected: device.isOnline, pushable: true)
            }
            tell(party, .reply(message.id, .done))
            feed(message.call, .placed(targets))
        } else {
            tell(party, .reply(message.id, .done))
        }
    }

    // MARK: - The server

    mutating func feed(_ call: CallID, _ event: BrokerEvent) {
        guard let effects = brokers[call]?.handle(event, at: now) else { return }
        for effect in effects { run(effect, of: call) }
    }

    private mutating func run(_ effect: BrokerEffect, of call: CallID) {
        guard let broker = brokers[call] else { return }
        switch effect {
        case .persist, .decided, .finished:
            break
        case .offer(let device):
            tell(BrokerParty(user: broker.callee, device: device), .event(.invited(broker.invitation)))
        case .push(let device):
            let party = BrokerParty(user: broker.callee, device: device)
            guard let index = devices.firstIndex(where: { $0.party == party }) else { return }
            schedule(.milliseconds(roll(1...50)), .broker(call, .pushAccepted(device: device)))
            let spare = CallID(high: 99, low: fresh())
            let push = PushID(Int(fresh()))
            schedule(
                .milliseconds(roll(network.pushDelay)),
                .phone(index, .pushArrived(push, .invitation(broker.invitation), mustReport: true, spare: spare)))
        case .tell(let party, let notice):
            if case .joined(let other) = notice {
                tell(party, .event(.server(other, .joined(call))))
            } else {
                tell(party, .event(.server(call, notice.news)))
            }
        case .reply(let party, let message, let reply):
            tell(party, .reply(message, reply))
        }
    }

    // MARK: - Down

    private mutating func tell(_ party: BrokerParty, _ content: WorldNews.Content) {
        guard let index = devices.firstIndex(where: { $0.party == party }) else { return }
        devices[index].count += 1
        let news = WorldNews(number: devices[index].count, content: content)
        devices[index].inbox.append(news)
        transmit(news, to: index)
    }

    private mutating func transmit(_ news: WorldNews, to index: Int) {
        guard devices[index].isOnline else { return }
        devices[index].lastDown = max(devices[index].lastDown, now + .milliseconds(roll(network.delay)))
        schedule(at: devices[index].lastDown, .down(index, epoch: devices[index].epoch, news))
        if happens(network.drops) { cut(index) }
    }

    mutating func arrive(_ news: WorldNews, at index: Int, epoch: Int) {
        guard epoch == devices[index].epoch, devices[index].inbox.contains(news) else { return }
        devices[index].inbox.removeAll { $0.number <= news.number }
        switch news.content {
        case .event(let event):
            feed(index, event)
        case .reply(let id, let reply):
            guard let position = devices[index].outbox.firstIndex(where: { $0.id == id }) else { return }
            let message = devices[index].outbox.remove(at: position)
            guard case .invite = message.signal else { return }
            if reply == .done {
                feed(index, .server(message.call, .inviteAccepted))
            } else {
                let failure = CallFailure(.refusedByServer, "\(reply)")
                feed(index, .server(message.call, .inviteRefused(failure, .failed)))
            }
        }
    }

    // MARK: - Losing and finding the connection

    /// Cuts a device's connection: what is on its way is lost; it comes back by itself.
    public mutating func cut(_ index: Int) {
        guard devices[index].isOnline else { return }
        devices[index].isOnline = false
        devices[index].epoch += 1
        let party = devices[index].party
        // The server learns it after what it is just doing.
        for call in brokers.keys.sorted() { schedule(.zero, .broker(call, .deviceDisconnected(party))) }
        schedule(.milliseconds(roll(network.absence)), .reconnect(index))
    }

    mutating func reconnect(_ index: Int) {
        devices[index].isOnline = true
        let party = devices[index].party
        for call in brokers.keys.sorted() { feed(call, .deviceConnected(party)) }
        if happens(network.lostSessions) {
            devices[index].inbox = []
            for call in brokers.keys.sorted() { catchUp(call, on: index) }
        } else {
            for news in devices[index].inbox { transmit(news, to: index) }
        }
        for message in devices[index].outbox { transmit(message, from: index) }
    }

    /// The server's snapshot of a call, in place of what the lost session held.
    private mutating func catchUp(_ call: CallID, on index: Int) {
        let party = devices[index].party
        guard let broker = brokers[call] else { return }
        switch broker.view(for: party) {
        case nil:
            break
        case .ringing:
            if broker.caller == party {
                tell(party, .event(.server(call, .inviteAccepted)))
            } else {
                tell(party, .event(.invited(broker.invitation)))
            }
        case .answered:
            tell(party, .event(.server(call, .answered)))
        case .ended(let reason):
            tell(party, .event(.server(call, .ended(reason))))
        }
    }
}

extension CallSignal {
    /// What the signal asks of the server's rules.
    fileprivate var command: BrokerCommand {
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

extension BrokerNotice {
    /// What the server's word means to a phone.
    fileprivate var news: PhoneMachine.ServerNews {
        switch self {
        case .ringing: .ringing
        case .answered: .answered
        case .joined(let other): .joined(other)
        case .ended(let reason): .ended(reason)
        case .media(let signal): .media(signal)
        case .update(let held, let muted, let video):
            .update(PeerUpdate(held: held, muted: muted, video: video))
        }
    }
}
