// SPDX-License-Identifier: MIT

extension PhoneMachine {
    // MARK: - Who speaks

    /// Lets one call, alone or with its group, speak: the newest of those off hold.
    ///
    /// The others off hold are silent until
    /// it is held or over, or until they join its group; a call on hold stays there (G3).
    mutating func passFloor(from speakers: [CallID], _ effects: inout [Effect]) {
        let newcomer = calls.last { $0.wantsFloor && !speakers.contains($0.id) }?.id
        let holder = calls.first { $0.id == floor && $0.wantsFloor }?.id
        let waiting = calls.first(where: \.wantsFloor)?.id
        floor = newcomer ?? holder ?? waiting
        var closing: [Effect] = []
        for index in calls.indices {
            let call = calls[index]
            let waits = call.wantsFloor && call.id != floor && !call.groupedWith.contains { $0 == floor }
            guard waits != call.isWaiting else { continue }
            let gates = change(index) { call in
                call.isWaiting = waits
                return call.turnHoldGate()
            }
            if waits { closing += gates } else { effects += gates }
        }
        effects.insert(contentsOf: closing, at: 0)  // silent before the other one speaks
    }

    // MARK: - Groups

    /// Groups a call with another one, or takes it out of its group (R49, G5).
    ///
    /// The merge of the system's screen takes the held call off hold first; a merge of the app does not, so the calls of
    /// the group are taken off hold here, and CallKit, whose screen shows them on hold, is asked to follow (P41).
    mutating func performGroup(_ action: ActionID, _ call: CallID, with other: CallID?, at now: Instant) -> [Effect] {
        guard let index = calls.firstIndex(where: { $0.id == call }) else { return [.fail(action)] }
        guard let other else {
            leaveGroup(index)
            floor = call
            return [.fulfil(action)]
        }
        if let failure = obstacle(toGroup: call, with: other) {
            return [.fail(action)] + refuse(.setGroup(call, with: other), failure, at: now)
        }
        joinGroup(index, of: other)
        let isAudioOpen = window.isOpen
        var effects: [Effect] = []
        var requests: [Effect] = []
        for member in calls.indices where calls[member].id == call || calls[member].groupedWith.contains(call) {
            if calls[member].isSettled(held: true) { requests.append(.request(.setHeld(calls[member].id, false))) }
            effects += change(member) { $0.resume(isAudioOpen: isAudioOpen, at: now) }
        }
        return effects + [.fulfil(action)] + requests
    }

    /// Why two calls cannot be grouped.
    func obstacle(toGroup call: CallID, with other: CallID) -> CallFailure? {
        guard policy.maximumCallsPerCallGroup > 1 else {
            return CallFailure(.unsupported, "Merging is not offered: maximumCallsPerCallGroup is 1.")
        }
        guard call != other else {
            return CallFailure(.invalidArgument, "A call is grouped with another call, not with itself.")
        }
        let members = calls.filter { $0.id == call || $0.id == other }
        guard members.count == 2 else {
            return CallFailure(.callNotFound, "No such call to group with on this device; it may be over.")
        }
        for member in members {
            switch member.state {
            case .active, .held: break
            case .incoming, .outgoing, .connecting, .ended:
                return CallFailure(.invalidState, "Only calls with voice can be grouped.")
            }
        }
        let company = calls.first { $0.id == other }?.groupedWith ?? []
        guard company.contains(call) || company.count + 2 <= policy.maximumCallsPerCallGroup else {
            let limit = policy.maximumCallsPerCallGroup
            return CallFailure(.invalidState, "The group is full: maximumCallsPerCallGroup is \(limit).")
        }
        return nil
    }

    private mutating func joinGroup(_ index: Int, of other: CallID) {
        let call = calls[index].id
        guard !calls[index].groupedWith.contains(other) else { return }
        leaveGroup(index)
        let members = calls.filter { $0.id == other || $0.groupedWith.contains(other) }.map(\.id)
        for position in calls.indices {
            if position == index {
                calls[position].groupedWith = members.sorted()
            } else if members.contains(calls[position].id) {
                calls[position].groupedWith = (calls[position].groupedWith + [call]).sorted()
            } else {
                continue
            }
            note(calls[position].id)
        }
        countGroups()
    }

    /// Takes a call out of its group, if it has one.
    mutating func leaveGroup(_ index: Int) {
        guard !calls[index].groupedWith.isEmpty else { return }
        let call = calls[index].id
        for position in calls.indices where calls[position].groupedWith.contains(call) {
            calls[position].groupedWith.removeAll { $0 == call }
            note(calls[position].id)
        }
        calls[index].groupedWith = []
        note(call)
        countGroups()
    }

    /// A group counts as one call where calls are counted (T5).
    private mutating func countGroups() {
        ledger.merged = calls.count { call in call.groupedWith.contains { $0 < call.id } }
    }
}
