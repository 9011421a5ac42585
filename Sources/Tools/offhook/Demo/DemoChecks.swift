// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookMedia
import OffhookServer
import OffhookTesting
import VirtualPhone

/// Verifies a demo's call, from the recordings, the phones and the database.
struct DemoChecks {
    /// The least correlation of what was said with what was heard over a stretch of talk.
    static let correlation = 0.8
    /// What a muted or held side may still be heard at, in dBFS.
    static let silence = -60.0

    /// What was found.
    struct Result {
        /// Everything that is verified, in the order of the story.
        var checks: [DemoReport.Check]
        /// The voices of both sides.
        var voices: [DemoReport.Voice]
        /// Whether the sound is not as it should be, and all else is.
        var isOnlySoundBad: Bool
    }

    let stage: DemoStage
    let outcome: DemoCall.Outcome
    let heard: [String: PCM]

    /// Verifies everything.
    func all() -> Result {
        var sound: [DemoReport.Check] = []
        var voices: [DemoReport.Voice] = []
        for (speaker, listener) in [("alice", "bob"), ("bob", "alice")] {
            let (found, voice) = self.voice(from: speaker, to: listener)
            sound += found
            voices.append(voice)
        }
        sound += gates(delay: voices.map(\.delayMilliseconds).max() ?? 0)
        let (before, after) = (push(), record() + rules())
        return Result(
            checks: before + sound + after, voices: voices,
            isOnlySoundBad: !sound.allSatisfy(\.passed) && (before + after).allSatisfy(\.passed))
    }

    // MARK: - Push and ring

    private func push() -> [DemoReport.Check] {
        let events = stage.recorder.events
        func time(_ text: String, from actor: DemoTimeline.Actor) -> Duration? {
            events.last { $0.text == text && $0.from == actor }?.time
        }
        let launched = time("launched the app in the background for a push", from: .bobPhone)
        let pushes = events.filter { $0.from == .server && $0.to == .apns && $0.text.hasPrefix("VoIP push") }.count
        let called = time("Alice calls Bob", from: .alice)
        let rang = time("rings", from: .bobPhone)
        let ring = called.flatMap { called in rang.map { $0 - called } }
        return [
            check("Bob's dead app was launched by the push", launched == nil ? "no" : "yes", "yes", launched != nil),
            check("pushes for the call", "\(pushes)", "1", pushes == 1),
            check(
                "from Alice's tap to Bob's ring", ring.map { Display.milliseconds($0) + " ms" } ?? "never", "it rings",
                ring != nil),
        ]
    }

    // MARK: - Voice

    private func voice(from speaker: String, to listener: String) -> ([DemoReport.Check], DemoReport.Voice) {
        let said = outcome.sent[speaker] ?? PCM(samples: [])
        let sound = heard[listener] ?? PCM(samples: [])
        var values: [Double] = []
        var delays: [Duration] = []
        var levels: [Double] = []
        var seconds = 0.0
        for stretch in outcome.moments.talk {
            // The first moments belong to the opening of the audio path, the last to the way of the voice.
            let spoken = said.between(stretch.lowerBound + 0.4, stretch.upperBound - 0.3)
            let arrived = sound.between(stretch.lowerBound + 0.3, stretch.upperBound + 0.2)
            let found = voiceDelay(from: spoken, to: arrived, maximumDelay: .milliseconds(800))
            values.append(found?.value ?? 0)
            if let found { delays.append(found.delay) }
            levels.append(arrived.level)
            seconds += arrived.voicedSeconds
        }
        let names = (speaker.capitalized, listener.capitalized)
        let worst = values.min() ?? 0
        let delay = delays.sorted().dropFirst(delays.count / 2).first ?? .zero
        let level = levels.max() ?? -120
        let pair = "\(names.0) → \(names.1)"
        let list = values.map { Display.decimal($0, 3) }.joined(separator: ", ")
        let checks = [
            check("\(pair): voice heard", Display.decimal(seconds, 1) + " s", "≥ 2 s", seconds >= 2),
            check("\(pair): level", Display.decimal(level, 1) + " dBFS", "≥ -45 dBFS", level >= -45),
            check(
                "\(pair): said and heard, each stretch", list, "correlation ≥ \(DemoChecks.correlation)",
                values.count == outcome.moments.talk.count && worst >= DemoChecks.correlation),
            check(
                "\(pair): mouth to ear", Display.milliseconds(delay) + " ms", "measured", !delays.isEmpty),
        ]
        let start = min(said.wall ?? .distantFuture, sound.wall ?? .distantFuture)
        let end = Date(timeIntervalSince1970: max(said.endWall ?? 0, sound.endWall ?? 0))
        let whole = max(0, end.timeIntervalSince(start))
        let length = Int(whole * Double(AudioFormat.sampleRate))
        let voice = DemoReport.Voice(
            speaker: names.0, listener: names.1,
            said: Waveform(samples: said.padded(from: start), length: length),
            heard: Waveform(samples: sound.padded(from: start), length: length),
            seconds: whole, correlation: worst, delayMilliseconds: delay.inMilliseconds, level: level,
            file: "\(listener)-heard.wav")
        return (checks, voice)
    }

