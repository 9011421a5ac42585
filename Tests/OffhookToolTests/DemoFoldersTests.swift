// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import offhook

@Suite struct DemoFoldersTests {
    @Test func twoDemosDoNotWriteToOneFolder() throws {
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("demo \(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: output) }
        var first: DemoFolders? = try DemoFolders(output: output)
        let error = #expect(throws: EnvironmentError.self) { try DemoFolders(output: output) }
        #expect(error?.message.contains("name another folder with --out") == true)
        #expect(first?.output == output)
        first = nil
        _ = try DemoFolders(output: output)
        #expect(try FileManager.default.contentsOfDirectory(atPath: output).isEmpty)
    }

    @Test func secretsAreForTheirOwnerAndGoAtTheEnd() throws {
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: output) }
        let folders = try DemoFolders(output: output)
        let attributes = try FileManager.default.attributesOfItem(atPath: folders.secrets)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        try Data("a key".utf8).write(to: URL(fileURLWithPath: folders.secrets + "/AuthKey.p8"))
        folders.removeSecrets()
        #expect(!FileManager.default.fileExists(atPath: folders.secrets))
    }

    @Test func folderThatCannotBeMadeIsNamed() {
        let error = #expect(throws: EnvironmentError.self) { try DemoFolders(output: "/dev/null/demo") }
        #expect(error?.message.contains("/dev/null/demo") == true)
    }
}
