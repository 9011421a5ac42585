// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Offhook
import OffhookMedia
import OffhookServer
import OffhookTesting
import VirtualPhone

/// The demo: one phone calls another, from push to hang-up, and what was heard is verified.
struct Demo {
    /// What was asked.
    var options: DemoOptions
    /// Where to write.
    var terminal: Terminal

    /// Runs it.
    ///
    /// - Returns: `verificationFailed` when anything that is verified is not so.
    /// - Throws: ``EnvironmentError`` for what is in the way, such as a voice file that is none.
    func run() async throws -> ToolStatus {
        let folders = try DemoFolders(output: options.directory)
        defer { folders.removeSecrets() }
        let signals = TerminationSignals()
        let watch = Task { [terminal] in
            for await number in signals.stream {
                folders.removeSecrets()
                terminal.errorLine("offhook: the demo was stopped before its end; what it wrote is not complete")
                // The first signal restored the default, so this one ends the process, and its caller sees why.
                kill(getpid(), number)
            }
        }
        defer { watch.cancel() }
        do {
            switch options.mistake {
            case nil: return try await call(secrets: folders.secrets)
            case .lateReport: return try await LateReportDemo(options: options, terminal: terminal).run(folders.secrets)
            }
        } catch let error as DemoStopped {
            terminal.errorLine("offhook: the demo \(error)")
            return .verificationFailed
        } catch let error as VirtualPhone.WaitTimedOut {
            terminal.errorLine("offhook: \(error)")
            return .verificationFailed
        } catch let error as MediaFailure {
            throw EnvironmentError(message: error.message)
        } catch let error as ServerError {
            throw EnvironmentError(message: error.message)
        }
    }

    private func call(secrets: String) async throws -> ToolStatus {
        let voices = try voices(in: secrets)
        terminal.line(
            terminal.paint("Offhook demo", .bold) + "  two phones, a server and a push gateway, on this machine")
        terminal.line()
        // Plug-ins are loaded once a process; the call shall not wait for it.
        let engine = GStreamerMediaEngine { _ in AudioPort() }
        try await engine.prepare()
        for _ in 1...2 {
            let meter = LagMeter()
            defer { _ = meter.stop() }
            let (report, isOnlySoundBad) = try await play(voices, secrets: secrets)
            let lag = meter.stop()
            // A machine that lets nobody run for so long carries no voice; that is not the demo's mistake.
            guard isOnlySoundBad, lag > 40 else { return try end(report) }
            terminal.line()
            terminal.errorLine("offhook: this machine was up to \(lag) ms late and lost sound; the call is made again")
            for line in report.checkLines(colour: terminal.colour) { terminal.line(line) }
            terminal.line()
        }
        return try end(await play(voices, secrets: secrets).report)
    }

    private func end(_ report: DemoReport) throws -> ToolStatus {
        try report.write(to: options.directory)
        show(report)
        return report.passed ? .success : .verificationFailed
    }

    /// Plays the call on a stage of its own, and verifies it.
    private func play(
        _ voices: (alice: PCM, bob: PCM), secrets: String
    ) async throws -> (report: DemoReport, isOnlySoundBad: Bool) {
        let terminal = terminal
        let recorder = DemoRecorder { event in
            terminal.line(
                terminal.paint(TextWrap.pad(Display.decimal(event.time / .seconds(1), 1) + " s", to: 8), .faint)
                    + event.text)
        }
        let stage = try await DemoStage(
            directory: options.directory, secrets: secrets, recorder: recorder, seed: options.seed)
        let recordings = ["alice": "alice-heard.wav", "bob": "bob-heard.wav"].mapValues { options.directory + "/" + $0 }
        let outcome: DemoCall.Outcome
        do {
            try stage.install(for: "alice", on: stage.alice, voice: voices.alice, recording: recordings["alice"] ?? "")
            try stage.install(for: "bob", on: stage.bob, voice: voices.bob, recording: recordings["bob"] ?? "")
            outcome = try await DemoCall(stage: stage, talk: .seconds(options.seconds)).play()
        } catch {
            terminal.line()
            terminal.write(
                TextDiagram(
                    diagram: DemoTimeline(title: "", events: recorder.events).diagram, width: terminal.width,
                    colour: terminal.colour
                ).render())
            await stage.close()
            throw error
        }
        let heard = try recordings.mapValues { try PCM(wav: $0) }
        for (user, sound) in outcome.sent { try sound.write(wav: options.directory + "/\(user)-said.wav") }
        let result = DemoChecks(stage: stage, outcome: outcome, heard: heard).all()
        await stage.close()
        return (report(recorder, outcome, result.checks, result.voices), result.isOnlySoundBad)
    }

    private func report(
        _ recorder: DemoRecorder, _ outcome: DemoCall.Outcome, _ checks: [DemoReport.Check],
        _ voices: [DemoReport.Voice]
    ) -> DemoReport {
        func value(_ name: String) -> String { checks.first { $0.name == name }?.value ?? "–" }
        return DemoReport(
            title: "Alice calls Bob",
            summary: "Bob's app was not running and his phone was locked. A VoIP push over HTTP/2 woke it, he answered "
                + "on the lock screen, and both talked over Opus, DTLS-SRTP and ICE.",
            figures: [
                .init(value: value("from Alice's tap to Bob's ring"), label: "from tap to ring"),
                .init(value: value("Alice → Bob: voice heard"), label: "of Alice heard by Bob"),
                .init(value: value("Bob → Alice: mouth to ear"), label: "mouth to ear"),
                .init(value: value("violations of the phone's rules"), label: "violations"),
            ],
            timeline: DemoTimeline(title: "Alice calls Bob", events: recorder.events), screens: outcome.screens,
            voices: voices, checks: checks)
    }

    private func show(_ report: DemoReport) {
        terminal.line()
        terminal.write(
            TextDiagram(diagram: report.timeline.diagram, width: terminal.width, colour: terminal.colour).render())
        terminal.line()
        terminal.line(terminal.paint("Verified", .bold))
        for line in report.checkLines(colour: terminal.colour) { terminal.line(line) }
        terminal.line()
        for name in [
            "report.html", "timeline.json", "alice-heard.wav", "bob-heard.wav", "alice-said.wav", "bob-said.wav",
        ] {
            terminal.line(terminal.paint("  wrote ", .faint) + options.directory + "/" + name)
        }
        if !report.passed {
            terminal.errorLine("offhook: not everything is as it should be; see the lines marked ✗")
        }
    }

    /// The two voices: the given files, or made speech.
    private func voices(in directory: String) throws -> (alice: PCM, bob: PCM) {
        func voice(_ given: String?, _ option: String, _ text: String, _ speaker: String) throws -> PCM {
            if let given {
                do {
                    let sound = try PCM(wav: given)
                    guard sound.duration >= .seconds(1) else {
                        throw EnvironmentError(message: "--\(option): \(given) is shorter than a second")
                    }
                    return sound
                } catch let error as MediaFailure {
                    throw EnvironmentError(message: "--\(option): \(error.message)")
                }
            }
            let path = directory + "/\(option).wav"
            try Speech.speak(text, voice: speaker, into: path)
            return try PCM(wav: path)
        }
        return (
            try voice(options.voiceA, "voice-a", Speech.alice, "en-us+f3"),
            try voice(options.voiceB, "voice-b", Speech.bob, "en-gb+m3")
        )
    }
}
