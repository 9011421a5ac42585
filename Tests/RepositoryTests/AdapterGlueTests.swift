// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The adapters' files that need WebRTC.framework or LiveKit, type-checked with stand-ins that have the names alone.
@Suite(.timeLimit(.minutes(3))) struct AdapterGlueTests {
    private static let flags =
        [
            "-swift-version", "6", "-parse-as-library", "-I", Compiler.modules,
            "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature", "MemberImportVisibility",
            "-enable-upcoming-feature", "InternalImportsByDefault",
        ] + Compiler.moduleMaps

    private func adapterFiles() throws -> [String] {
        let files = try #require(
            FileManager.default.enumerator(
                at: Repository.root.appendingPathComponent("Sources/Client/Offhook/Adapters"),
                includingPropertiesForKeys: nil))
        return files.compactMap { $0 as? URL }.map(\.path).filter { $0.hasSuffix(".swift") }.sorted()
    }

    /// Type-checks the adapters, with a change to one of the stand-ins.
    private func check(_ change: (String) -> String = { $0 }) throws -> (status: Int32, output: String) {
        let compiler = try #require(Compiler.path)
        let folder = try TemporaryFolder()
        for module in ["WebRTC", "LiveKit"] {
            let text = change(try Repository.text("Tests/Fixtures/AdapterStubs/\(module).swift.txt"))
            try folder.write(text, to: "\(module).swift")
            let made = try Repository.run(
                compiler,
                AdapterGlueTests.flags + [
                    "-emit-module", "-module-name", module, "-emit-module-path",
                    folder.path + "/\(module).swiftmodule", folder.path + "/\(module).swift",
                ])
            #expect(made.status == 0, "\(made.output)")
        }
        return try Repository.run(
            compiler,
            AdapterGlueTests.flags + [
                "-typecheck", "-module-name", "Adapters", "-I", folder.path,
                "Sources/Client/Offhook/Media/MediaEngine.swift",
                "Sources/Client/Offhook/Media/MediaEventGate.swift",
            ] + adapterFiles())
    }

    @Test("R91: the glue for WebRTC.framework and LiveKit type-checks against the names it uses") func glue() throws {
        let result = try check()
        #expect(result.status == 0, "\(result.output)")
    }

    @Test(
        "R91: a name that the framework lacks is found",
        arguments: [
            ("WebRTCMediaEngine.swift", "useManualAudio"), ("LiveKitMediaEngine.swift", "setEngineAvailability"),
        ])
    func missingName(_ file: String, _ name: String) throws {
        let result = try check { $0.replacingOccurrences(of: name, with: "other") }
        #expect(result.status != 0)
        #expect(result.output.contains(file) && result.output.contains("'\(name)'"), "\(result.output)")
    }
}
