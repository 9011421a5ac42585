// SPDX-License-Identifier: MIT

import Offhook
import OffhookCore

// What moves: audio, tones and pictures.
extension ClauseTrial {
    private static let needsCounts = "the probe must count the frames that are sent and played"

    func audioOnlyWhileOpen() async throws -> Verdict {
        guard let sent = candidates[0].probe.sent, let played = candidates[0].probe.played else {
            return .notChecked(ClauseTrial.needsCounts)
        }
        let call = try call()
        let (caller, callee) = (call.caller, call.callee)
        try await call.connect()
        callee.perform("setAudioOpen(_:)") { $0.setAudioOpen(true) }
        try await call.progress("frames sent", candidates[1].probe.sent, of: callee)
        try require(sent(caller.configuration) == 0, "audio was sent before the switch was open")
        try require(played(caller.configuration) == 0, "audio was played before the switch was open")
        try await call.talk()
        try await call.progress("frames sent", sent, of: caller)
        caller.perform("setAudioOpen(_:)") { $0.setAudioOpen(false) }
        try await call.progress("frames sent", candidates[1].probe.sent, of: callee, by: 5)
        let (sentThen, playedThen) = (sent(caller.configuration), played(caller.configuration))
        try await call.progress("frames sent", candidates[1].probe.sent, of: callee)
        try require(sent(caller.configuration) == sentThen, "audio was sent after the switch was closed")
        try require(played(caller.configuration) == playedThen, "audio was played after the switch was closed")
        return .passed
    }

    func remoteMediaOnce() async throws -> Verdict {
        let call = try call()
        let (caller, callee) = (call.caller, call.callee)
        try await call.connect()
        callee.perform("setAudioOpen(_:)") { $0.setAudioOpen(true) }
        try await call.progress("frames sent", candidates[1].probe.sent, of: callee)
        try await pulse()
        try require(
            !callee.has(.remoteMedia), "remoteMedia came before the other side had sent anything: connected is no voice"
        )
        try await call.talk()
        for open in [false, true] {
            for side in call.sides { side.perform("setAudioOpen(_:)") { $0.setAudioOpen(open) } }
        }
        try await call.progress("frames sent", candidates[0].probe.sent, of: caller)
        try await pulse()
        for side in call.sides {
            try require(side.count(.remoteMedia) == 1, "remoteMedia came \(side.count(.remoteMedia)) times")
        }
        return .passed
    }

    func interruptionToggles() async throws -> Verdict {
        let call = try call()
        try await call.talk()
        let side = call.caller
        for _ in 0..<2 {
            let count = side.count(.interrupted)
            call.callee.perform("setAudioOpen(_:)") { $0.setAudioOpen(false) }
            try await call.wait("interrupted or failed", failing: false) {
                side.count(.interrupted) > count || side.failure != nil
            }
            if side.failure != nil { return .passed }  // that is M10's matter
            let restored = side.count(.restored)
            call.callee.perform("setAudioOpen(_:)") { $0.setAudioOpen(true) }
            try await call.wait("restored") { side.count(.restored) > restored }
        }
        let toggles = side.events.filter { $0 == .interrupted || $0 == .restored }
        try require(toggles.first == .interrupted, "restored came before interrupted")
        try require(!hasRepeat(toggles), "interrupted or restored came twice in a row")
        return .passed
    }

    private func hasRepeat(_ events: [MediaEvent]) -> Bool {
        zip(events, events.dropFirst()).contains { $0 == $1 }
    }

    func muteIsNotHold() async throws -> Verdict {
        let probe = candidates[0].probe
        guard let sent = probe.sent, let played = probe.played, let sound = probe.sentSound else {
            return .notChecked(ClauseTrial.needsCounts + ", and those with sound in them")
        }
        let (call, clock) = (try call(), try call())
        try await call.talk()
        try await clock.talk()
        let caller = call.caller
        let name = caller.configuration
        caller.perform("setMuted(_:)") { $0.setMuted(true) }
        try await call.progress("frames sent while muted", sent, of: caller, by: 5)
        let (soundThen, playedThen) = (sound(name), played(name))
        try await call.progress("frames sent while muted", sent, of: caller)
        try require(sound(name) == soundThen, "sound was sent while muted")
        try require(played(name) > playedThen, "nothing was heard while muted: mute is not hold")
        caller.perform("setMuted(_:)") { $0.setMuted(false) }
        try await call.progress("frames with sound after the mute", sound, of: caller, by: 5)

        caller.perform("setHeld(_:)") { $0.setHeld(true) }
        try await clock.progress("frames sent", sent, of: clock.caller, by: 5)
        let (sentThen, heardThen) = (sent(name), played(name))
        try await clock.progress("frames sent", sent, of: clock.caller)
        try require(sent(name) == sentThen, "audio was sent while held")
        try require(played(name) == heardThen, "audio was played while held")
        caller.perform("setHeld(_:)") { $0.setHeld(false) }
        try await call.progress("frames sent after the hold", sent, of: caller, by: 5)
        try await call.progress("frames played after the hold", played, of: caller, by: 5)
        return .passed
    }

