// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// App source is checked in both language modes: apps are written in both.
@Suite(.timeLimit(.minutes(5)))
struct LanguageModeTests {
    /// Where SwiftPM put the modules that these tests were built with.
    private static let modules = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appendingPathComponent("Modules").path
    private static let fixtures = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("Fixtures")

    private func check(_ file: String, mode: String) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "swiftc", "-typecheck", "-swift-version", mode, "-I", LanguageModeTests.modules, "-parse-as-library", file,
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    @Test("R15-R45: what apps call most compiles in the Swift 5 and the Swift 6 mode", arguments: ["5", "6"])
    func mostUsedCalls(_ mode: String) throws {
        let file = LanguageModeTests.fixtures.appendingPathComponent("MostUsedCalls.swift").path
        let result = try check(file, mode: mode)
        #expect(result.status == 0, "\(result.output)")
        #expect(!result.output.contains("error:"), "\(result.output)")
    }

    @Test(
        "What does not compile with Apple's CallKit does not compile here",
        arguments: [
            "let call = CXCall()", "let handle = CXHandle()", "let provider = CXProvider()",
            "let action = CXAnswerCallAction(callUUID: UUID())",
            "let action = CXSetMutedCallAction(call: UUID())",
            "func name(_ it: CXProviderConfiguration) { it.localizedName = \"a\" }",
        ])
    func mustNotCompile(_ source: String) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).swift")
        defer { try? FileManager.default.removeItem(at: file) }
        try "import CallKit\n\(source)\n".write(to: file, atomically: true, encoding: .utf8)
        #expect(try check(file.path, mode: "5").status != 0)
    }
}
