// SPDX-License-Identifier: MIT

import Foundation

// O1-O4: what the app reports about its outgoing calls.
extension PhoneCore {
    mutating func reportStartedConnecting(_ call: UUID, provider: UUID, process: UUID) {
        if reportsAboutJoin(call, provider: provider, process: process) { return joinStartedConnecting(call) }
        guard let index = outgoingIndex(call, provider: provider, process: process) else { return }
        log(.app, "reported the call connecting", rule: "O2", call: call, app: calls[index].bundle)
        calls[index].hasStartedConnecting = true
    }

    mutating func reportConnected(_ call: UUID, date: Date?, provider: UUID, process: UUID) {
        if reportsAboutJoin(call, provider: provider, process: process) { return joinConnected(call, date: date) }
        guard let index = outgoingIndex(call, provider: provider, process: process),
            calls[index].connectedAt == nil
        else { return }
        let bundle = calls[index].bundle
        log(.app, "reported the call connected", rule: "O2", call: call, app: bundle)
        // L2: a conversation may be reported connected before its action is fulfilled.
        if calls[index].phase == .dialing, apps[bundle]?.framework != .liveCommunicationKit {
            violate(
                "O3", "a call was reported connected before its start action was fulfilled",
                advice: "Fulfill the start action at once; report connected when the other side has answered.",
                app: bundle, call: call)
        }
        calls[index].connectedAt = sensible(date, of: calls[index])
        if calls[index].phase == .started { calls[index].phase = .connected }
        takeLine(call)
        log(.phone, "call connected", rule: "C2", call: call, app: bundle)
        notifyObservers(calls[index].value)
        updateAudio()
        unmuteOnConnect(call)
    }

    /// An outgoing call of the process; reports about others are ignored, with a word when the call came in.
    private mutating func outgoingIndex(_ call: UUID, provider: UUID, process: UUID) -> Int? {
        guard let index = index(of: call, for: provider, of: process) else {
            reportedInVain(call, provider: provider, process: process)
            return nil
        }
        guard calls[index].isOutgoing else {
            violate(
                "O2", "reportOutgoingCall was called for an incoming call",
                advice: "An incoming call connects when its answer action is fulfilled.",
                app: calls[index].bundle, call: call)
            return nil
        }
        return index
    }
}
