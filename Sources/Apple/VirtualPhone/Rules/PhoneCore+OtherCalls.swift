// SPDX-License-Identifier: MIT

import Foundation

// C1, G2, G3, T4: cellular and FaceTime calls on the same phone. The system performs what the user wants of them at
// once; apps see them through their observers and can do nothing to them.
extension PhoneCore {
    mutating func handle(_ input: OtherCallInput) {
        switch input {
        case .incoming(let call, let kind, let handle): ring(call, kind: kind, handle: handle)
        case .outgoing(let call, let kind, let handle): dial(call, kind: kind, handle: handle)
        case .connected(let call):
            guard let index = callIndex(call), calls[index].other != nil, calls[index].isOutgoing,
                calls[index].phase != .connected, !calls[index].isEnding
            else { return notThere(call) }
            connect(index)
        case .endedRemotely(let call):
            guard let index = callIndex(call), let kind = calls[index].other else { return notThere(call) }
            let record = calls[index]
            log(.network, "\(PhoneCore.name(of: kind)) was ended by its remote side", rule: "G3", call: call)
            lineSteps.removeAll { $0.call == call }
            finish(call, outcome: recentOutcome(of: record, reason: 2), rule: "C2")
            endedFromAfar(record)
        }
    }

    private mutating func notThere(_ call: UUID) {
        outcome.userError = .unknownCall(call)
    }

    private mutating func ring(_ call: UUID, kind: OtherCallKind, handle: HandleValue?) {
        guard callIndex(call) == nil, !(device.isInAirplaneMode && kind == .cellular) else { return }
        var record = otherCall(call, kind: kind, handle: handle, isOutgoing: false)
        log(.network, "\(PhoneCore.name(of: kind)) comes in", rule: "C1", call: call)
        let decision = kind == .cellular ? handle.map { directoryDecision(for: $0, caller: .cellular) } : nil
        if isOnBlockList(handle) || decision?.isBlocked == true {
            log(.phone, "turned a blocked caller away", rule: "I4", call: call)
            return
        }
        if isSilenced(handle) {
            log(.phone, "Do Not Disturb: the call does not ring", rule: "I4", call: call)
            addToRecents(record, outcome: .missed, endedAt: now)
            return
        }
        if case .identified(let label, _)? = decision { record.line.directoryLabel = label }
        calls.append(record)
        log(.phone, "rings", rule: "C1", call: call, app: kind.app)
        notifyObservers(record.value)
    }

    /// The user calls somebody in the phone app; an active call is held first.
    mutating func dial(_ call: UUID, kind: OtherCallKind, handle: HandleValue?) {
        guard callIndex(call) == nil else { return }
        let record = otherCall(call, kind: kind, handle: handle, isOutgoing: true)
        let active = activeCall
        calls.append(record)
        log(.user, "placed \(PhoneCore.name(of: kind))", rule: "C1", call: call, app: kind.app)
        notifyObservers(record.value)
        guard let active else {
            return performBySystem(
                [(call, .start(handle: record.shownHandle, contactIdentifier: nil, isVideo: false))], origin: .user,
                after: nil)
        }
        let kinds = members(of: active.uuid).map { member in
            (member.uuid, active.supportsHolding ? ActionValue.Kind.setHeld(true) : .end)
        }
        let room = startTransaction(kinds, origin: .user)
        performBySystem(
            [(call, .start(handle: record.shownHandle, contactIdentifier: nil, isVideo: false))], origin: .user,
            after: room)
    }

    private func otherCall(_ call: UUID, kind: OtherCallKind, handle: HandleValue?, isOutgoing: Bool) -> CallRecord {
        var record = CallRecord(
            uuid: call, bundle: kind.app, provider: call, isOutgoing: isOutgoing,
            phase: isOutgoing ? .dialing : .ringing, handle: handle, group: call, createdAt: now, other: kind)
        record.supportsHolding = true
        record.supportsDTMF = true
        record.supportsGrouping = true
        record.supportsUngrouping = true
        return record
    }

    /// What the user wants of such a call; it needs no app, but may have to wait for one that frees the line.
    mutating func performBySystem(
        _ kinds: [(UUID, ActionValue.Kind)], origin: Timeline.Actor, after: UUID?
    ) {
        for (call, kind) in kinds {
            guard let index = callIndex(call), calls[index].other != nil else { continue }
            let action = ActionValue(uuid: random.uuid(), call: call, kind: kind, timeoutDate: now)
            accept(action, provider: nil)
            if let after, isOpen(after) {
                lineSteps.append(LineStep(after: after, call: call, kind: kind, origin: origin))
            } else {
                apply(action, date: nil, origin: origin, isLast: call == kinds.last?.0)
            }
        }
    }

    private mutating func connect(_ index: Int) {
        let call = calls[index].uuid
        let isPlaced = calls[index].phase == .started
        calls[index].connectedAt = now
        if isPlaced { calls[index].phase = .connected }
        log(.network, "the other side answered", rule: "C2", call: call, app: calls[index].bundle)
        if isPlaced { takeLine(call) }
        notifyObservers(calls[index].value)
    }

    static func name(of kind: OtherCallKind) -> String {
        switch kind {
        case .cellular: return "a cellular call"
        case .faceTime: return "a FaceTime call"
        }
    }
}

extension CallRecord {
    fileprivate var shownHandle: HandleValue { handle ?? HandleValue(type: HandleValue.phoneNumber, value: "") }
}
