// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookWire

/// What waits for the next commit: the effects of one event of one call, or an answer.
struct Waiting {
    /// The call that changed and what it was before.
    var change: (live: Switchboard.LiveCall, before: BrokerMachine)?
    var effects: [(effect: BrokerEffect, live: Switchboard.LiveCall)] = []
    /// Told whether it is stored; if not, nothing has happened.
    var done: (Bool) -> Void = { _ in }
}

/// Group commit: what the events of one turn of the loop change is one transaction, and nobody is told of any of it
/// before it is stored.
extension Switchboard {
    /// So many events are committed at the latest.
    private static let group = 256

    /// Gives an event to a call and notes the change; its effects run, in the order of events, when it is stored.
    ///
    /// - Parameters:
    ///   - live: The call.
    ///   - event: What happens to it.
    ///   - early: What was said before the event and answered already.
    ///   - done: Told, after the effects, whether the change is stored; if not, nothing has happened.
    func drive(
        _ live: LiveCall, _ event: BrokerEvent, early: [BrokerEvent] = [], done: @escaping (Bool) -> Void = { _ in }
    ) {
        guard !isStopped else {
            done(false)
            return
        }
        let before = live.machine
        let now = live.time.now(clock)
        var effects: [BrokerEffect] = []
        for word in early {
            effects += live.machine.handle(word, at: now).filter { if case .reply = $0 { false } else { true } }
        }
        effects += live.machine.handle(event, at: now)
        let isChange = effects.contains(.persist)
        if isChange {
            do {
                try store.save(live.machine)
            } catch {
                waiting.append(Waiting(change: (live, before), done: done))
                takeBack(error)
                return
            }
        }
        rearm(live)
        afterCommit(
            Waiting(change: isChange ? (live, before) : nil, effects: effects.map { ($0, live) }, done: done))
    }

    /// Runs work when everything noted so far is stored, or tells it that it is not; at once when nothing waits.
    func afterCommit(_ done: @escaping (Bool) -> Void) {
        afterCommit(Waiting(done: done))
    }

    private func afterCommit(_ work: Waiting) {
        guard work.change != nil || !waiting.isEmpty || store.hasChanges else {
            run(work)
            return
        }
        waiting.append(work)
        if waiting.count >= Switchboard.group {
            commit()
        } else if !isCommitting {
            isCommitting = true
            loop.execute { self.commit() }
        }
    }

    /// Stores what the events since the last commit changed, and runs their effects; false when it cannot be stored.
    @discardableResult
    func commit() -> Bool {
        isCommitting = false
        guard !isStopped else { return false }
        do {
            try store.commit()
        } catch {
            takeBack(error)
            return false
        }
        let ready = waiting
        waiting = []
        for work in ready { run(work) }
        return true
    }

    private func run(_ work: Waiting) {
        for (effect, live) in work.effects { perform(effect, live) }
        work.done(true)
    }

    /// Nothing since the last commit is stored: nothing of it has happened.
    private func takeBack(_ error: StoreFailure) {
        let lost = waiting
        waiting = []
        note("\(lost.count) changes cannot be stored: \(error.message)", rule: "R98")
        for work in lost.reversed() {
            if let change = work.change { change.live.machine = change.before }
        }
        for work in lost {
            // The timer is what brings a call to its end; it must come again.
            if let live = work.change?.live { rearm(live, notBefore: .seconds(1)) }
            work.done(false)
        }
    }

    private func rearm(_ live: LiveCall, notBefore: TimeSpan = .zero) {
        let deadline = live.machine.deadline
        guard deadline != live.armed || notBefore > .zero else { return }
        live.timer?.cancel()
        live.timer = nil
        live.armed = deadline
        guard let deadline, calls[live.machine.call] === live else { return }
        let call = live.machine.call
        live.timer = schedule(after: max(deadline - live.time.now(clock), notBefore)) { switchboard in
            guard let live = switchboard.calls[call] else { return }
            live.armed = nil
            switchboard.drive(live, .tick)
        }
    }

    private func perform(_ effect: BrokerEffect, _ live: LiveCall) {
        let machine = live.machine
        switch effect {
        case .persist: break
        case .offer(let device):
            sessions[BrokerParty(user: machine.callee, device: device)]?.send(.invited(machine.invitation))
            note("invited over the connection: device \(device)", call: machine.call, rule: "R68")
        case .push(let device): push(live, device: device)
        case .tell(let party, let notice): sessions[party]?.send(ServerMessage.Body(notice, of: machine.call))
        case .reply(let party, let message, let reply): answer(message, from: party, with: reply, call: machine.call)
        case .decided(let decision):
            note(decision.words, call: machine.call, rule: decision.race.map { "race \($0)" } ?? decision.requirement)
        case .finished: release(live)
        }
    }
}
