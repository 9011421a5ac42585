// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The samples in Offhook's documentation catalogue compile.
@Suite(.timeLimit(.minutes(3))) struct ArticleTests {
    private static let catalogue = "Sources/Client/Offhook/Offhook.docc"

    private func samples() throws -> [(article: String, text: String)] {
        let folder = Repository.root.appendingPathComponent(ArticleTests.catalogue)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().flatMap { name in
            try Repository.text("\(ArticleTests.catalogue)/\(name)").components(separatedBy: "```swift\n").dropFirst()
                .map { (name, $0.components(separatedBy: "```")[0]) }
        }
    }

    private func check(_ text: String) throws -> (status: Int32, output: String) {
        let folder = try TemporaryFolder(["Sample.swift": text])
        return try Repository.run(
            try #require(Compiler.path),
            [
                "-typecheck", "-swift-version", "6", "-parse-as-library", "-warnings-as-errors", "-module-name",
                "Sample", "-I", Compiler.modules,
            ] + Compiler.moduleMaps + [folder.path + "/Sample.swift"])
    }

    @Test("every sample of the articles compiles, and a broken one does not") func compile() throws {
        let samples = try samples()
        #expect(samples.count >= 4)
        for (article, text) in samples {
            let result = try check(text)
            #expect(result.status == 0, "\(article): \(result.output)")
        }
        let broken = try #require(samples.first?.text.replacingOccurrences(of: "CallCenter", with: "CallCentre"))
        #expect(try check(broken).status != 0)
    }
}
