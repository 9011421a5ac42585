// SPDX-License-Identifier: MIT

import Foundation

// V1-V6, S1, S4: what an app asks of its own session.
extension PhoneCore {
    mutating func answer(_ request: AudioSessionRequest, from process: UUID) -> AppReply {
        switch request {
        case .attach(let session, let main):
            processes[process]?.audio.session = session
            processes[process]?.audio.main = main
            rememberRoute(of: process)
        case .setCategory(let category, let mode, let policy, let options):
            return setCategory(category, mode: mode, policy: policy, options: options, of: process)
        case .setMode(let mode): return setMode(mode, of: process)
        case .prefer(let preference): return prefer(preference, of: process)
        case .setInputMuted(let muted): setInputMuted(muted, of: process)
        case .requestRecordPermission(let request): return requestPermission(request, of: process)
        case .setRunning(let io, let running, let usesInput):
            return setRunning(running, io: io, usesInput: usesInput, of: process)
        }
        return .done
    }

    // MARK: - Category

    mutating func setCategory(
        _ category: String, mode: String, policy: UInt = 0, options: UInt, of process: UUID
    ) -> AppReply {
        guard let record = processes[process] else { return .processTerminated }
        var wanted = record.audio
        wanted.category = category
        wanted.mode = mode
        wanted.policy = policy
        // V5: getting others quieter, or their speech to pause, means to sound together with them.
        let mixes = options & (AudioNames.duckOthers | AudioNames.interruptSpokenAudio) != 0
        wanted.options = mixes ? options | AudioNames.mixWithOthers : options  // V2: nothing of the old ones stays.
        if let reply = refusal(of: wanted, in: record) { return reply }
        wanted.portOverride = 0
        wanted.wasReset = false
        processes[process]?.audio = wanted
        log(.app, "set the audio category", rule: "S1", app: record.bundle)
        announceRoutes(.category)
        return .done
    }

    /// V2: the mode changes, category and options stay.
    mutating func setMode(_ mode: String, of process: UUID) -> AppReply {
        guard let record = processes[process] else { return .processTerminated }
        var wanted = record.audio
        wanted.mode = mode
        if let reply = refusal(of: wanted, in: record) { return reply }
        processes[process]?.audio.mode = mode
        log(.app, "set the audio mode", rule: "V2", app: record.bundle)
        announceRoutes(.category)
        return .done
    }

    /// V2, V4, V5: why a category cannot be set; nil when it can.
    private mutating func refusal(of wanted: AppAudio, in process: ProcessRecord) -> AppReply? {
        if let why = fault(of: wanted) {
            log(.phone, "refused an audio category: \(why)", rule: rule(for: wanted), app: process.bundle)
            return AudioNames.failure(AudioNames.badParam)
        }
        // S4: an active session that would begin to record.
        if wanted.isActiveByApp, isRecording(wanted), isCallOfOthers(process) {
            log(.phone, "refused an audio category: a call has priority", rule: "S4", app: process.bundle)
            return AudioNames.failure(AudioNames.insufficientPriority)
        }
        return nil
    }

    private func rule(for wanted: AppAudio) -> String {
        let bluetooth = AudioNames.allowHFP | AudioNames.highQualityRecording | AudioNames.farFieldInput
        if wanted.options & bluetooth != 0 { return "V4" }
        return wanted.options & AudioNames.mixWithOthers != 0 ? "V5" : "V2"
    }

    /// What does not fit together; nil when everything does.
    private func fault(of wanted: AppAudio) -> String? {
        guard AudioNames.categories.contains(wanted.category) else { return "there is no such category" }
        guard AudioNames.modes.contains(wanted.mode) else { return "there is no such mode" }
        guard wanted.options & ~AudioNames.allOptions == 0, wanted.policy <= 3 else { return "there is no such option" }
        if wanted.has(AudioNames.highQualityRecording), system < SystemVersion(26) { return "the option is of iOS 26" }
        if wanted.has(AudioNames.farFieldInput), system < SystemVersion(26, 2) { return "the option is of iOS 26.2" }
        guard settings.refusesUnfittingAudioOptions else { return nil }
        let isCall = wanted.category == AudioNames.playAndRecord
        if [AudioNames.voiceChat, AudioNames.videoChat, AudioNames.gameChat].contains(wanted.mode), !isCall {
            return "the mode needs playAndRecord"
        }
        if wanted.mode == AudioNames.moviePlayback, wanted.category != AudioNames.playback {
            return "the mode needs playback"
        }
        if wanted.has(AudioNames.defaultToSpeaker), !isCall { return "defaultToSpeaker needs playAndRecord" }
        let mixing = [
            AudioNames.playAndRecord, AudioNames.playback, AudioNames.multiRoute, AudioNames.ambient,
        ]
        if wanted.has(AudioNames.mixWithOthers), !mixing.contains(wanted.category) {
            return "the category does not mix with others"
        }
        let records = isRecording(wanted)
        if wanted.has(AudioNames.allowHFP), !records { return "hands-free devices need a category that records" }
        if wanted.has(AudioNames.highQualityRecording), !records || wanted.mode != AudioNames.defaultMode {
            return "high quality needs a category that records, and the mode default"
        }
        if wanted.has(AudioNames.farFieldInput), !records || !wanted.has(AudioNames.allowHFP) {
            return "far field input needs a category that records, and hands-free devices"
        }
        if wanted.policy == 1 || wanted.policy == 3, wanted.category != AudioNames.playback {
            return "long-form routes need playback"
        }
        return nil
    }

