// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite struct CheckRacesTests {
    /// A repository whose race 3 has what a test gives it, and the others one test with arguments in each place.
    private func folder(rule: String = "The first decides, in both orders.", tests: String) throws -> TemporaryFolder {
        let others = (1...30).filter { $0 != 3 }
        let page = (1...30).map { "## \($0). A race\n\n\($0 == 3 ? rule : "In both orders.")\n" }.joined(
            separator: "\n")
        let held = others.map { #"@Test("Race \#($0): held", arguments: [1]) func t\#($0)() {}"# }.joined(
            separator: "\n")
        return try TemporaryFolder([
            "docs/races.md": "# Races\n\n" + page,
            "Tests/OffhookCoreTests/Broker/A.swift": held + "\n@Test(\"Race 3: held\", arguments: [1]) func t() {}\n",
            "Tests/OffhookServerTests/A.swift": held + "\n" + tests + "\n",
        ])
    }

    @Test func repositoryKeepsItsOwnRaces() throws {
        let (status, output) = try Repository.run("scripts/check-races")
        #expect(status == 0, "\(output)")
    }

    @Test(arguments: [
        #"@Test("P21, race 3: held", arguments: [1]) func t() {}"#,
        "@Test(\"Race 3: one\") func a() {}\n@Test(\"Races 2, 3: other\") func b() {}",
    ]) func writtenListsPass(tests: String) throws {
        let folder = try folder(tests: tests)
        let (before, why) = try Repository.run("scripts/check-races", [folder.path])
        #expect(before == 1 && why.contains("--update"), "\(why)")
        let (update, output) = try Repository.run("scripts/check-races", ["--update", folder.path])
        #expect(update == 0, "\(output)")
        let (after, rest) = try Repository.run("scripts/check-races", [folder.path])
        #expect(after == 0, "\(rest)")
    }

    @Test(arguments: [
        ("", "race 3: no test in Tests/OffhookServerTests"),
        (#"@Test("Race 3: one order") func t() {}"#, "race 3: one order only in Tests/OffhookServerTests"),
        (#"@Test("Race 31: held") func t() {}"#, "names race 31"),
    ]) func missingTestFails(tests: String, named: String) throws {
        let folder = try folder(tests: tests)
        let (status, output) = try Repository.run("scripts/check-races", ["--update", folder.path])
        #expect(status == 1 && output.contains(named), "\(output)")
    }
}
