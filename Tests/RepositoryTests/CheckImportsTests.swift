// SPDX-License-Identifier: MIT

import Testing

@Suite struct CheckImportsTests {
    @Test func repositoryKeepsItsOwnRules() throws {
        let (status, output) = try Repository.run("scripts/check-imports")
        #expect(status == 0, "\(output)")
    }

    /// Every group's border, and every form in which an import can be written.
    @Test(arguments: [
        ("Core/OffhookCore", "import Foundation", "Foundation"),
        ("Core/OffhookCore", "import FoundationEssentials", "FoundationEssentials"),
        ("Core/OffhookCore", "import Dispatch", "Dispatch"),
        ("Core/OffhookCore", "import CUV", "CUV"),
        ("Core/OffhookCore", "import Glibc", "Glibc"),
        ("Core/OffhookCore", "import OffhookWire", "OffhookWire"),
        ("Core/OffhookWire", "import Foundation", "Foundation"),
        ("Core/OffhookWire", "import Offhook", "Offhook"),
        ("Core/OffhookCore", "@_exported import Foundation", "Foundation"),
        ("Core/OffhookCore", "@_exported public import Foundation", "Foundation"),
        ("Core/OffhookCore", "@preconcurrency internal import Foundation", "Foundation"),
        ("Core/OffhookCore", "@testable import OffhookServer", "OffhookServer"),
        ("Core/OffhookCore", "@_spi(Hidden) package import Dispatch", "Dispatch"),
        ("Core/OffhookCore", "@_implementationOnly import CSQLite", "CSQLite"),
        ("Core/OffhookCore", "import struct Foundation.Date", "Foundation.Date"),
        ("Core/OffhookCore", "import class Dispatch.DispatchQueue", "Dispatch.DispatchQueue"),
        ("Core/OffhookCore", "import Foundation.NSURL", "Foundation.NSURL"),
        ("Core/OffhookCore", "import `Foundation`", "Foundation"),
        ("Core/OffhookCore", "import\n    Foundation", "Foundation"),
        ("Core/OffhookCore", "import /* quietly */ Foundation", "Foundation"),
        ("Core/OffhookCore", "let one = 1; import Foundation", "Foundation"),
        ("Core/OffhookCore", "let text = \"\\(\"a\")\"; import Foundation", "Foundation"),
        ("Core/OffhookCore", "#if os(Linux)\nimport Foundation\n#endif", "Foundation"),
        ("Core/OffhookCore", "#if canImport(Darwin)\n#else\nimport Foundation\n#endif", "Foundation"),
        ("Core/OffhookCore", "let now = ContinuousClock.now", "ContinuousClock"),
        ("Core/OffhookCore", "let dice = Int.random(in: 1...6)", "random"),
        ("Core/OffhookCore", "func wait() async {}", "async"),
        ("Apple/CallKit", "import OffhookCore", "OffhookCore"),
        ("Apple/CallKit", "import OffhookNet", "OffhookNet"),
        ("Apple/VirtualPhone", "import CallKit", "CallKit"),
        ("Apple/VirtualAPNs", "import OffhookPush", "OffhookPush"),
        ("Client/Offhook", "import VirtualPhone", "VirtualPhone"),
        ("Client/Offhook", "import OffhookServer", "OffhookServer"),
        ("Client/Offhook", "import OffhookNet", "OffhookNet"),
        ("Client/Offhook", "#if os(Linux)\n#else\nimport OffhookNet\n#endif", "OffhookNet"),
        ("Client/Offhook", "import CGStreamer", "CGStreamer"),
        ("Client/OffhookMedia", "import OffhookServer", "OffhookServer"),
        ("Server/OffhookServer", "import CallKit", "CallKit"),
        ("Server/OffhookServer", "import Offhook", "Offhook"),
        ("Server/OffhookPush", "import OffhookServer", "OffhookServer"),
        ("Apple/VirtualPhone", "import Synchronization", "Synchronization"),
        ("Client/OffhookMedia", "import Synchronization", "Synchronization"),
        ("Server/OffhookServer", "import Synchronization", "Synchronization"),
        ("Client/Offhook", "#if canImport(UIKit)\nlet picture = 1\n#endif", "canImport(UIKit)"),
        ("Client/Offhook", "#if os(iOS)\n#elseif !canImport(Combine)\n#endif", "canImport(Combine)"),
        ("System/OffhookNet", "import OffhookCore", "OffhookCore"),
        ("System/OffhookNet", "import CSQLite", "CSQLite"),
        ("Server/Unheard", "import Foundation", "Foundation"),
    ]) func forbiddenImportFails(target: String, source: String, named: String) throws {
        let folder = try TemporaryFolder([
            "Sources/\(target)/Planted.swift": "// SPDX-License-Identifier: MIT\n\n\(source)\n"
        ])
        let (status, output) = try Repository.run("scripts/check-imports", [folder.path])
        #expect(status == 1)
        #expect(output.contains("Sources/\(target)/Planted.swift:"), "\(output)")
        #expect(output.contains(named), "\(output)")
    }

    @Test(arguments: [
        ("Sources/Core/OffhookCore", "// import Foundation\n/* import Dispatch /* import CUV */ */"),
        ("Sources/Core/OffhookCore", "let text = \"import Foundation\"\nlet more = \"\"\"\nimport Foundation\n\"\"\""),
        ("Sources/Core/OffhookCore", "let raw = #\"\" import Foundation \"#"),
        ("Sources/Core/OffhookCore", "func take(import: Int, random: Int) {}"),
        ("Sources/Core/OffhookWire", "public import OffhookCore\nimport FoundationEssentials"),
        (
            "Sources/Core/OffhookWire",
            "#if canImport(FoundationEssentials)\nimport FoundationEssentials\n#else\nimport Foundation\n#endif"
        ),
        ("Sources/Client/Offhook", "#if os(Linux)\nimport OffhookNet\n#endif\nimport CallKit"),
        ("Sources/Apple/CallKit", "@_exported public import Foundation\nimport VirtualPhone"),
        ("Sources/System/OffhookNet", "import COpenSSL\nimport CUV"),
        ("Sources/Tools/offhook", "import OffhookServer\nimport VirtualPhone"),
        ("Examples/App", "import Offhook\nimport CallKit"),
    ]) func allowedImportPasses(folder: String, source: String) throws {
        let tree = try TemporaryFolder(["\(folder)/Fine.swift": source])
        let (status, output) = try Repository.run("scripts/check-imports", [tree.path])
        #expect(status == 0, "\(output)")
    }

    @Test func exampleImportsOnlyWhatAnAppMay() throws {
        let tree = try TemporaryFolder(["Examples/App/App.swift": "import VirtualPhone\n"])
        #expect(try Repository.run("scripts/check-imports", [tree.path]).status == 1)
    }

    @Test func moduleOfACLibraryHoldsNothingElse() throws {
        let tree = try TemporaryFolder([
            "Sources/System/CUV/module.modulemap": "module CUV {}", "Sources/System/CUV/extra.c": "int extra;",
        ])
        let (status, output) = try Repository.run("scripts/check-imports", [tree.path])
        #expect(status == 1)
        #expect(output.contains("extra.c"))
    }
}
