// SPDX-License-Identifier: MIT

import Foundation

// C1, C2, E1, E2, R18: how calls end, who is told, and what Recents keep.
extension PhoneCore {
    /// Tells every observer of the device about a call (C2).
    mutating func notifyObservers(_ call: CallValue) {
        for process in sortedProcesses {
            for observer in process.observers { deliver(.callChanged(observer: observer, call: call), to: process.id) }
        }
    }

    /// The call is over: actions that wait for it are dropped, observers are told, audio follows.
    mutating func finish(
        _ call: UUID, outcome: RecentCall.Outcome, endedAt: Date? = nil, rule: String = "C2"
    ) {
        guard let index = callIndex(call) else { return }
        let record = calls.remove(at: index)
        keepClosing(record)
        dropActions(for: call)
        addToRecents(record, outcome: outcome, endedAt: endedAt ?? now)
        announceEnd(of: record, rule: rule)
        updateAudio()
    }

    mutating func announceEnd(of call: CallRecord, rule: String = "C2") {
        log(.phone, "call ended", rule: rule, call: call.uuid, app: call.bundle)
        var value = call.value
        value.hasEnded = true
        notifyObservers(value)
    }

    mutating func addToRecents(_ call: CallRecord, outcome: RecentCall.Outcome, endedAt: Date) {
        guard call.includesInRecents else { return }
        guard !faults.isDiskFull else {
            log(.phone, "fault: the disk is full, so Recents keep nothing", rule: "R18", call: call.uuid)
            return
        }
        let length = call.connectedAt.map { max(0, endedAt.timeIntervalSince($0)) } ?? 0
        pastCalls.append(
            RecentCall(
                call: call.uuid, app: call.bundle, isOutgoing: call.isOutgoing, handle: call.handle,
                name: DisplayText.shown(shownName(of: call)), hasVideo: call.hasVideo, date: call.createdAt,
                duration: .milliseconds(Int(min(length * 1000, 1e18).rounded())), outcome: outcome))
        pastCalls.keepLast(settings.recentsLimit)
    }

    /// How a call that the app reported ended looks in Recents (R32).
    func recentOutcome(of call: CallRecord, reason: Int) -> RecentCall.Outcome {
        if call.connectedAt != nil { return .answered }
        switch reason {
        case 4: return .answeredElsewhere
        case 5: return .declinedElsewhere
        case 1: return .failed
        default: return call.isOutgoing ? .cancelled : .missed
        }
    }

    /// How a call that ended through an action looks in Recents.
    func recentOutcome(ofEnded call: CallRecord) -> RecentCall.Outcome {
        if call.connectedAt != nil { return .answered }
        if call.isOutgoing { return .cancelled }
        return call.wasDeclined ? .declined : .missed
    }
}
