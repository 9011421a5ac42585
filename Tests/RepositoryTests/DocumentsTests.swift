// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite struct DocumentsTests {
    @Test func sampleOfTheReadmeIsTheOneThatCompiles() throws {
        let readme = try Repository.text("README.md")
        let block = try #require(readme.components(separatedBy: "```swift\n").dropFirst().first)
        let sample = try #require(block.components(separatedBy: "```").first)
        let compiled = try Repository.text("Tests/RepositoryTests/ReadmeSample.swift")
        #expect(compiled == "// SPDX-License-Identifier: MIT\n\n" + sample)
        #expect(readme.components(separatedBy: "```swift\n").count == 2, "only one sample, so that all are compiled")
    }

    @Test func linksInDocumentsLeadSomewhere() throws {
        let link = /\]\(([^)#\s]+)(#[^)]*)?\)/
        for document in try Self.documents() {
            let folder = URL(fileURLWithPath: document, relativeTo: Repository.root).deletingLastPathComponent()
            for match in try Repository.text(document).matches(of: link) {
                let target = String(match.1)
                guard !target.hasPrefix("http"), !target.hasPrefix("mailto:") else { continue }
                let path = folder.appendingPathComponent(target).path
                #expect(FileManager.default.fileExists(atPath: path), "\(document) links to \(target)")
            }
        }
    }

    @Test func everyFaultHasItsRow() throws {
        let source = try Repository.text("Sources/Apple/VirtualPhone/Values/PhoneFault.swift")
        let page = try Repository.text("docs/faults.md")
        // Each case has a comment that begins with its name, as the page has it.
        let documented = source.matches(of: /\/\/\/ `([a-z-]+)`: [^\n]*\n(?: *\/\/\/[^\n]*\n)* *case ([A-Za-z]+)/)
        let cases = source.matches(of: /\n    case ([A-Za-z]+)/).map { String($0.1) }
        #expect(documented.map { String($0.2) } == cases)
        #expect(cases.count > 15)
        for fault in documented {
            let row = page.split(separator: "\n").first { $0.hasPrefix("| `\(fault.1)` |") }
            #expect(row?.contains(".\(fault.2)") == true, "docs/faults.md has no row of \(fault.1) with .\(fault.2)")
        }
    }

    @Test func scriptsNamedInDocumentsExist() throws {
        let script = /\bscripts\/[a-z][a-z_.-]*[a-z]/
        for document in try Self.documents() + ["Makefile", ".ci/run"] {
            for match in try Repository.text(document).matches(of: script) {
                let path = Repository.root.appendingPathComponent(String(match.output)).path
                #expect(FileManager.default.fileExists(atPath: path), "\(document) names \(match.output)")
            }
        }
    }

    @Test func makefileHasTheCommandsThatTheReadmeNames() throws {
        let (status, help) = try Repository.run("/usr/bin/make", ["--no-print-directory", "help"])
        #expect(status == 0)
        for command in try Repository.text("README.md").matches(of: /\bmake ([a-z]+)\b/) where command.1 != "help" {
            #expect(help.contains("  \(command.1) "), "make \(command.1)")
        }
        for command in ["demo", "test", "check", "bench", "setup", "clean"] { #expect(help.contains("  \(command) ")) }
    }

    @Test func decisionsHaveNumbersOfTheirOwnAndThoseNamedExist() throws {
        let folder = Repository.root.appendingPathComponent("docs/decisions")
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(Set(pages.map { $0.prefix(4) }).count == pages.count, "\(pages)")
        for page in pages {
            let number = try #require(Int(page.prefix(4)), "\(page)")
            #expect(try Repository.text("docs/decisions/\(page)").hasPrefix("# \(number). "), "\(page)")
        }
        let named = /\bdocs\/decisions\/(\d{4}-[a-z-]+\.md)/
        for top in ["Sources", "Tests", "Benchmarks", "scripts"] {
            let files = FileManager.default.enumerator(atPath: Repository.root.appendingPathComponent(top).path)
            for file in files?.compactMap({ $0 as? String }) ?? [] {
                guard let text = try? Repository.text("\(top)/\(file)") else { continue }
                for match in text.matches(of: named) {
                    #expect(pages.contains(String(match.1)), "\(top)/\(file) names \(match.output.0)")
                }
            }
        }
    }

    @Test func exitCodesOfTheReadmeAreTheTools() throws {
        let row = /\| (\d+) \| ([^|]+) \|/
        let codes = try Repository.text("README.md").matches(of: row)
        let tool = try Repository.text("Sources/Tools/offhook/CLI/ToolStatus.swift")
        #expect(codes.map { String($0.1) } == ["0", "1", "2", "64"])
        for code in codes {
            #expect(tool.contains("= \(code.1)\n"), "\(code.1)")
            #expect(tool.contains("\"\(code.2)\""), "\(code.2)")
        }
    }

    @Test func documentsNameNoPathOfAMachine() throws {
        for document in try Self.documents() {
            let text = try Repository.text(document)
            for path in ["/work/", "/home/", "/Users/", "/root/"] { #expect(!text.contains(path), "\(document)") }
        }
    }

    /// Every Markdown file of the repository.
    private static func documents() throws -> [String] {
        let top = try FileManager.default.contentsOfDirectory(atPath: Repository.root.path).filter {
            $0.hasSuffix(".md")
        }
        let below = FileManager.default.enumerator(atPath: Repository.root.appendingPathComponent("docs").path)
        let docs = (below?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }
        return (top + docs).sorted()
    }
}
