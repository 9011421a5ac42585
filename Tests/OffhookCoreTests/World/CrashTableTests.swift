// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@testable import OffhookWorld

/// Each scenario with an app that dies after its n-th effect and starts again, for every n.
@Suite struct CrashTableTests {
    /// Every row of a scenario's tables for some phones.
    private func table(
        _ scenario: WorldScenario, phones: Range<Int>? = nil,
        relaunches: [CrashTable.Relaunch] = CrashTable.Relaunch.allCases
    ) -> [TableRow] {
        var rows: [TableRow] = []
        for phone in phones ?? scenario.plan.users.indices {
            for death in CrashTable.Death.allCases {
                for relaunch in relaunches {
                    rows += CrashTable(scenario, phone: phone, death: death, relaunch: relaunch).rows()
                }
            }
        }
        return rows
    }

    private static func named(_ names: [String]) -> [WorldScenario] {
        WorldScenario.all.filter { names.contains($0.name) }
    }

    private static let declined = named([
        "declined", "declined in the app", "declined without a connection",
        "a push starts the app, declined as it rings", "the push comes twice, declined between",
    ])
    private static let answered = named([
        "answered, the callee hangs up", "answered in the app, ended in the app", "answered without a connection",
        "a push starts the app, answered as it rings", "a push starts the app, locked",
    ])

    @Test(
        "R88, R84: whenever an app dies, it recovers in order and every invariant holds", arguments: WorldScenario.all)
    func crashes(_ scenario: WorldScenario) {
        let rows = table(scenario)
        for row in rows { #expect(row.world.breaches.isEmpty, "\(row)") }
        // One row at least for each effect of each phone, and for each way to start again.
        let effects = scenario.run().phones.map(\.effectCount).reduce(0, +)
        #expect(effects > 0)
        #expect(rows.count >= 2 * (effects - scenario.plan.users.count))
    }

    @Test("P24, P27, R88: no decline is lost, whenever the app dies", arguments: declined)
    func declines(_ scenario: WorldScenario) throws {
        var owed = 0
        for row in table(scenario, phones: 1..<2, relaunches: [.atOnce]) {
            let cause = try #require(row.world.cause(of: 0), "\(row)")
            let dead = try #require(row.death)
            if dead.owes(.decline, on: 1) || dead.phones[1].records.first?.declinedAt != nil {
                owed += 1
                #expect(cause == .declined(device: "d1"), "\(row)")
            } else {
                // The app died before the user's word reached it: the call ends with it, and does not ring on.
                let isOver = cause == .declined(device: "d1") || cause == .unreachable
                #expect(isOver, "\(row): \(cause)")
            }
        }
        #expect(owed >= 4)
    }

    @Test("P24, R88: no answer is lost, whenever the app dies", arguments: answered)
    func answers(_ scenario: WorldScenario) throws {
        var owed = 0
        for row in table(scenario, phones: 1..<2, relaunches: [.atOnce]) {
            let dead = try #require(row.death)
            let record = dead.phones[1].records.first
            guard dead.owes(.answer, on: 1) || record?.isAnswerFulfilled == true else { continue }
            owed += 1
            guard case .ended(let end)? = row.world.calls[0].machine?.state else {
                Issue.record("\(row)")
                continue
            }
            #expect(end.winner == "d1", "\(row)")
        }
        #expect(owed >= 8)
    }

    @Test("R85, R88: an operation that was stored before the app died has its result after it", arguments: commanding)
    func operations(_ scenario: WorldScenario) throws {
        var pending = 0
        for row in table(scenario) {
            let dead = try #require(row.death)
            for (index, phone) in dead.phones.enumerated() where !phone.isAlive {
                guard let disk = phone.disk?.machine.checkpoint(at: CallWorld.start) else { continue }
                for operation in phone.operations where disk.operations.isPending(operation.id) {
                    pending += 1
                    let later = row.world.phones[index].operations.last { $0.id == operation.id }
                    #expect(later?.result != nil, "\(row): \(operation.command)")
                }
            }
        }
        #expect(pending > 0)
    }

    private static let commanding = named([
        "answered in the app, ended in the app", "declined in the app", "held, muted, tones from the app",
        "a call out while another one is held",
    ])

    @Test("R88: a launch in another order is found out") func judge() {
        var world = CallWorld(WorldPlan(moves: []))
        let call = CallID(high: 1, low: 1)
        let details = CallDetails(handle: Handle(value: "u0"))
        var left = Checkpoint(generation: AccountGeneration(account: "", number: 1), savedAt: CallWorld.start)
        left.liveCalls = [
            Checkpoint.LiveCall(id: call, direction: .incoming, details: details, createdAt: CallWorld.start)
        ]
        let ended = Call(
            id: call, direction: .incoming, details: details, state: .ended(.failed), createdAt: CallWorld.start)
        let right: [PhoneEffect] = [
            .save(.change), .reportEnded(call, .failed, at: CallWorld.start), .publish(ended), .connectSignaling,
            .send(call, .hangup(.failed)),
        ]
        world.judgeOrder(right, left, 0)
        #expect(world.breaches.isEmpty, "\(world.breaches)")
        let late = CallWorld.start
        let wrong: [[PhoneEffect]] = [
            [right[0], right[3], right[4], right[1], right[2]],  // the server hears it first
            [right[0], right[3], right[4]],  // nobody is told
            [right[0], right[2], right[3], right[4]],  // CallKit is not told
            right + [.reportIncoming(call, details)],  // it rings anew
            right + [.publish(ended)],  // the end is told twice
            [right[1], right[2], right[3], right[4], right[0]],  // saved at last
            right.map {
                if case .reportEnded = $0 { .reportEnded(CallID(high: 1, low: 9), .failed, at: late) } else { $0 }
            },
        ]
        for effects in wrong {
            var world = CallWorld(WorldPlan(moves: []))
            world.judgeOrder(effects, left, 0)
            #expect(world.breaches.contains { $0.invariant == .recoveryInOrder }, "\(effects)")
        }
    }
}

extension CallWorld {
    /// Whether a phone's disk holds a word that the server has to hear.
    fileprivate func owes(_ word: OwedSignal.Word, on phone: Int) -> Bool {
        phones[phone].disk?.machine.checkpoint(at: CallWorld.start).owedSignals.contains { $0.word == word } ?? false
    }
}
