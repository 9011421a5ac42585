// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookWire

extension Switchboard {
    /// Ends what a device has: its push token, its connection, its part in calls (race 29).
    func signOut(_ party: BrokerParty) throws(SQLiteDatabase.Failure) {
        try store.unregister(party)
        for live in liveCalls(of: party.user) { _ = drive(live, .deviceRemoved(party)) }
        sessions[party]?.connection?.close(.signedOut)
        sessions[party] = nil
        note("device \(party.device) was signed out", rule: "race 29")
    }
}
