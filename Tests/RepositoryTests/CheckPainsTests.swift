// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite struct CheckPainsTests {
    private static let tests = """
        @Suite(.timeLimit(.minutes(1))) struct Pains {
            @Test("P01, DTS1: an app is killed", arguments: [true, false])
            func killed(isNaive: Bool) {}
            @Test("P02: another one rings on") func rings() {}
        }
        """

    private func check(_ rows: String) throws -> (status: Int32, output: String) {
        let folder = try TemporaryFolder(["docs/pains.md": rows, "Tests/PainTests/Pains.swift": CheckPainsTests.tests])
        return try Repository.run("scripts/list-pains", ["--check", folder.path])
    }

    @Test func repositoryKeepsItsOwnRules() throws {
        let (status, output) = try Repository.run("scripts/check-pains")
        #expect(status == 0, "\(output)")
    }

    @Test func rightRowsPass() throws {
        let (status, output) = try check(
            "| P01 | a | killed | `Pains.killed` | done | `Pains.killed` |\n| P02 | b | not yet | | not yet | |\n")
        #expect(status == 0, "\(output)")
    }

    @Test(arguments: [
        ("| P01 | a | killed | | — | |", "P01 is shown by no test"),
        ("| P01 | a | killed | `Pains.killed` | done | |", "P01 is called done and held by no test"),
        ("| P01 | a | killed | `Pains.killed` | perhaps | |", "P01 does not say"),
        ("| P01 | a | killed | `Pains.gone` | — | |", "P01 names Pains.gone, and there is no such test"),
        ("| P01 | a | killed | `Other.killed` | — | |", "P01 names Other.killed, and there is no such test"),
        ("| P01 | a | killed | `Pains.rings` | — | |", "whose display name does not begin with P01"),
        ("| P02 | a | rings | `Pains.rings` | — | |", "the rows are not P01"),
        ("| P01 | a | killed | `Pains.killed` | — |", "P01 has 5 columns"),
    ]) func wrongRowFails(row: String, named: String) throws {
        let (status, output) = try check(row + "\n")
        #expect(status == 1)
        #expect(output.contains(named), "\(output)")
    }
}
