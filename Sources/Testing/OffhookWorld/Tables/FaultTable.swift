// SPDX-License-Identifier: MIT

/// A scenario with the first, the second, the n-th thing of a kind failing on one phone, until none is left to fail.
///
/// ```
///   n = 1   call ── save ✗ ── send ── report ── save ── …   judged
///   n = 2   call ── save ── send ── report ── save ✗ ── …   judged
///   …       until a run in which nothing failed
/// ```
public struct FaultTable: Sendable {
    /// What happens.
    public let scenario: WorldScenario
    /// The phone on which it fails.
    public let phone: Int
    /// What fails.
    public let fault: Fault

    /// Makes a table.
    public init(_ scenario: WorldScenario, phone: Int, fault: Fault) {
        self.scenario = scenario
        self.phone = phone
        self.fault = fault
    }

    /// Runs the table: one row for each thing of the kind that there is to fail.
    public func rows() -> [TableRow] {
        var rows: [TableRow] = []
        while let row = row(rows.count + 1) { rows.append(row) }
        return rows
    }

    /// Lets the n-th one fail; nil when there is none.
    public func row(_ number: Int) -> TableRow? {
        var plan = scenario.plan
        plan.moves.insert(WorldPlan.Move(0, .fail(phone, fault, nth: number)), at: 0)
        var world = CallWorld(plan)
        world.run()
        guard world.tally.faults > 0 else { return nil }
        let name = "\(scenario.name): \(fault.rawValue) \(number) of phone \(phone) fails"
        return TableRow(name: name, number: number, death: nil, world: world)
    }
}
