// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite struct MistakeDemoTests {
    @Test("K3: offhook demo --mistake late-report shows the kill, the rule and the fix")
    func lateReport() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offhook demo \(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = Process()
        process.executableURL = try ServerProcess.tool()
        process.arguments = ["demo", "--mistake", "late-report", "--out", folder.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(output)")
        #expect(output.contains("terminated: NSInternalInconsistencyException [K3]"))
        #expect(output.contains("inside the push callback, before it returns"))
        #expect(!output.contains("\u{1B}["), "colour belongs on a terminal")
        let report = try String(contentsOf: folder.appendingPathComponent("report.html"), encoding: .utf8)
        #expect(report.contains("K3"))
    }
}
