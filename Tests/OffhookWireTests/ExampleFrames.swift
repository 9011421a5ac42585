// SPDX-License-Identifier: MIT

import Foundation

/// The example frames of docs/protocol.
enum ExampleFrames {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("docs/protocol")

    /// The files of one kind: name and text without the line end.
    static func all(_ kind: String) throws -> [(name: String, text: String)] {
        let folder = folder.appendingPathComponent(kind)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try names.filter { $0.hasSuffix(".json") }.map { name in
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            return (name, text.hasSuffix("\n") ? String(text.dropLast()) : text)
        }
    }

    /// The page that explains them.
    static func page() throws -> String {
        try String(
            contentsOf: folder.deletingLastPathComponent().appendingPathComponent("protocol.md"), encoding: .utf8)
    }
}
