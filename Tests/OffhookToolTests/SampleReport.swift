// SPDX-License-Identifier: MIT

import OffhookTesting

@testable import offhook

/// A made-up call, long enough to show everything a report can hold.
enum SampleReport {
    /// A call that works.
    static func working(name: String = "Alice") -> DemoReport {
        DemoReport(
            title: "\(name) called Bob, and they talked",
            summary: "Bob's app was not running and his phone was locked. A push woke the app, it reported the call "
                + "before its delegate method returned, and Bob answered on the lock screen.",
            figures: [
                .init(value: "184 ms", label: "from tap to ring"),
                .init(value: "96 ms", label: "answer to first voice"),
                .init(value: "0.97", label: "voice correlation"), .init(value: "0", label: "broken rules"),
            ],
            timeline: DemoTimeline(title: "\(name) calls Bob", events: events(name)), screens: screens(name),
            voices: [voice(name, "Bob", seed: 7), voice("Bob", name, seed: 11)],
            checks: [
                .init(name: "Bob heard \(name)", value: "6.0 s of speech", expected: "at least 5 s", passed: true),
                .init(name: "correlation, \(name) to Bob", value: "0.972", expected: "at least 0.8", passed: true),
                .init(name: "delay, \(name) to Bob", value: "78 ms", expected: "at most 400 ms", passed: true),
                .init(name: "call record in SQLite", value: "answered, 21 s", expected: "answered", passed: true),
                .init(name: "broken rules of the phone", value: "0", expected: "0", passed: true),
            ])
    }

    /// A call that a late report breaks.
    static func broken() -> DemoReport {
        var report = working()
        report.title = "Bob's app reported too late"
        report.timeline.events =
            Array(report.timeline.events.prefix(9)) + [
                .init(
                    time: .milliseconds(190), from: .bobPhone, to: .bobApp, rule: "K3",
                    text: "killed: the push's delegate method returned and no call was reported. Call "
                        + "reportNewIncomingCall before the method returns, not in a Task.", kind: .violation)
            ]
        report.screens = [
            .init(
                owner: "Bob", milliseconds: 190, content: .killed, name: "App terminated",
                detail: "K3: no call reported")
        ]
        report.checks[4] = .init(name: "broken rules of the phone", value: "1 (K3)", expected: "0", passed: false)
        return report
    }

    private static func events(_ name: String) -> [DemoTimeline.Event] {
        typealias Event = DemoTimeline.Event
        func at(_ milliseconds: Double, _ make: (Duration) -> Event) -> Event {
            make(.microseconds(Int64(milliseconds * 1000)))
        }
        func step(
            _ milliseconds: Double, _ from: DemoTimeline.Actor, _ to: DemoTimeline.Actor?, _ rule: String?,
            _ text: String, _ kind: DemoTimeline.Kind = .step
        ) -> Event {
            at(milliseconds) { .init(time: $0, from: from, to: to, rule: rule, text: text, call: nil, kind: kind) }
        }
        return [
            step(0, .alice, .aliceApp, nil, "\(name) taps Bob", .milestone),
            step(1.2, .aliceApp, .alicePhone, "O1", "request CXStartCallAction"),
            step(7.1, .alicePhone, .aliceApp, "O2", "perform start"),
            step(8.4, .aliceApp, .server, nil, "invite bob <video: no>"),
            step(13.9, .server, .apns, "K10", "VoIP push over HTTP/2, topic com.example.app.voip, expires in 30 s"),
            step(21.0, .apns, .bobPhone, nil, "push"),
            step(24.4, .bobPhone, .bobApp, "K1", "launch in the background"),
            step(161.7, .bobPhone, .bobApp, "K3", "didReceiveIncomingPushWith"),
            step(162.0, .bobApp, .bobPhone, "I1", "reportNewIncomingCall"),
            step(184.3, .bobPhone, .bob, nil, "rings on the lock screen", .milestone),
            step(186.0, .bobApp, .server, nil, "hello, ringing"),
            step(188.5, .server, .aliceApp, nil, "ringing"),
            step(2190, .bob, .bobPhone, "A1", "slides to answer", .milestone),
            step(2192.3, .bobPhone, .bobApp, "A1", "perform answer"),
            step(2193.0, .bobApp, nil, "S1", "sets category playAndRecord, mode voiceChat"),
            step(2196.2, .bobApp, .server, nil, "answer (the claim)"),
            step(2200.8, .server, .bobApp, nil, "answered"),
            step(2201.9, .bobApp, .bobPhone, "A2", "fulfill"),
            step(2206.5, .bobPhone, .bobApp, "S1", "didActivate"),
            step(2296, .aliceApp, .bobApp, "C1", "voice over DTLS-SRTP, both ways", .voice),
            step(9300, .alice, .aliceApp, "G6", "mutes", .milestone),
            step(12410, .bob, .bobPhone, "E1", "hangs up", .milestone),
            step(12413, .bobPhone, .bobApp, "E1", "perform end"),
            step(12421, .aliceApp, .alicePhone, "E2", "reportCall(endedAt:reason: remoteEnded)"),
        ]
    }

    private static func screens(_ name: String) -> [DemoReport.Screen] {
        [
            .init(owner: name, milliseconds: 8, content: .calling, name: "Bob", detail: "calling…"),
            .init(owner: "Bob", milliseconds: 184, content: .ringing, name: name, detail: "Offhook Audio"),
            .init(owner: "Bob", milliseconds: 2300, content: .inCall, name: name, detail: "0:06"),
            .init(owner: name, milliseconds: 9300, content: .inCall, name: "Bob", detail: "0:07", muted: true),
            .init(owner: "Bob", milliseconds: 10100, content: .inCall, name: name, detail: "on hold", held: true),
            .init(owner: "Bob", milliseconds: 12500, content: .locked, name: name, detail: "Offhook Audio, 10 s"),
        ]
    }

    private static func voice(_ speaker: String, _ listener: String, seed: UInt64) -> DemoReport.Voice {
        let said = speech(seed: seed)
        let heard = Array(repeating: Int16(0), count: 624) + said.dropLast(624).map { Int16(Double($0) * 0.8) }
        return .init(
            speaker: speaker, listener: listener, said: Waveform(samples: said), heard: Waveform(samples: heard),
            seconds: 8, correlation: 0.972, delayMilliseconds: 78, level: -18.4,
            file: "heard-by-\(listener.lowercased()).wav")
    }

    /// Eight seconds at 8 kHz of something with words and pauses.
    private static func speech(seed: UInt64) -> [Int16] {
        var state = seed
        func random() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 33) / Double(1 << 31)
        }
        var loudness = 0.0
        var target = 0.0
        return (0..<64_000).map { index in
            if index % 1100 == 0 { target = random() < 0.3 || index < 6000 ? 0 : 0.15 + 0.75 * random() }
            loudness += (target - loudness) * 0.002
            return Int16((loudness * (random() * 2 - 1)) * 24_000)
        }
    }
}
