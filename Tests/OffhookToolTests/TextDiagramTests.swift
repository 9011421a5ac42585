// SPDX-License-Identifier: MIT

import Foundation
import OffhookTesting
import Testing

@testable import offhook

@Suite struct TextDiagramTests {
    @Test func arrowsReachFromActorToActor() {
        let timeline = DemoTimeline(
            title: "two",
            events: [
                .init(time: .milliseconds(1), from: .alice, to: .server, rule: "O1", text: "there"),
                .init(time: .microseconds(2250), from: .server, to: .alice, text: "back"),
                .init(time: .milliseconds(3), from: .aliceApp, text: "alone", kind: .milestone),
            ])
        let lines = TextDiagram(diagram: timeline.diagram, width: 100, colour: false).render().split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines[2].contains("1.0    ├─────┼────▶│   O1   there"))
        #expect(lines[3].contains("2.3    │◀────┼─────┤        back"))
        #expect(lines[4].contains("3.0    │     ◆     │        alone"))
    }

    @Test(arguments: [80, 100, 110, 120, 140]) func fitsItsWidth(width: Int) {
        for report in [SampleReport.working(), SampleReport.broken()] {
            let text = TextDiagram(diagram: report.timeline.diagram, width: width, colour: false).render()
            for line in text.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
        }
        if let samples = ProcessInfo.processInfo.environment["OFFHOOK_SAMPLES"] {
            let text = TextDiagram(diagram: SampleReport.working().timeline.diagram, width: width, colour: false)
                .render()
            try? Data(text.utf8).write(to: URL(fileURLWithPath: samples + "/diagram-\(width).txt"))
        }
    }

    @Test func longPausesAreMarked() {
        let text = TextDiagram(diagram: SampleReport.working().timeline.diagram, width: 110, colour: false).render()
        #expect(text.contains("… 2.0 s"))
    }

    @Test func colourIsOnlyAddedNotSpaceChanged() {
        let timeline = SampleReport.broken().timeline
        let plain = TextDiagram(diagram: timeline.diagram, width: 110, colour: false).render()
        let coloured = TextDiagram(diagram: timeline.diagram, width: 110, colour: true).render()
        #expect(!plain.contains("\u{1B}"))
        #expect(coloured.contains("\u{1B}[1;31m"))
        let stripped = coloured.replacingOccurrences(
            of: "\u{1B}\\[[0-9;]*m", with: "", options: .regularExpression)
        #expect(stripped == plain)
    }

    @Test func timesSurviveJSON() throws {
        let timeline = SampleReport.working().timeline
        let data = try JSONEncoder().encode(timeline)
        #expect(try JSONDecoder().decode(DemoTimeline.self, from: data) == timeline)
    }

    @Test func decimalsRoundAndNeverTrap() {
        #expect(Display.decimal(1.25, 1) == "1.3")
        #expect(Display.decimal(-0.04, 1) == "0.0")
        #expect(Display.decimal(-0.5, 1) == "-0.5")
        #expect(Display.decimal(0.05, 2) == "0.05")
        #expect(Display.decimal(1234.5, 0) == "1235")
        #expect(Display.decimal(.nan, 2) == "–")
        #expect(Display.decimal(.infinity, 2) == "–")
        #expect(Display.decimal(1e300, 2) == "1e+300")
    }
}
