// SPDX-License-Identifier: MIT

import Foundation

// S1-S4, R70: the call session belongs to the phone.
extension PhoneCore {
    /// Gives the call session to the call that wants it: one that the app has accepted and that is not held (S2).
    mutating func updateAudio() {
        let wanted = calls.filter(\.wantsAudio).compactMap { call in
            provider(for: call).flatMap { $0.provider.hasDelegate ? $0 : nil }
                .map { CallAudio.Owner(process: $0.process, provider: $0.provider.id) }
        }
        if let active = audio.active, !wanted.contains(active) { deactivateAudio(active) }
        guard audio.active == nil, let next = wanted.first else {
            cancelActivation()
            if wanted.isEmpty { audio.blocked = nil }
            return
        }
        if let pending = audio.pending, wanted.contains(pending) { return }
        if let blocked = audio.blocked, wanted.contains(blocked) { return }
        audio.pending = next
        audio.activationDate = date(after: settings.audioActivationDelay)
    }

    mutating func cancelActivation() {
        audio.pending = nil
        audio.activationDate = nil
    }

    private mutating func deactivateAudio(_ owner: CallAudio.Owner) {
        audio.active = nil
        let bundle = processes[owner.process]?.bundle
        log(.phone, "deactivated the audio session", rule: "S2", app: bundle)
        deliver(.audioSessionDeactivated(provider: owner.provider), to: owner.process)
        limitRunningAudio(of: owner.process)
    }

    /// The window closed: audio that runs has to stop soon.
    mutating func limitRunningAudio(of process: UUID) {
        guard processes[process]?.audio.isRunning == true else { return }
        audio.stopLimits[process] = date(after: settings.audioStopLimit)
    }

    /// The moment of didActivate.
    mutating func activateAudio() {
        let owner = audio.pending
        cancelActivation()
        guard let owner, let process = processes[owner.process] else { return }
        let isFresh = process.providers.first { $0.id == owner.provider }?.isFreshlyConfigured == true
        if let index = providerIndex(owner.provider, of: owner.process) {
            processes[owner.process]?.providers[index].isFreshlyConfigured = false
        }
        if settings.dropsAudioActivation, !isFresh {
            audio.blocked = owner
            log(.phone, "fault: didActivate does not come", rule: "S3", app: process.bundle)
            return
        }
        if settings.appSessionBlocksActivation, process.audio.isActiveByApp {
            audio.blocked = owner
            violate(
                "S1", "the app had activated its audio session itself, so the phone cannot: no didActivate comes",
                advice: "Do not call setActive for a call; set the category and wait for didActivate.",
                app: process.bundle)
            return
        }
        audio.active = owner
        audio.stopLimits[owner.process] = nil
        log(.phone, "activated the audio session", rule: "S1", app: process.bundle)
        deliver(.audioSessionActivated(provider: owner.provider), to: owner.process)
    }

    mutating func setCategory(_ category: String, mode: String, options: UInt, of process: UUID) {
        guard let bundle = processes[process]?.bundle else { return }
        // V2: nothing of the old category stays.
        processes[process]?.audio.category = category
        processes[process]?.audio.mode = mode
        processes[process]?.audio.options = options
        processes[process]?.audio.portOverride = 0
        log(.app, "set the audio category", rule: "S1", app: bundle)
    }

    /// setActive by the app itself: refused while the phone hosts a call (S1, S4).
    mutating func setActive(_ active: Bool, of process: UUID) -> AppReply {
        guard let record = processes[process] else { return .processTerminated }
        let hostsCall = calls.contains { $0.bundle == record.bundle }
        guard active else {
            processes[process]?.audio.isActiveByApp = false
            log(.app, "deactivated its audio session", rule: "S1", app: record.bundle)
            if audio.active?.process == process {
                violate(
                    "S1", "the app called setActive(false) during a call; the call session stays active",
                    advice: "Leave the session to the phone; stop audio in didDeactivate.", app: record.bundle)
            }
            return .done
        }
        let records = [AudioNames.playAndRecord, AudioNames.record].contains(record.audio.category)
        if hostsCall {
            violate(
                "S1", "the app called setActive(true) during a call",
                advice: "Only the phone activates the call session; wait for didActivate.", app: record.bundle)
            return .failure(PhoneError(domain: AudioNames.errorDomain, code: AudioNames.insufficientPriority))
        }
        if !calls.isEmpty, records {
            log(.phone, "refused an audio session: a call has priority", rule: "S4", app: record.bundle)
            return .failure(PhoneError(domain: AudioNames.errorDomain, code: AudioNames.insufficientPriority))
        }
        processes[process]?.audio.isActiveByApp = true
        log(.app, "activated its audio session", rule: "S1", app: record.bundle)
        return .done
    }

    /// Audio may run between didActivate and didDeactivate, or in a session of the app's without a call (R70).
    mutating func setAudioRunning(_ running: Bool, of process: UUID) -> AppReply {
        guard let record = processes[process] else { return .processTerminated }
        guard running else {
            audio.stopLimits[process] = nil
            if record.audio.isRunning { log(.app, "stopped audio", rule: "S2", app: record.bundle) }
            processes[process]?.audio.isRunning = false
            return .done
        }
        let hostsCall = calls.contains { $0.bundle == record.bundle }
        guard audio.active?.process == process || (record.audio.isActiveByApp && !hostsCall) else {
            violate(
                "R70", "audio was started outside of didActivate and didDeactivate",
                advice: "Start audio in provider(_:didActivate:), stop it in provider(_:didDeactivate:).",
                app: record.bundle)
            return .failure(PhoneError(domain: AudioNames.errorDomain, code: AudioNames.cannotStart))
        }
        processes[process]?.audio.isRunning = true
        log(.app, "started audio", rule: "S1", app: record.bundle)
        return .done
    }

    mutating func checkAudioStopped(_ process: UUID) {
        audio.stopLimits[process] = nil
        guard let record = processes[process], record.audio.isRunning else { return }
        processes[process]?.audio.isRunning = false
        violate(
            "S2", "audio still ran \(settings.audioStopLimit) after didDeactivate; the phone stopped it",
            advice: "Stop audio in provider(_:didDeactivate:) and in providerDidReset.", app: record.bundle)
    }

    /// V3: only playAndRecord can be sent to the speaker by override.
    mutating func overridePort(_ port: UInt, of process: UUID) -> AppReply {
        guard let record = processes[process] else { return .processTerminated }
        if port == AudioNames.speakerOverride, record.audio.category != AudioNames.playAndRecord {
            return .failure(PhoneError(domain: AudioNames.errorDomain, code: -50))
        }
        processes[process]?.audio.portOverride = port
        return .done
    }

    func audioSession(of process: UUID) -> AudioSessionValue {
        let own = processes[process]?.audio ?? AppAudio()
        let isCall = own.category == AudioNames.playAndRecord
        let usesSpeaker =
            !isCall || own.portOverride == AudioNames.speakerOverride || own.mode == AudioNames.videoChat
            || own.options & AudioNames.defaultToSpeaker != 0
        return AudioSessionValue(
            category: own.category, mode: own.mode, options: own.options,
            isActive: own.isActiveByApp || audio.active?.process == process,
            outputPort: usesSpeaker ? "Speaker" : "Receiver",
            inputPort: isCall || own.category == AudioNames.record ? "MicrophoneBuiltIn" : nil)
    }
}
