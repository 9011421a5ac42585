// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookWire

extension Switchboard {
    /// Ends what a device has: its push token, its connection, its part in calls (race 29).
    func signOut(_ party: BrokerParty) throws(StoreFailure) {
        commit()
        try store.unregister(party)
        try store.commit()
        for live in liveCalls(of: party.user) { drive(live, .deviceRemoved(party)) }
        commit()
        sessions[party]?.connection?.close(.signedOut)
        sessions[party] = nil
        note("device \(party.device) was signed out", rule: "race 29")
    }

    /// Sets whether a user takes no calls from another (race 30).
    func setBlocked(_ isBlocked: Bool, _ caller: String, by user: String) throws(StoreFailure) {
        commit()
        try store.setBlocked(isBlocked, caller, by: user)
        try store.commit()
    }

    /// Removes the records that are older than the configuration keeps them, some at a time, now and then.
    func removeOldCalls() {
        guard let kept = configuration.recordsKept else { return }
        commit()
        var removed = 0
        do {
            removed = try store.removeCalls(endedBefore: clock.now + (.zero - kept), limit: Switchboard.removedAtOnce)
            try store.commit()
        } catch {
            note("old records cannot be removed: \(error.message)", rule: "R98")
        }
        let delay = removed < Switchboard.removedAtOnce ? TimeSpan.seconds(3_600) : .seconds(1)
        schedule(after: delay) { $0.removeOldCalls() }
    }

    private static let removedAtOnce = 500
}
