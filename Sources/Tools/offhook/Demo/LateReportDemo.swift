// SPDX-License-Identifier: MIT

import Foundation
import OffhookMedia
import OffhookTesting
import VirtualPhone

/// `offhook demo --mistake late-report`: the same push to an app that reports from a task, and what the phone does.
struct LateReportDemo {
    /// What was asked.
    var options: DemoOptions
    /// Where to write.
    var terminal: Terminal

    /// Runs it.
    ///
    /// - Returns: `success` when the phone killed the app by rule K3, as an iPhone does.
    func run(_ secrets: String) async throws -> ToolStatus {
        let recorder = DemoRecorder()
        let stage = try await DemoStage(
            directory: options.directory, secrets: secrets, recorder: recorder, seed: options.seed)
        let death: CauseOfDeath?
        do {
            death = try await play(on: stage, secrets)
        } catch {
            await stage.close()
            throw error
        }
        let screens = [
            DemoReport.Screen(
                owner: "Bob", milliseconds: recorder.elapsed.inMilliseconds, content: .killed, name: "Offhook Demo",
                detail: death?.code ?? "still running")
        ]
        let rang = !stage.bob.screen.incoming.isEmpty
        await stage.close()
        let checks = [
            DemoReport.Check(
                name: "the phone ended the app", value: death?.rule ?? "no", expected: "K3", passed: death?.rule == "K3"
            ),
            DemoReport.Check(
                name: "the phone rings", value: rang ? "yes" : "no", expected: "no: the report came too late",
                passed: !rang),
        ]
        let report = DemoReport(
            title: "The report that came too late",
            summary: "The app started a Task in the push callback and reported the call from there. The callback had "
                + "returned by then, so the phone killed the app.",
            verdict: death?.rule == "K3" ? "killed by K3" : nil,
            figures: [.init(value: death?.rule ?? "–", label: "the rule that killed the app")],
            timeline: DemoTimeline(title: "Late report", events: recorder.events), screens: screens, voices: [],
            checks: checks)
        try report.write(to: options.directory)
        terminal.write(
            TextDiagram(diagram: report.timeline.diagram, width: terminal.width, colour: terminal.colour).render())
        terminal.line()
        if let death { terminal.line(terminal.paint("\(death)", .bad)) }
        terminal.line()
        for line in report.checkLines(colour: terminal.colour) { terminal.line(line) }
        terminal.line()
        terminal.line(terminal.paint("  wrote ", .faint) + options.directory + "/report.html")
        return report.passed ? .success : .verificationFailed
    }

    /// The story: Bob's app is closed, Alice calls, the push wakes it.
    private func play(on stage: DemoStage, _ secrets: String) async throws -> CauseOfDeath? {
        let silence = PCM(samples: [Int16](repeating: 0, count: AudioFormat.sampleRate))
        try stage.install(for: "alice", on: stage.alice, voice: silence, recording: secrets + "/alice.wav")
        // Opened by the user the app is sound; woken by a push it is the one with the mistake.
        try stage.install(for: "bob", on: stage.bob, voice: silence, recording: secrets + "/bob.wav") {
            LateReportApp()
        }
        let story = DemoCall(stage: stage, talk: .zero)
        try await story.prepareBob()
        _ = try await story.placeCall()
        try await stage.bob.wait { $0.deaths.contains { $0.rule != nil } || !$0.screen.incoming.isEmpty }
        return stage.bob.deaths.last { $0.rule != nil }
    }
}
