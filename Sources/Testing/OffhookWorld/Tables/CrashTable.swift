// SPDX-License-Identifier: MIT

/// A scenario in which one phone's app dies after its first, second, n-th effect, until it lives through all of it.
public struct CrashTable: Sendable {
    /// At which moment the app dies.
    public enum Death: String, Hashable, Sendable, CaseIterable {
        /// As it is about to carry out the next effect, maybe in the middle of a callback; what it sent before is sent.
        case beforeNextEffect
        /// As soon as what is due in the same millisecond is done; what it sent just before is lost with its connection.
        case afterCallback
    }

    /// Who starts the app again.
    public enum Relaunch: String, Hashable, Sendable, CaseIterable {
        /// Something does at once.
        case atOnce
        /// A push, the user's tap on a call that the phone still shows, or the end of the scenario.
        case whenNeeded
    }

    /// What happens.
    public let scenario: WorldScenario
    /// The phone whose app dies.
    public let phone: Int
    /// When it dies.
    public let death: Death
    /// Who starts it again.
    public let relaunch: Relaunch

    /// Makes a table.
    public init(_ scenario: WorldScenario, phone: Int, death: Death, relaunch: Relaunch) {
        self.scenario = scenario
        self.phone = phone
        self.death = death
        self.relaunch = relaunch
    }

    /// Runs the table: one row for each effect that there is to die after.
    public func rows() -> [TableRow] {
        var rows: [TableRow] = []
        var number = 1
        while let row = row(number) {
            rows.append(row)
            number = row.number + 1
        }
        return rows
    }

    /// Lets the app die after the n-th effect, or after a few more at the same time; nil when there are not so many.
    public func row(_ number: Int) -> TableRow? {
        var world = CallWorld(scenario.plan)
        switch death {
        case .beforeNextEffect:
            world.phones[phone].diesAt = number
            while world.phones[phone].diesAt != nil { guard world.step() else { return nil } }
        case .afterCallback:
            while world.phones[phone].effectCount < number { guard world.step() else { return nil } }
            guard world.phones[phone].isAlive else { return nil }
            world.kill(phone)
        }
        world.judgeRecovery(of: phone)
        let dead = world
        if relaunch == .atOnce { world.schedule(CrashTable.pause, .launch(phone)) }
        world.run()
        let reached = dead.phones[phone].effectCount
        let name =
            "\(scenario.name): phone \(phone) dies after effect \(reached) at \(dead.time) ms (\(death)), "
            + "starts again \(relaunch)"
        return TableRow(name: name, number: reached, death: dead, world: world)
    }

    /// How long an app is dead that is started at once, in milliseconds.
    static let pause = 50
}
