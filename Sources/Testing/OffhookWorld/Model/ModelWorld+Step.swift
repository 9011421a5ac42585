// SPDX-License-Identifier: MIT

import FoundationEssentials
import OffhookCore

/// Takes steps in worlds and judges them.
struct ModelJudge {
    let plan: ModelPlan
    let mistake: ModelMistake?
    /// What the last step broke.
    private(set) var broken: ModelInvariant?

    init(plan: ModelPlan, mistake: ModelMistake?) {
        self.plan = plan
        self.mistake = mistake
    }

    /// The world after a step; nil when the step cannot happen there.
    mutating func take(_ step: ModelStep, in world: ModelWorld) -> ModelWorld? {
        broken = nil
        var next = world
        switch step {
        case .invite(let call):
            guard !world.calls[call].isInvited, world.isConnected(plan.index(plan.placings[call].caller)) else {
                return nil
            }
            invite(call, &next)
        case .deliver(let call, let message):
            guard deliver(call, message, &next) else { return nil }
        case .connect(let party):
            guard !world.isConnected(party) else { return nil }
            next.connected |= 1 << party
            for call in next.calls.indices { handle(.deviceConnected(plan.parties[party]), call, &next) }
        case .disconnect(let party):
            guard world.isConnected(party) else { return nil }
            next.connected &= ~(1 << party)
            for call in next.calls.indices { handle(.deviceDisconnected(plan.parties[party]), call, &next) }
        case .push(let call, let device, let accepted):
            guard world.calls[call].pushing & 1 << device != 0 else { return nil }
            next.calls[call].pushing &= ~(1 << device)
            let name = plan.parties[device].device
            handle(accepted ? .pushAccepted(device: name) : .pushFailed(device: name), call, &next)
        case .tick:
            guard let deadline = world.calls.compactMap(\.machine.deadline).min() else { return nil }
            next.now = max(world.now, deadline)
            tick(&next)
        case .restart:
            guard world.restarts > 0 else { return nil }
            next.restarts -= 1
            restart(&next)
        case .remove(let party):
            guard world.removals > 0 else { return nil }
            next.removals -= 1
            next.connected &= ~(1 << party)
            for call in next.calls.indices { handle(.deviceRemoved(plan.parties[party]), call, &next) }
        }
        return next
    }

    private mutating func breach(_ invariant: ModelInvariant) {
        if broken == nil { broken = invariant }
    }

    // MARK: - What a server does around its machines

    private mutating func invite(_ index: Int, _ world: inout ModelWorld) {
        world.calls[index].isInvited = true
        let (caller, callee) = (plan.placings[index].caller, plan.placings[index].callee)
        for other in world.calls.indices where other != index && mistake != .ignoresGlare {
            let machine = world.calls[other].machine
            guard machine.isCrossed(by: caller, calling: callee) else { continue }
            handle(.crossed(by: world.calls[index].machine.call, from: caller), other, &world)
            if world.calls[other].machine.hasJoined(world.calls[index].machine.call, of: caller) { return }
        }
        for other in world.calls.indices where other != index && mistake != .ignoresGlare {
            let machine = world.calls[other].machine
            let isPeer = machine.callee == caller.user && machine.winner == caller.device
            if isPeer, machine.caller.user == callee { handle(.replaced, other, &world) }
        }
        let issued = world.now
        world.calls[index].isPlaced = true
        world.calls[index].machine = BrokerMachine(
            invitation: Invitation(
                call: world.calls[index].machine.call, callerName: "", callerHandle: Handle(value: caller.user),
                issuedAt: issued, expiresAt: issued + BrokerSettings.ringDuration),
            caller: caller, callee: callee)
        let targets = plan.parties.indices.filter { plan.parties[$0].user == callee }.map {
            BrokerTarget(device: plan.parties[$0].device, connected: world.isConnected($0), pushable: true)
        }
        handle(.placed(targets), index, &world)
    }