    func neverEndsCalls() async throws -> Verdict {
        let call = try call()
        try await call.talk()
        let side = call.caller
        call.callee.perform("setAudioOpen(_:)") { $0.setAudioOpen(false) }
        try await call.wait("interrupted", failing: false) { side.has(.interrupted) || side.failure != nil }
        try require(
            side.failure == nil,
            "media that stopped was called a failure (\(side.failure?.message ?? "")): say interrupted, and go on")
        call.callee.perform("setAudioOpen(_:)") { $0.setAudioOpen(true) }
        try await call.wait("restored") { side.has(.restored) }
        return .passed
    }

    func audioSessionUntouched() async throws -> Verdict {
        guard let touches = candidates[0].probe.audioSessionTouches else {
            return .notChecked("the probe must count how often the audio session is set")
        }
        let before = touches()
        let call = try call()
        try await exercise(call)
        call.close()
        try await pulse()
        try require(
            touches() == before,
            "the audio session's category or activation was set \(touches() - before) times; CallKit activates it")
        return .passed
    }

    func tones() async throws -> Verdict {
        let call = try call()
        try await call.talk()
        call.caller.perform("playTones(_:)") { $0.playTones("12#") }
        guard candidates[0].engine.capabilities.dtmf else {
            try await pulse()
            try require(call.caller.failure == nil, "tones failed an engine that has none; ignore them")
            return .passed
        }
        guard let heard = candidates[1].probe.tones else {
            return .notChecked("the probe must name the tones that are heard")
        }
        let name = call.callee.configuration
        try await call.wait("three tones") { heard(name).count >= 3 }
        try require(heard(name) == "12#", "the tones 12# came as \(heard(name))")
        return .passed
    }

    func camera() async throws -> Verdict {
        let call = try call()
        try await call.talk()
        call.caller.perform("setCamera(_:)") { $0.setCamera(.front) }
        guard candidates[0].engine.capabilities.video else {
            call.caller.perform("setCamera(_:)") { $0.setCamera(nil) }
            try await pulse()
            try require(call.caller.failure == nil, "a camera failed an engine without video; ignore it")
            return .passed
        }
        func words() -> [Bool] {
            call.callee.events.compactMap { if case .remoteVideo(let shows) = $0 { shows } else { nil } }
        }
        try await call.wait("remoteVideo") { words().count == 1 }
        try require(words() == [true], "a camera that was switched on was told as remoteVideo(false)")
        call.caller.perform("setCamera(_:)") { $0.setCamera(nil) }
        try await call.wait("remoteVideo") { words().count == 2 }
        try require(words() == [true, false], "a camera that was switched off was told as remoteVideo(true)")
        return .passed
    }

    func translation() async throws -> Verdict {
        let probe = candidates[0].probe
        guard let captured = probe.captured, let sent = probe.sent else {
            return .notChecked("the probe must count the frames that the microphone gives")
        }
        let call = try call()
        try await call.talk()
        let caller = call.caller
        let translation = Translation(localLanguage: "en", remoteLanguage: "fr")
        caller.perform("setTranslation(_:)") { $0.setTranslation(translation) }
        caller.perform("setMuted(_:)") { $0.setMuted(true) }
        try await call.progress("frames sent while muted", sent, of: caller, by: 5)
        let before = captured(caller.configuration)
        try await call.progress("frames sent while muted", sent, of: caller)
        try require(
            captured(caller.configuration) > before,
            "the microphone stopped while muted and translating; mute behind the microphone")
        return .passed
    }
}
