// SPDX-License-Identifier: MIT

import Foundation
import OffhookNet
import Testing

@testable import offhook

@Suite struct DirectoryCommandTests {
    /// A folder with lists in it.
    private final class Folder: Sendable {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("directory-\(UUID().uuidString)")

        init() throws {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        func path(_ name: String) -> String { url.appendingPathComponent(name).path }

        func write(_ name: String, _ text: String) throws -> String {
            try Data(text.utf8).write(to: url.appendingPathComponent(name))
            return path(name)
        }
    }

    private func run(_ arguments: [String]) async -> (status: ToolStatus, output: String, errors: String) {
        let output = Guarded("")
        let errors = Guarded("")
        let terminal = Terminal(
            colour: false, width: 100, write: { text in output.withLock { $0 += text } },
            writeError: { text in errors.withLock { $0 += text } })
        let status = await OffhookTool(terminal: terminal).run(arguments)
        return (status, output.withLock { $0 }, errors.withLock { $0 })
    }

    @Test("compile, inspect, lookup, verify: a list becomes a file, every line is accounted for")
    func compiles() async throws {
        let folder = try Folder()
        let list = try folder.write("spam.txt", "# spam\n030 123456\n+33 1 23 45 67 89\tAcme\nnonsense\n030 123456\n")
        let file = folder.path("spam.directory")
        let compiled = await run([
            "directory", "compile", "\(list),region=DE", "--out", file, "--rejects", folder.path("rejects.csv"),
        ])
        #expect(compiled.status == .success, "\(compiled.errors)")
        #expect(compiled.output.contains("1 refused: not a telephone number, as in line 4"))
        let rejects = try String(contentsOfFile: folder.path("rejects.csv"), encoding: .utf8)
        #expect(rejects.hasSuffix("spam.txt\",4,not a telephone number\n"))
        let inspected = await run(["directory", "inspect", file])
        #expect(inspected.output.contains("+49") && inspected.output.contains("+33"))
        #expect(inspected.output.contains("Acme"))
        let found = await run(["directory", "lookup", file, "+33123456789", "004930123456"])
        #expect(found.status == .success)
        #expect(found.output == "+33123456789  blocked, “Acme”\n+4930123456  blocked\n")
        let missing = await run(["directory", "lookup", file, "030 123457", "--region", "DE"])
        #expect(missing.status == .verificationFailed)
        #expect(missing.output == "+4930123457  not listed\n")
        #expect(await run(["directory", "verify", file]).status == .success)
    }

    @Test("compile --json counts every line of every list")
    func json() async throws {
        let folder = try Folder()
        let names = try folder.write("names.csv", "number;name\n+4930123456;Bank\n+4930123457;\n")
        let codes = try folder.write("codes.patterns", "+33162######\n")
        let compiled = await run([
            "directory", "compile", "\(names),for=identify,number=number,label=name,separator=semicolon", codes,
            "--out", folder.path("all.directory"), "--json",
        ])
        struct Report: Decodable {
            struct Source: Decodable {
                var lines: Int
                var ignored: Int
                var accepted: Int
                var rejected: [String: Int]
            }
            struct Counts: Decodable {
                var numbers: Int
                var labels: Int
            }
            var sources: [Source]
            var directory: Counts
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(compiled.output.utf8))
        #expect(report.sources.map(\.lines) == [3, 1])
        #expect(report.sources[0].rejected == ["neither blocked nor labelled": 1])
        #expect(report.directory.numbers == 1_000_001)
        #expect(report.directory.labels == 1)
    }

