// SPDX-License-Identifier: MIT

import Foundation
import FoundationXML
import OffhookTesting
import Testing

@testable import offhook

@Suite struct ReportTests {
    @Test func pageIsWellFormed() throws {
        for report in [SampleReport.working(), SampleReport.broken()] {
            let page = ReportPage(report: report).render()
            #expect(Self.firstProblem(page) == nil)
            for drawing in [
                SVGDiagram(diagram: report.timeline.diagram).render(), PhoneDrawing(screen: report.screens[0]).render(),
                WaveformDrawing(voice: report.voices[0]).render(),
            ] {
                #expect(Self.firstProblem(drawing) == nil)
            }
        }
    }

    @Test func pageNeedsNothingFromElsewhere() {
        let page = ReportPage(report: SampleReport.working()).render()
        for sign in ["src=", "<script", "@import", "url(", "<link", "href=\"http"] {
            #expect(!page.contains(sign), "\(sign)")
        }
    }

    @Test func hostileNamesStayText() {
        let page = ReportPage(report: SampleReport.working(name: "<script>alert('&\"\u{0}\u{1B}')</script>")).render()
        #expect(Self.firstProblem(page) == nil)
        #expect(!page.contains("<script"))
    }

    @Test func emptyReportIsStillAPage() {
        let report = DemoReport(
            title: "Nothing", summary: "", figures: [], timeline: DemoTimeline(title: "Nothing", events: []),
            screens: [],
            voices: [], checks: [])
        #expect(Self.firstProblem(ReportPage(report: report).render()) == nil)
        #expect(report.passed)
    }

    @Test func failedCheckFailsTheReport() {
        #expect(SampleReport.working().passed)
        #expect(!SampleReport.broken().passed)
        let lines = SampleReport.broken().checkLines(colour: false)
        #expect(lines.filter { $0.contains("✗") }.count == 1)
        #expect(lines.allSatisfy { !$0.contains("\u{1B}") })
    }

    @Test func waveformKeepsThePeaks() {
        var samples = [Int16](repeating: 0, count: 1000)
        samples[500] = 16384
        samples[501] = .min
        let wave = Waveform(samples: samples, columns: 10)
        #expect(wave.high.count == 10)
        #expect(wave.high[5] == 0.5)
        #expect(wave.low[5] == -1)
        #expect(wave.high[4] == 0)
        #expect(Waveform(samples: [], columns: 10).high.isEmpty)
        #expect(Waveform(samples: [1, 2], columns: 10).high.count == 2)
        let padded = Waveform(samples: samples, columns: 20, length: 2000)
        #expect(padded.high[5] > 0.4 || padded.high[4] > 0.4)
        #expect(padded.high[19] == 0)
    }

    @Test func filesAreWritten() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offhook-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let report = SampleReport.working()
        try report.write(to: folder.path)
        let page = try String(contentsOf: folder.appendingPathComponent("report.html"), encoding: .utf8)
        #expect(page == ReportPage(report: report).render())
        let json = try Data(contentsOf: folder.appendingPathComponent("timeline.json"))
        let record = try JSONDecoder().decode(Record.self, from: json)
        #expect(record.passed)
        #expect(record.events == report.timeline.events)
        #expect(throws: EnvironmentError.self) { try report.write(to: "/dev/null/nowhere") }
        if let samples = ProcessInfo.processInfo.environment["OFFHOOK_SAMPLES"] {
            try report.write(to: samples + "/working")
            try SampleReport.broken().write(to: samples + "/broken")
        }
    }

    private struct Record: Decodable {
        var passed: Bool
        var events: [DemoTimeline.Event]
    }

    /// What an XML parser objects to first.
    private static func firstProblem(_ markup: String) -> String? {
        let parser = XMLParser(data: Data(markup.utf8))
        if parser.parse() { return nil }
        return "line \(parser.lineNumber): \(parser.parserError?.localizedDescription ?? "unknown")"
    }
}