    private func isRecording(_ audio: AppAudio) -> Bool {
        [AudioNames.playAndRecord, AudioNames.record].contains(audio.category)
    }

    private func isCallOfOthers(_ process: ProcessRecord) -> Bool {
        calls.contains { $0.bundle != process.bundle }
    }

    // MARK: - Activation

    /// setActive by the app itself: refused while the phone hosts a call (S1, S4).
    mutating func setActive(_ active: Bool, options: UInt = 0, of process: UUID) -> AppReply {
        guard let record = processes[process] else { return .processTerminated }
        guard active else { return deactivate(record, notifiesOthers: options & AudioNames.notifyOthers != 0) }
        if hostsCall(record) {
            violate(
                "S1", "the app called setActive(true) during a call",
                advice: "Only the phone activates the call session; wait for didActivate.", app: record.bundle)
            return AudioNames.failure(AudioNames.insufficientPriority)
        }
        if isCallOfOthers(record), isRecording(record.audio) {
            log(.phone, "refused an audio session: a call has priority", rule: "S4", app: record.bundle)
            return AudioNames.failure(AudioNames.insufficientPriority)
        }
        if let code = refusalByInterrupter(record) {
            log(.phone, "refused an audio session: another has the sound", rule: "V7", app: record.bundle)
            return AudioNames.failure(code)
        }
        let wasActive = record.audio.isActiveByApp
        processes[process]?.audio.isActiveByApp = true
        processes[process]?.audio.interruption = nil
        log(.app, "activated its audio session", rule: "S1", app: record.bundle)
        if !wasActive { tellActivity(true, bySystem: false, of: process) }
        interruptOthers(for: record)
        return .done
    }

    private func refusalByInterrupter(_ process: ProcessRecord) -> Int? {
        switch sound.external {
        case nil: return nil
        case .siri: return isRecording(process.audio) ? AudioNames.siriIsRecording : AudioNames.cannotInterruptOthers
        case .alarm, .higherPriority:
            return process.audio.isMixable ? nil : AudioNames.cannotInterruptOthers
        case .microphoneMute: return isMutedByHardware(process.audio) ? AudioNames.cannotInterruptOthers : nil
        }
    }

    /// V1: with running audio the session is inactive all the same, but before iOS 26 an error says so.
    private mutating func deactivate(_ record: ProcessRecord, notifiesOthers: Bool) -> AppReply {
        processes[record.id]?.audio.isActiveByApp = false
        log(.app, "deactivated its audio session", rule: "S1", app: record.bundle)
        if audio.active?.process == record.id {
            violate(
                "S1", "the app called setActive(false) during a call; the call session stays active",
                advice: "Leave the session to the phone; stop audio in didDeactivate.", app: record.bundle)
            return .done
        }
        if record.audio.isActiveByApp {
            tellActivity(false, bySystem: false, of: record.id)
            releaseOthers(from: record.bundle, notifies: notifiesOthers)
        }
        guard record.audio.isRunning, audio.stopLimits[record.id] == nil else { return .done }
        processes[record.id]?.audio.running = [:]
        log(.phone, "stopped the audio of a deactivated session", rule: "V1", app: record.bundle)
        return system < SystemVersion(26) ? AudioNames.failure(AudioNames.isBusy) : .done
    }

    /// V3: only playAndRecord can be sent to the speaker by override.
    mutating func overridePort(_ port: UInt, of process: UUID) -> AppReply {
        guard let record = processes[process] else { return .processTerminated }
        let isSpeaker = port == AudioNames.speakerOverride
        guard isSpeaker || port == 0, !isSpeaker || record.audio.category == AudioNames.playAndRecord else {
            log(.phone, "refused an override of the output", rule: "V3", app: record.bundle)
            return AudioNames.failure(AudioNames.badParam)
        }
        processes[process]?.audio.portOverride = port
        announceRoutes(.override)
        return .done
    }
}
