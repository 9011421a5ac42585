// SPDX-License-Identifier: MIT

import Foundation
import OffhookDirectory
import Testing

@Suite struct DirectoryGoldenTests {
    private func golden(_ name: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try [UInt8](Data(contentsOf: folder.appendingPathComponent("Golden/\(name)")))
    }

    @Test("Version 1 files are read, and written with the same bytes")
    func directories() throws {
        for (name, list) in [("first.v1", DirectoryLists.first), ("second.v1", DirectoryLists.second)] {
            let bytes = try golden(name)
            let file = try DirectoryFile(bytes)
            try file.verify()
            #expect(try DirectoryLists.joined(DirectoryLists.entries(file)) == DirectoryLists.joined(list))
            #expect(try DirectoryLists.compile(list) == bytes)
        }
    }

    @Test("The version 1 delta is written with the same bytes and gives the second list")
    func delta() throws {
        let (first, second, delta) = try (golden("first.v1"), golden("second.v1"), golden("delta.v1"))
        #expect(try DirectoryLists.delta(from: first, to: second) == delta)
        #expect(try DirectoryLists.apply(delta, to: first) == second)
    }
}