    private mutating func deliver(_ index: Int, _ number: Int, _ world: inout ModelWorld) -> Bool {
        let (command, party) = plan.messages[index][number]
        guard world.calls[index].isInvited, world.isConnected(party) else { return false }
        let isRepeat = world.calls[index].delivered & 1 << number != 0
        if isRepeat {
            guard world.duplicates > 0 else { return false }
            world.duplicates -= 1
        }
        // A call that goes on in another one: its caller acts there as the winner (race 7).
        let sender = plan.parties[party]
        let id = world.calls[index].machine.call
        let joined = world.calls.firstIndex { $0.machine.hasJoined(id, of: sender) }
        guard let target = world.calls[index].isPlaced ? index : joined else { return false }
        let said = target == index ? command : command.ofJoined
        var message = "\(index).\(number)"
        if isRepeat, mistake == .takesRepeatsAsNew { message += "again\(world.duplicates)" }
        let before = world.calls[target].machine
        let effects = handle(.received(said, from: sender, message: message), target, &world)
        // What comes after the end changes nothing, so it need not be told apart either.
        if !before.isEnded { world.calls[index].delivered |= 1 << number }
        // Nothing was due: time does not move between deadlines.
        if isRepeat, !before.isEnded {
            let passesOn = effects.contains {
                if case .tell(_, .media) = $0 { true } else if case .tell(_, .update) = $0 { true } else { false }
            }
            if before.state != world.calls[target].machine.state || passesOn { breach(.repeatsChangeNothing) }
        }
        return true
    }

    private mutating func tick(_ world: inout ModelWorld) {
        guard mistake != .losesTicks else { return }
        for index in world.calls.indices {
            guard let deadline = world.calls[index].machine.deadline, deadline <= world.now else { continue }
            handle(.tick, index, &world)
            if let next = world.calls[index].machine.deadline, next <= world.now { breach(.endsInTime) }
        }
    }

    private mutating func restart(_ world: inout ModelWorld) {
        // Nobody is connected to the new process, and it hears of nobody's leaving.
        world.connected = 0
        for index in world.calls.indices where world.calls[index].isPlaced && !world.calls[index].machine.isEnded {
            let before = world.calls[index].machine
            var stored = before
            if mistake == .restartsFromOldState, let stale = world.calls[index].stale { stored = stale }
            guard let bytes = try? JSONEncoder().encode(stored),
                let machine = try? JSONDecoder().decode(BrokerMachine.self, from: bytes)
            else {
                breach(.survivesRestart)
                continue
            }
            if machine.state != before.state || machine.legs != before.legs
                || machine.invitation != before.invitation
            {
                breach(.survivesRestart)
            }
            world.calls[index].machine = machine
            world.calls[index].pushing = 0
            // The window of messages is not stored: what comes again is judged by the state.
            for other in world.calls.indices { world.calls[other].delivered = 0 }
            handle(.restarted, index, &world)
        }
    }

    // MARK: - Events

    @discardableResult
    private mutating func handle(_ event: BrokerEvent, _ index: Int, _ world: inout ModelWorld) -> [BrokerEffect] {
        guard world.calls[index].isPlaced else { return [] }
        let before = world.calls[index].machine
        var effects = world.calls[index].machine.handle(event, at: world.now)
        let after = world.calls[index].machine
        spoil(&effects, before, after)
        if before != after { world.calls[index].stale = before }
        judge(effects, before, after, index, &world)
        return effects
    }

    private func spoil(_ effects: inout [BrokerEffect], _ before: BrokerMachine, _ after: BrokerMachine) {
        switch mistake {
        case nil, .restartsFromOldState?, .losesTicks?, .takesRepeatsAsNew?, .ignoresGlare?: break
        case .forgetsToStore?: effects.removeAll { $0 == .persist }
        case .forgetsLosers?:
            effects.removeAll { if case .tell(_, .ended(.answeredElsewhere)) = $0 { true } else { false } }
        case .tellsLosersTheyWon?:
            effects = effects.map { effect in
                if case .tell(let party, .ended(.answeredElsewhere)) = effect { return .tell(party, .answered) }
                return effect
            }
        case .offersAfterTheEnd?:
            if after.isEnded, !before.isEnded, let leg = after.legs.first { effects.append(.offer(device: leg.device)) }
        }
    }

    private mutating func judge(
        _ effects: [BrokerEffect], _ before: BrokerMachine, _ after: BrokerMachine, _ index: Int,
        _ world: inout ModelWorld
    ) {
        if let winner = before.winner, after.winner != winner { breach(.oneWinner) }
        if after.rank < before.rank || (before.isEnded && after.state != before.state) { breach(.forwardOnly) }
        let isChanged = before.state != after.state || before.legs != after.legs
        if isChanged && effects.first != .persist { breach(.storedFirst) }
        let over = after.rank >= 2
        for effect in effects {
            switch effect {
            case .tell(let party, let notice):
                tell(party, notice, after, index, &world)
            case .offer: if over { breach(.noLateOffers) }
            case .push(let device):
                if over { breach(.noLateOffers) }
                world.calls[index].pushing |= 1 << plan.index(BrokerParty(user: after.callee, device: device))
            case .finished:
                if world.calls[index].isFinished || !after.isEnded { breach(.oneEnd) }
                world.calls[index].isFinished = true
            case .persist, .reply, .decided: break
            }
        }
        if after.isEnded != world.calls[index].isFinished { breach(.oneEnd) }
    }

