// SPDX-License-Identifier: MIT

import FoundationEssentials
import OffhookCore

extension SQLiteStore {
    /// Stores where a call is; the columns are for people and reports, the machine is what the server goes on with.
    func save(_ machine: BrokerMachine) throws(StoreFailure) {
        // Values of strings and numbers always encode; an empty text would show as damage when read.
        let encoded = (try? JSONEncoder().encode(machine)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let times = machine.milestones
        try change(
            """
            INSERT INTO call (id, caller, caller_device, callee, state, created_at, rang_at, answered_at, connected_at,
                ended_at, reason, answered_by, deadline, machine)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET state = excluded.state, rang_at = excluded.rang_at,
                answered_at = excluded.answered_at, connected_at = excluded.connected_at,
                ended_at = excluded.ended_at, reason = excluded.reason, answered_by = excluded.answered_by,
                deadline = excluded.deadline, machine = excluded.machine
            """,
            [
                .text(machine.call.description), .text(machine.caller.user), .text(machine.caller.device),
                .text(machine.callee), .text(CallRecord.State(machine.state).rawValue),
                .integer(times.createdAt.milliseconds), SQLiteValue(times.rangAt?.milliseconds),
                SQLiteValue(times.answeredAt?.milliseconds), SQLiteValue(times.connectedAt?.milliseconds),
                SQLiteValue(times.endedAt?.milliseconds), SQLiteValue(machine.endReason?.rawValue),
                SQLiteValue(machine.winner), SQLiteValue(machine.deadline?.milliseconds), .text(encoded),
            ])
    }

    /// A stored call; nil if there is none, or if its row cannot be read.
    func call(_ call: CallID) throws(StoreFailure) -> BrokerMachine? {
        var found: BrokerMachine?
        try database.run("SELECT machine FROM call WHERE id = ?", [.text(call.description)]) { row in
            found = SQLiteStore.machine(row.text(0))
        }
        return found
    }

    /// The calls that were not over when the server last wrote; rows that cannot be read are counted, not dropped.
    func liveCalls() throws(StoreFailure) -> (calls: [BrokerMachine], unreadable: Int) {
        var calls: [BrokerMachine] = []
        var unreadable = 0
        try database.run("SELECT machine FROM call WHERE state <> 'ended' ORDER BY created_at, id") { row in
            if let machine = SQLiteStore.machine(row.text(0)) {
                calls.append(machine)
            } else {
                unreadable += 1
            }
        }
        return (calls, unreadable)
    }

    func removeCalls(endedBefore: Instant, limit: Int) throws(StoreFailure) -> Int {
        try change(
            "DELETE FROM call WHERE id IN (SELECT id FROM call WHERE ended_at < ? ORDER BY ended_at LIMIT ?)",
            [.integer(endedBefore.milliseconds), .integer(Int64(limit))])
        return database.changes
    }

    private static func machine(_ text: String?) -> BrokerMachine? {
        guard let text else { return nil }
        return try? JSONDecoder().decode(BrokerMachine.self, from: Data(text.utf8))
    }
}
