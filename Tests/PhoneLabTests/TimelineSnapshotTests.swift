// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

@testable import OffhookTesting

/// Stored timelines: what is compared, and what a failure says.
@Suite struct TimelineSnapshotTests {
    private let call = UUID()

    private func timeline(_ texts: [String]) -> Timeline {
        Timeline(
            entries: texts.enumerated().map { index, text in
                Timeline.Entry(
                    time: Date(timeIntervalSinceReferenceDate: 100 + Double(index) / 2), actor: .phone, rule: "I1",
                    text: text, call: call)
            })
    }

    private func snapshot(_ name: String, in folder: URL, records: Bool = false) throws -> TimelineSnapshot {
        try TimelineSnapshot(
            name: name, source: folder.appendingPathComponent("Test.swift").path,
            environment: records ? ["OFFHOOK_RECORD": "1"] : [:])
    }

    @Test("Identities are names, times are seconds since the first line")
    func stableText() {
        let text = timeline(["rings", "is \(call.uuidString.lowercased()) again"]).stableText
        #expect(
            text == """
                    0.000  phone    call-1  rings [I1]
                    0.500  phone    call-1  is call-1 again [I1]

                """)
    }

    @Test("A missing file says what to do; recording fails too; then equal passes and another differs")
    func lifeOfASnapshot() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = timeline(["rings", "call connected", "call ended"]).stableText
        let file = folder.appendingPathComponent("Timelines/one.txt").path
        let missing = #expect(throws: TimelineMismatch.self) { try snapshot("one", in: folder).compare(first) }
        #expect(missing?.description.contains("OFFHOOK_RECORD=1") == true)
        #expect(throws: TimelineMismatch.recorded(file: file)) {
            try snapshot("one", in: folder, records: true).compare(first)
        }
        try snapshot("one", in: folder).compare(first)
        let second = timeline(["rings", "call failed", "call ended"]).stableText
        let different = #expect(throws: TimelineMismatch.self) { try snapshot("one", in: folder).compare(second) }
        #expect(different?.description.contains("-     0.500  phone    call-1  call connected [I1]") == true)
        #expect(different?.description.contains("+     0.500  phone    call-1  call failed [I1]") == true)
        try snapshot("one", in: folder).compare(first)
    }

    @Test("A name that leaves the folder is refused", arguments: ["../one", "", ".one", "a/b", "é"])
    func names(_ name: String) {
        #expect(throws: TimelineMismatch.self) {
            try snapshot(name, in: FileManager.default.temporaryDirectory)
        }
    }

    @Test("A difference shows the changed lines and three around them")
    func difference() {
        let old = (1...20).map(String.init).joined(separator: "\n")
        let new = (1...20).filter { $0 != 10 }.map(String.init).joined(separator: "\n")
        let text = LineDifference(old, new).render()
        #expect(text == "  ...\n  7\n  8\n  9\n- 10\n  11\n  12\n  13\n  ...")
    }
}