    private func gates(delay: Double) -> [DemoReport.Check] {
        let bob = heard["bob"] ?? PCM(samples: [])
        let alice = heard["alice"] ?? PCM(samples: [])
        // What was on its way is still heard.
        let lead = max(0.5, delay / 1000 + 0.3)
        let muted = bob.inside(outcome.moments.muted, after: lead).level
        let other = alice.inside(outcome.moments.muted, after: lead).level
        let held = max(
            bob.inside(outcome.moments.held, after: lead).level, alice.inside(outcome.moments.held, after: lead).level)
        return [
            check("Alice muted: Bob hears", level(muted), "< -60 dBFS", muted < DemoChecks.silence),
            check("Alice muted: she still hears Bob", level(other), "≥ -45 dBFS", other >= -45),
            check("Bob holds: either side hears", level(held), "< -60 dBFS", held < DemoChecks.silence),
        ]
    }

    private func level(_ value: Double) -> String {
        value <= -120 ? "nothing" : Display.decimal(value, 1) + " dBFS"
    }

    // MARK: - Record and rules

    private func record() -> [DemoReport.Check] {
        guard let record = outcome.record else {
            return [check("call record in SQLite", "missing", "complete", false)]
        }
        let times = record.times
        let order = [times.createdAt, times.rangAt, times.answeredAt, times.connectedAt, times.endedAt].compactMap {
            $0
        }
        let isComplete = order.count == 5 && order == order.sorted()
        let reason = record.reason?.rawValue ?? "none"
        return [
            check(
                "call record in SQLite: created … ended",
                isComplete ? "complete, in order" : "\(order.count) of 5 times",
                "complete, in order", isComplete),
            check(
                "call record: caller, callee, winner, reason",
                "\(record.caller.user), \(record.callee), \(record.answeredBy ?? "nobody"), \(reason)",
                "alice, bob, bob-iphone, localHangup",
                record.state == .ended && record.caller.user == "alice" && record.callee == "bob"
                    && record.answeredBy == "bob-iphone" && record.reason == .localHangup),
        ]
    }

    private func rules() -> [DemoReport.Check] {
        let phones = [("Alice", stage.alice), ("Bob", stage.bob)]
        let violations = phones.flatMap { $0.1.violations.map(\.rule) }
        let deaths = phones.flatMap { $0.1.deaths.compactMap(\.rule) }
        let recents = phones.map { $0.1.recents.first }
        let durations = recents.map { $0.map { Display.decimal($0.duration / .seconds(1), 1) + " s" } ?? "none" }
        return [
            check(
                "Recents on both phones", durations.joined(separator: ", "), "answered",
                recents.allSatisfy { $0?.outcome == .answered }),
            check(
                "violations of the phone's rules", violations.isEmpty ? "0" : violations.joined(separator: ", "), "0",
                violations.isEmpty),
            check(
                "apps killed by the phone", deaths.isEmpty ? "0" : deaths.joined(separator: ", "), "0", deaths.isEmpty),
        ]
    }

    private func check(_ name: String, _ value: String, _ expected: String, _ passed: Bool) -> DemoReport.Check {
        DemoReport.Check(name: name, value: value, expected: expected, passed: passed)
    }
}

extension PCM {
    /// When the first sample was, by the wall clock.
    var wall: Date? {
        start.map { Date(timeIntervalSince1970: Double($0.wallMilliseconds) / 1000) }
    }

    /// When the last sample was, in seconds since 1970.
    var endWall: Double? {
        wall.map { $0.timeIntervalSince1970 + duration / .seconds(1) }
    }

    /// The part between two moments; empty without a start time.
    func between(_ from: Date, _ to: Date) -> PCM {
        guard let wall, to > from else { return PCM(samples: []) }
        let offset = max(0, from.timeIntervalSince(wall))
        let end = to.timeIntervalSince(wall)
        guard end > offset else { return PCM(samples: []) }
        return part(from: .seconds(offset), length: .seconds(end - offset))
    }

    /// The part well inside a range: so many seconds from its start, and not its very end.
    func inside(_ range: ClosedRange<Date>, after lead: Double) -> PCM {
        between(range.lowerBound + lead, range.upperBound - 0.1)
    }

    /// The samples with silence before them, so that they begin at a moment.
    func padded(from moment: Date) -> [Int16] {
        guard let wall else { return samples }
        let silence = max(0, Int(wall.timeIntervalSince(moment) * Double(sampleRate)))
        return [Int16](repeating: 0, count: silence) + samples
    }

    /// How long something louder than -50 dBFS is heard, in parts of 20 ms.
    var voicedSeconds: Double {
        let parts = stride(from: 0, to: samples.count, by: AudioFormat.frameSamples).filter { first in
            let end = min(first + AudioFormat.frameSamples, samples.count)
            return PCM(samples: Array(samples[first..<end])).level > -50
        }
        return Double(parts.count) * 0.02
    }
}
