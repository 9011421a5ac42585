// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// What docs/porting.md promises: the ported app's sources, and the snippets of the page, compile.
@Suite struct PortedAppTests {
    /// The modules that this build made, beside the test's executable.
    private static var modules: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("Modules").path
    }

    private static let compiler: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { $0 + "/swiftc" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    private func typeCheck(_ files: [String], mode: String) throws -> (status: Int32, output: String) {
        let compiler = try #require(Self.compiler)
        return try Repository.run(
            compiler,
            [
                "-typecheck", "-swift-version", mode, "-parse-as-library", "-module-name", "CallingApp",
                "-I", Self.modules, "-Xcc", "-fmodule-map-file=Sources/System/COS/module.modulemap",
            ] + files)
    }

    private func sources() throws -> [String] {
        let folder = Repository.root.appendingPathComponent("Tests/Fixtures/PortedApp/Sources/CallingApp")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
            "Tests/Fixtures/PortedApp/Sources/CallingApp/\($0)"
        }
    }

    @Test("the ported app imports nothing of Offhook's and compiles", arguments: ["5", "6"])
    func appCompiles(mode: String) throws {
        let files = try sources()
        #expect(files.count == 4)
        for file in files {
            let text = try Repository.text(file)
            #expect(!text.contains("import Offhook"), "\(file)")
        }
        let result = try typeCheck(files, mode: mode)
        #expect(result.status == 0, "\(result.output)")
        #expect(!result.output.contains("error:"))
    }

    @Test("a mistake in the ported app is found")
    func mistakeIsFound() throws {
        let folder = try TemporaryFolder([
            "Mistake.swift": "import CallKit\nlet action = CXAnswerCallAction(callUUID: UUID())\n"
        ])
        let result = try typeCheck([folder.path + "/Mistake.swift"], mode: "5")
        #expect(result.status != 0 && result.output.contains("Mistake.swift:2"))
    }

    @Test("what docs/porting.md lists as compiling does", arguments: ["5", "6"])
    func pageCompiles(mode: String) throws {
        let snippets = try Repository.text("docs/porting.md").components(separatedBy: "```swift compiles\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
        #expect(!snippets.isEmpty)
        for (number, snippet) in snippets.enumerated() {
            let folder = try TemporaryFolder(["Snippet\(number).swift": snippet])
            let result = try typeCheck([folder.path + "/Snippet\(number).swift"], mode: mode)
            #expect(result.status == 0, "\(result.output)")
        }
    }

    @Test("what docs/porting.md lists as not compiling does not")
    func limitsAreLimits() throws {
        let snippets = try Repository.text("docs/porting.md").components(separatedBy: "```swift does not compile\n")
            .dropFirst().map { $0.components(separatedBy: "```")[0] }
        #expect(!snippets.isEmpty)
        for snippet in snippets {
            let lines = snippet.split(separator: "\n").map(String.init)
            let imports = lines.dropLast().filter { $0.hasPrefix("import ") }
            // The last one is an import that fails itself.
            for line in lines where !line.hasPrefix("import ") || line == lines.last {
                let folder = try TemporaryFolder(["Limit.swift": (imports + [line]).joined(separator: "\n") + "\n"])
                let result = try typeCheck([folder.path + "/Limit.swift"], mode: "5")
                #expect(result.status != 0, "\(line) compiles by now")
            }
        }
    }

    @Test("the page's manifest is the ported app's")
    func manifest() throws {
        let page = try Repository.text("docs/porting.md")
        for line in try Repository.text("Tests/Fixtures/PortedApp/Package.swift").split(separator: "\n")
        where line.contains("func offhook") || line.contains("#if os(Linux)") || line.contains("offhook(") {
            #expect(page.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
        }
    }
}
