// SPDX-License-Identifier: MIT

import Foundation

// G2, G3, DTS5, P33: what holding a call changes, and who may take it off hold.
extension PhoneCore {
    /// A hold action was fulfilled: the whole group follows, observers are told, audio follows.
    mutating func applyHold(_ isOnHold: Bool, to call: UUID, origin: Timeline.Actor) {
        guard let group = callIndex(call).map({ calls[$0].group }) else { return }
        if !isOnHold { takeLine(call) }
        for index in calls.indices where calls[index].group == group && calls[index].phase != .ringing {
            calls[index].line.refusesHold = false
            if !isOnHold, calls[index].line.isAudioWithheld {
                if origin == .app {
                    log(
                        .phone,
                        "gives no audio: the other call was ended by its remote side, and only the user unholds",
                        rule: "G3", call: calls[index].uuid, app: calls[index].bundle)
                } else {
                    calls[index].line.isAudioWithheld = false
                }
            }
            guard calls[index].isOnHold != isOnHold else { continue }
            calls[index].isOnHold = isOnHold
            notifyObservers(calls[index].value)
        }
        updateAudio()
    }

    /// G3: the user ended the other call, so the held one is taken off hold.
    mutating func resumeHeldCall() {
        let live = calls.filter { $0.phase != .ringing && !$0.isEnding }
        guard live.allSatisfy(\.isOnHold),
            let held = live.max(by: { $0.line.activation <= $1.line.activation })
        else { return }
        log(.phone, "takes the held call off hold", rule: "G3", call: held.uuid, app: held.bundle)
        startTransaction(members(of: held.uuid).map { ($0.uuid, .setHeld(false)) }, origin: .phone)
    }

    /// G3, DTS5: a call was ended by its remote side; a call of another app that it had put on hold stays held, and
    /// its app cannot bring the audio back.
    mutating func endedFromAfar(_ ended: CallRecord) {
        guard ended.connectedAt != nil, !ended.isOnHold,
            !calls.contains(where: { $0.bundle != ended.bundle && $0.wantsLine })
        else { return }
        for index in calls.indices where calls[index].bundle != ended.bundle && calls[index].isOnHold {
            guard calls[index].other == nil, !calls[index].line.isAudioWithheld else { continue }
            calls[index].line.isAudioWithheld = true
            log(
                .phone, "the call stays held until the user takes it off hold", rule: "G3", call: calls[index].uuid,
                app: calls[index].bundle)
        }
    }

    /// P38: a quirk of some systems: connected, an outgoing call is unmuted.
    mutating func unmuteOnConnect(_ call: UUID) {
        guard settings.unmutesOnConnect, let index = callIndex(call), calls[index].isMuted else { return }
        log(.phone, "quirk: unmutes the connected call", rule: "G6", call: call, app: calls[index].bundle)
        startTransaction([(call, .setMuted(false))], origin: .phone)
    }
}