    @Test("diff and --apply: the delta gives the identical file; a damaged one is refused by verify")
    func differs() async throws {
        let folder = try Folder()
        let may = try folder.write("may.txt", "+4930123456\n+4930123457;Acme\n")
        let june = try folder.write("june.txt", "+4930123457;Bank\n+4930123458\n")
        for (list, name) in [(may, "may"), (june, "june")] {
            #expect(await run(["directory", "compile", list, "--out", folder.path(name)]).status == .success)
        }
        let delta = folder.path("june.delta")
        let made = await run([
            "directory", "diff", folder.path("may"), folder.path("june"), "--out", delta, "--show", "9",
        ])
        #expect(made.output.contains("+4930123457  blocked, “Acme” → blocked, “Bank”"))
        let again = folder.path("again")
        #expect(
            await run(["directory", "diff", folder.path("may"), delta, "--apply", "--out", again]).status == .success)
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: again))
                == Data(contentsOf: URL(fileURLWithPath: folder.path("june"))))
        let wrong = await run(["directory", "diff", folder.path("june"), delta, "--apply", "--out", again])
        #expect(wrong.status == .environment)
        let whole = await run(["directory", "verify", folder.path("may"), delta])
        #expect(whole.status == .success, "\(whole.output)")
        #expect(whole.output.contains("a delta from") && whole.output.contains("with 3 numbers, whole"))
        var cut = try Data(contentsOf: URL(fileURLWithPath: delta))
        cut[20] ^= 0x40
        try cut.write(to: URL(fileURLWithPath: folder.path("cut.delta")))
        #expect(await run(["directory", "verify", folder.path("cut.delta")]).status == .verificationFailed)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: again))
        bytes[20] ^= 0x40
        try bytes.write(to: URL(fileURLWithPath: again))
        let verdict = await run(["directory", "verify", folder.path("may"), again])
        #expect(verdict.status == .verificationFailed)
        #expect(verdict.output.contains("damaged"))
    }

    @Test("plan: shares, requests, and a clear refusal of what no phone takes")
    func plans() async throws {
        let folder = try Folder()
        let list = try folder.write("codes.patterns", "+331620#####\n")
        let file = folder.path("codes.directory")
        #expect(await run(["directory", "compile", list, "--out", file]).status == .success)
        let plan = await run(["directory", "plan", file, "--cap", "60000", "--chunk", "20000", "--json"])
        struct Plan: Decodable {
            struct Share: Decodable {
                var entries: Int
                var requests: Int
            }
            var extensions: Int
            var shares: [Share]
        }
        let decoded = try JSONDecoder().decode(Plan.self, from: Data(plan.output.utf8))
        #expect(decoded.extensions == 2)
        #expect(decoded.shares.map(\.entries).reduce(0, +) == 100_000)
        #expect(decoded.shares.map(\.requests) == [3, 3])
        let country = try folder.write("country.patterns", "+33#########\n")
        #expect(await run(["directory", "compile", country, "--out", file]).status == .success)
        let refused = await run(["directory", "plan", file])
        #expect(refused.status == .environment)
        #expect(refused.errors.contains("more than any phone takes"))
    }

    @Test("export: CSV, and protobuf text for Live Caller ID Lookup")
    func exports() async throws {
        let folder = try Folder()
        let list = try folder.write("list.txt", "+4930123456;Bank \"North\", Berlin\n+4930123457\n")
        let file = folder.path("list.directory")
        #expect(await run(["directory", "compile", list, "--out", file]).status == .success)
        let csv = await run(["directory", "export", file])
        #expect(
            csv.output == "first,last,blocked,labels\n4930123456,4930123456,1,\"Bank \"\"North\"\", Berlin\"\n"
                + "4930123457,4930123457,1,\n")
        let live = await run(["directory", "export", file, "--format", "live", "--cache", "60"])
        #expect(
            live.output.hasPrefix(
                """
                identities {
                  key: "+4930123456"
                  value {
                    name: "Bank \\"North\\", Berlin"
                    cache_expiry_minutes: 60
                    block: true
                  }
                }
                identities {
                """))
        #expect(await run(["directory", "export", file, "--format", "live", "--limit", "1"]).status == .environment)
        #expect(DirectoryExportCommand.escaped("a\"b\\c\nd\u{7}é") == "a\\\"b\\\\c\\nd\\007é")
        let target = folder.path("list.csv")
        let counted = await run(["directory", "export", file, "--out", target, "--json"])
        #expect(counted.output.contains("\"entries\" : 2"))
        #expect(try String(contentsOfFile: target, encoding: .utf8) == csv.output)
        #expect(await run(["directory", "export", file, "--json"]).status == .usage)
    }

    @Test("What is no file stays what it is: a device, a folder")
    func destinations() async throws {
        let folder = try Folder()
        let list = try folder.write("list.txt", "+4930123456\n")
        for (path, reason) in [("/dev/null", "not a file"), (folder.path(""), "a folder")] {
            let result = await run(["directory", "compile", list, "--out", path])
            #expect(result.status == .environment)
            #expect(result.errors.contains(reason), "\(result.errors)")
        }
        var status = stat()
        #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }

    @Test("Files that are missing, empty or something else are named, and the destination stays")
    func badFiles() async throws {
        let folder = try Folder()
        let empty = try folder.write("empty", "")
        let text = try folder.write("text", "hello")
        for (path, reason) in [
            (folder.path("none"), "No such file"), (empty, "directory file"), (text, "directory file"),
        ] {
            let result = await run(["directory", "inspect", path])
            #expect(result.status == .environment)
            #expect(result.errors.contains(reason), "\(result.errors)")
        }
        let missing = await run(["directory", "compile", folder.path("none"), "--out", text])
        #expect(missing.status == .environment)
        #expect(try String(contentsOfFile: text, encoding: .utf8) == "hello")
    }

    @Test("Bug 17: a list of which nothing is understood never replaces a good one, and what may be wrong is said")
    func useless() async throws {
        let folder = try Folder()
        let good = try folder.write("good.txt", "+4930123456\n")
        let file = folder.path("list.directory")
        #expect(await run(["directory", "compile", good, "--out", file]).status == .success)
        let before = try Data(contentsOf: URL(fileURLWithPath: file))
        let cases = [
            ("list.csv", "phone;name\n030 123456;Bank\n", "separated by \",\""),
            ("codes.txt", "+33162######\n", "one number a line"),
            ("national.txt", "030 123456\n", "need region=DE"),
            ("array.json", "[{\"number\": 1}]\n", "one object a line"),
        ]
        for (name, text, hint) in cases {
            let list = try folder.write(name, text)
            let result = await run(["directory", "compile", list, "--out", file])
            #expect(result.status == .verificationFailed)
            #expect(result.errors.contains("no line was accepted") && result.errors.contains(hint), "\(result.errors)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
            let json = await run(["directory", "compile", list, "--out", file, "--json"])
            #expect(json.output.contains("\"isWritten\" : false"))
        }
        let none = try folder.write("none.txt", "# nothing yet\n")
        #expect(await run(["directory", "compile", none, "--out", file]).status == .success)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
        #expect(left.count == cases.count + 3, "\(left)")
    }

    @Test("Errors say what is there: a header's columns, what a number lacks, which kind a file is")
    func errors() async throws {
        let folder = try Folder()
        let list = try folder.write("list.csv", "Name,Phone\nBank,+4930123456\n")
        let file = folder.path("list.directory")
        let missing = await run(["directory", "compile", "\(list),number=tel", "--out", file])
        #expect(missing.status == .environment)
        #expect(missing.errors.contains("no column tel; it has Name, Phone"), "\(missing.errors)")
        #expect(await run(["directory", "compile", "\(list),number=phone", "--out", file]).status == .success)
        let national = await run(["directory", "lookup", file, "030 123456"])
        #expect(national.status == .usage)
        #expect(national.errors.contains("'030 123456': no country code"), "\(national.errors)")
        let delta = folder.path("none.delta")
        #expect(await run(["directory", "diff", file, file, "--out", delta]).status == .success)
        let wrong = await run(["directory", "inspect", delta])
        #expect(wrong.status == .environment)
        #expect(wrong.errors.contains("apply the delta"), "\(wrong.errors)")
    }

    @Test("plan: no share is above the cap; diff --json has the changes that --show asks for")
    func capAndChanges() async throws {
        let folder = try Folder()
        let empty = try folder.write("empty.txt", "")
        let list = try folder.write("list.txt", "+4930123456;Bank\n+4930123457;Bank\n+4930123458\n")
        let (old, new) = (folder.path("old"), folder.path("new"))
        #expect(await run(["directory", "compile", empty, "--out", old]).status == .success)
        #expect(await run(["directory", "compile", list, "--out", new]).status == .success)
        struct Plan: Decodable {
            struct Share: Decodable { var entries: Int }
            var shares: [Share]
        }
        let plan = await run(["directory", "plan", new, "--cap", "2", "--json"])
        let shares = try JSONDecoder().decode(Plan.self, from: Data(plan.output.utf8)).shares.map(\.entries)
        #expect(shares.allSatisfy { $0 <= 2 } && shares.reduce(0, +) == 5)
        // A number with its label are two entries: they stay together.
        #expect(await run(["directory", "plan", new, "--cap", "1"]).status == .environment)
        let diff = await run(["directory", "diff", old, new, "--show", "2", "--json"])
        struct Diff: Decodable {
            struct Change: Decodable {
                struct Attributes: Decodable { var labels: [String] }
                var first: Int64
                var before: Attributes?
                var after: Attributes?
            }
            var added: Int
            var changes: [Change]
        }
        let decoded = try JSONDecoder().decode(Diff.self, from: Data(diff.output.utf8))
        #expect((decoded.added, decoded.changes.map(\.first)) == (3, [4_930_123_456, 4_930_123_457]))
        #expect(decoded.changes.allSatisfy { $0.before == nil && $0.after?.labels == ["Bank"] })
    }
}
