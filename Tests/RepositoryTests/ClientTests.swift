// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// An app that uses the SDK's whole public interface compiles in both language modes.
@Suite struct ClientTests {
    private func typeCheck(_ file: String, mode: String) throws -> (status: Int32, output: String) {
        let compiler = try #require(Compiler.path)
        return try Repository.run(
            compiler,
            [
                "-typecheck", "-warnings-as-errors", "-swift-version", mode, "-parse-as-library", "-module-name",
                "Client",
                "-I", Compiler.modules,
            ] + Compiler.moduleMaps + [file])
    }

    @Test("an app that uses every command and stream compiles", arguments: ["5", "6"])
    func compiles(mode: String) throws {
        let result = try typeCheck("Tests/Fixtures/Client/Client.swift", mode: mode)
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("a result that is not looked at is found", arguments: ["5", "6"])
    func unusedResult(mode: String) throws {
        let folder = try TemporaryFolder([
            "Mistake.swift":
                "import Offhook\nfunc use(_ calls: CallCenter, _ call: CallID) async {\n    await calls.end(call)\n}\n"
        ])
        let result = try typeCheck(folder.path + "/Mistake.swift", mode: mode)
        #expect(result.status != 0 && result.output.contains("Mistake.swift:3"))
    }
}