    private mutating func tell(
        _ party: BrokerParty, _ notice: BrokerNotice, _ machine: BrokerMachine, _ index: Int,
        _ world: inout ModelWorld
    ) {
        guard party == machine.caller || party.user == machine.callee else { return breach(.noStrangers) }
        let isEither = party == machine.caller || party.device == machine.winner
        switch notice {
        case .answered, .joined: if !isEither { breach(.onlyWinnerIsTold) }
        case .media, .update: if !isEither { breach(.onlyWinnerTalks) }
        case .ended: world.calls[index].toldEnd |= 1 << plan.index(party)
        case .ringing: break
        }
    }
}

extension ModelJudge {
    /// Judges a world as it stands, which is once enough.
    mutating func judge(_ world: ModelWorld) {
        for call in world.calls where call.isPlaced {
            let machine = call.machine
            switch machine.state {
            case .created: break
            case .ringing:
                guard let deadline = machine.deadline, deadline <= machine.invitation.expiresAt else {
                    return breach(.endsInTime)
                }
            case .answered(let winner, let callerBackBy, let winnerBackBy):
                let winning = BrokerParty(user: machine.callee, device: winner)
                let isAway = [machine.caller, winning].map { !world.isConnected(plan.index($0)) }
                if (isAway[0] && callerBackBy == nil) || (isAway[1] && winnerBackBy == nil) { breach(.awayIsBounded) }
                let views = [machine.caller, BrokerParty(user: machine.callee, device: winner)].map(machine.view)
                if views != [.answered, .answered] { breach(.sameView) }
                for leg in machine.legs where leg.device != winner { wasTold(leg.device, call) }
            case .ended(let end):
                if call.toldEnd & 1 << plan.index(machine.caller) == 0 { breach(.everybodyIsTold) }
                for leg in machine.legs { wasTold(leg.device, call) }
                guard case .ended? = machine.view(for: machine.caller) else { return breach(.sameView) }
                if let winner = end.winner {
                    guard case .ended? = machine.view(for: BrokerParty(user: machine.callee, device: winner)) else {
                        return breach(.sameView)
                    }
                }
            }
        }
        let ringing = world.calls.filter { if case .ringing = $0.machine.state { true } else { false } }.map(\.machine)
        for one in ringing where ringing.contains(where: { $0.isCrossed(by: one.caller, calling: one.callee) }) {
            breach(.oneCallRings)
        }
        endsWhenAllLeave(world)
    }

    private mutating func wasTold(_ device: String, _ call: ModelWorld.Call) {
        let party = BrokerParty(user: call.machine.callee, device: device)
        if call.toldEnd & 1 << plan.index(party) == 0 { breach(.everybodyIsTold) }
    }

    /// Whoever is connected leaves, nobody comes, and time goes on: every call ends.
    private mutating func endsWhenAllLeave(_ world: ModelWorld) {
        for call in world.calls where call.isPlaced && !call.machine.isEnded {
            var machine = call.machine
            for party in plan.parties.indices where world.isConnected(party) {
                _ = machine.handle(.deviceDisconnected(plan.parties[party]), at: world.now)
            }
            var ticks = 0
            while let deadline = machine.deadline, ticks < 10, mistake != .losesTicks {
                _ = machine.handle(.tick, at: max(deadline, world.now))
                ticks += 1
            }
            if !machine.isEnded { breach(.endsInTime) }
        }
    }
}

extension ModelWorld {
    func isConnected(_ party: Int) -> Bool {
        connected & 1 << party != 0
    }
}

extension ModelPlan {
    func index(_ party: BrokerParty) -> Int {
        parties.firstIndex(of: party) ?? 7
    }
}

extension BrokerMachine {
    /// How far the call is.
    fileprivate var rank: Int {
        switch state {
        case .created: 0
        case .ringing: 1
        case .answered: 2
        case .ended: 3
        }
    }
}
