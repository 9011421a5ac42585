// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite struct CheckDocsTests {
    @Test func repositoryKeepsItsOwnRules() throws {
        for check in ["check-docs", "check-spdx", "check-rules"] {
            let (status, output) = try Repository.run("scripts/\(check)")
            #expect(status == 0, "\(check): \(output)")
        }
    }

    @Test(arguments: [
        ("public struct Call {}", "struct Call"),
        ("/// A call.\npublic struct Call {\n    public var id: Int { 1 }\n}", "var id in Call"),
        ("/// A call.\npublic struct Call {\n    public private(set) var id = 1\n}", "var id in Call"),
        ("/// A call.\npublic struct Call {\n    public init() {}\n}", "init in Call"),
        ("/// A call.\npublic class Call {\n    public class func make() {}\n}", "func make in Call"),
        ("/// A call.\npublic class Call {\n    open subscript(i: Int) -> Int { i }\n}", "subscript in Call"),
        ("/// An end.\npublic enum End {\n    case normal\n}", "case normal in End"),
        ("/// An end.\npublic enum End {\n    /// Fine.\n    case normal\n    case odd(Int)\n}", "case odd in End"),
        ("/// A store.\npublic protocol Store {\n    func save()\n}", "func save in Store"),
        ("/// A store.\npublic protocol Store {\n    associatedtype Key\n}", "associatedtype Key in Store"),
        ("public extension Int {\n    func ring() {}\n}", "func ring in Int"),
        ("// A call.\npublic struct Call {}", "struct Call"),
        ("/// One.\npublic let one = 1\n@available(macOS 13, *) public let two = 2", "let two"),
        ("/// A call.\npublic struct Call {\n    public enum Kind {}\n}", "enum Kind in Call"),
    ]) func undocumentedSymbolFails(source: String, named: String) throws {
        let (status, output) = try check(source, at: "Sources/Core/OffhookCore/Planted.swift")
        #expect(status == 1)
        #expect(output.contains("no doc comment: \(named)\n"), "\(output)")
    }

    @Test(arguments: [
        ("Sources/Server/OffhookServer/A.swift", "let a = try! f()", "try!"),
        ("Tests/OffhookTests/A.swift", "let a = try! f()", "try!"),
        ("Sources/Client/Offhook/A.swift", "nonisolated(unsafe) var a = 1", "nonisolated(unsafe)"),
        ("Sources/Client/Offhook/A.swift", "func f() { fatalError(\"no\") }", "fatalError"),
        ("Sources/Core/OffhookCore/CallMachine.swift", "func f() { switch 1 { default: break } }", "default:"),
        ("Sources/Core/OffhookCore/PushLedger+Ticks.swift", "func f() { switch 1 { default: break } }", "default:"),
        ("Sources/Server/OffhookServer/A.swift", "extension A: @unchecked Sendable {}", "@unchecked Sendable"),
        ("Sources/Server/OffhookServer/CallManager.swift", "", "name says nothing"),
        ("Sources/Server/OffhookServer/StringUtils.swift", "", "name says nothing"),
    ]) func forbiddenWordFails(path: String, source: String, named: String) throws {
        let (status, output) = try check(source, at: path)
        #expect(status == 1)
        #expect(output.contains("\(path):1: error:"), "\(output)")
        #expect(output.contains(named), "\(output)")
    }

    @Test(arguments: [
        (
            "Sources/Core/OffhookCore/Call.swift",
            """
            /// A call.
            @frozen
            public struct Call: Sendable {
                /// An end.
                public enum End {
                    /// Two at once.
                    case local, remote
                    // try! and nonisolated(unsafe) in a comment, and "try!" in a text, are only words
                    func name() -> String { switch self { case .local: "try! fatalError("; case .remote: "" } }
                }
                let hidden = 1
                private(set) var alsoHidden = { (public: Int) in public }
                /**
                 Makes a call.
                 */
                public init() { var inner = 1; struct Local { var x = 1 } }
                #if os(Linux)
                /// The text.
                @inlinable public var description: String { get { "" } }
                #endif
                public override func copy() {}
            }
            extension Call { func hidden() {} }
            """
        ),
        (
            "Sources/Server/OffhookServer/Call.swift",
            "// Guarded by the loop's thread.\nextension Call: @unchecked Sendable {}"
        ),
        ("Sources/Apple/CallKit/CXCall.swift", "extension CXCall: @unchecked Sendable {}"),
        ("Sources/Apple/CallKit/CXCallDirectoryManager.swift", ""),
        ("Sources/Core/OffhookCore/CallID.swift", "func f() { switch 1 { default: break } }"),
    ]) func cleanSourcePasses(path: String, source: String) throws {
        let (status, output) = try check(source, at: path)
        #expect(status == 0, "\(output)")
    }

    @Test func missingLicenceLineFails() throws {
        let tree = try TemporaryFolder([
            "Sources/A/B/C.swift": "\n// SPDX-License-Identifier: MIT\n", "scripts/tool": "#!/bin/sh\ntrue\n",
            "scripts/fine": "#!/bin/sh\n# SPDX-License-Identifier: MIT\n",
        ])
        let (status, output) = try Repository.run("scripts/check-spdx", [tree.path])
        #expect(status == 1)
        #expect(output.contains("C.swift") && output.contains("scripts/tool") && !output.contains("fine"), "\(output)")
    }

    @Test func ruleWithoutTestAndTestWithoutRuleFail() throws {
        let tree = try TemporaryFolder([
            "docs/rules.md":
                "| K3 | held | In time. | killed | DTS |\n| K4 | held | At all. |\n| K5 | open | Complete. |\n",
            "Tests/A/A.swift": """
            @Test("K3: late is too late") func a() {}
            @Test("A1, A2: order") func b() {}
            @Test("K5: completion") func c() {}
            @Test("P36, C10, R70: ids of other documents") func d() {}
            """,
        ])
        let (status, output) = try Repository.run("scripts/check-rules", [tree.path])
        #expect(status == 1)
        for problem in [
            "K4 is called held and no test", "A1, which is not listed", "A2, which is not listed",
            "K5, which is called open",
        ] {
            #expect(output.contains(problem), "\(output)")
        }
        #expect(output.split(separator: "\n").count == 5, "\(output)")
        #expect(try Repository.run("scripts/list-rules", ["--update", tree.path]).status == 0)
        let page = try String(contentsOf: tree.url.appendingPathComponent("docs/rules.md"), encoding: .utf8)
        #expect(page == "| K3 | held | In time. | killed | DTS |\n| K4 | open | At all. |\n| K5 | held | Complete. |\n")
    }

    private func check(_ source: String, at path: String) throws -> (status: Int32, output: String) {
        let tree = try TemporaryFolder([path: source])
        return try Repository.run("scripts/check-docs", [tree.path])
    }
}
