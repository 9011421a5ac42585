// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import Testing

/// The contract as it is written down.
@Suite struct MediaContractTests {
    private func text(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test("R91: docs/media-engines.md has every clause, by number and name, and the version") func page() throws {
        let page = try text("docs/media-engines.md")
        for (index, clause) in MediaContract.Clause.allCases.enumerated() {
            #expect(clause.rawValue == "M\(index + 1)")
            #expect(page.contains("| \(clause.rawValue) | \(clause) | "), "\(clause)")
        }
        #expect(page.contains("`MediaContract.version` is \(MediaContract.version)."))
    }

    @Test("R91: the protocols' doc comments name every clause") func comments() throws {
        let source = try text("Sources/Client/Offhook/Media/MediaEngine.swift")
        for clause in MediaContract.Clause.allCases {
            #expect(source.contains(try Regex("\\b\(clause.rawValue)\\b")), "\(clause.rawValue)")
        }
    }
}
