// SPDX-License-Identifier: MIT

import Foundation

// R70, S1, S2, V9, R53: audio that runs.
extension PhoneCore {
    /// The one sound device of an app that tells no more: with microphone, when its category has one.
    mutating func setAudioRunning(_ running: Bool, of process: UUID) -> AppReply {
        let usesInput = processes[process]?.audio.hasInput == true
        return setRunning(running, io: process, usesInput: usesInput, of: process)
    }

    /// Audio may run between didActivate and didDeactivate, or in a session of the app's without a call (R70).
    mutating func setRunning(_ running: Bool, io: UUID, usesInput: Bool, of process: UUID) -> AppReply {
        guard let record = processes[process] else { return .processTerminated }
        guard running else {
            processes[process]?.audio.running[io] = nil
            if record.audio.isRunning { checkTranslatedSound(of: process) }
            if processes[process]?.audio.isRunning != true { audio.stopLimits[process] = nil }
            if record.audio.running[io] != nil { log(.app, "stopped audio", rule: "S2", app: record.bundle) }
            return .done
        }
        guard audio.active?.process == process || (record.audio.isActiveByApp && !hostsCall(record)) else {
            violate(
                "R70", "audio was started outside of didActivate and didDeactivate",
                advice: "Start audio in provider(_:didActivate:), stop it in provider(_:didDeactivate:).",
                app: record.bundle)
            return AudioNames.failure(AudioNames.cannotStart)
        }
        guard mayRunAudio(process) else {
            refuseBackgroundAudio(of: process)
            return AudioNames.failure(AudioNames.cannotStart)
        }
        if usesInput, !useMicrophone(record) { return .processTerminated }
        if record.audio.wasReset, audio.active?.process == process {
            violate(
                "R53", "audio was started after the media services' reset without setting the category again",
                advice: "In mediaServicesWereReset make new audio objects and set category and mode again.",
                app: record.bundle)
        }
        processes[process]?.audio.running[io] = usesInput
        log(.app, "started audio", rule: "S1", app: record.bundle)
        return .done
    }

    mutating func checkAudioStopped(_ process: UUID) {
        audio.stopLimits[process] = nil
        guard let record = processes[process], record.audio.isRunning else { return }
        processes[process]?.audio.running = [:]
        violate(
            "S2", "audio still ran \(settings.audioStopLimit) after didDeactivate; the phone stopped it",
            advice: "Stop audio in provider(_:didDeactivate:) and in providerDidReset.", app: record.bundle)
    }

    func isSessionActive(_ process: ProcessRecord) -> Bool {
        process.audio.isActiveByApp || audio.active?.process == process.id
    }

    /// The session as its app sees it.
    func audioSession(of process: UUID) -> AudioSessionValue {
        var value = AudioSessionValue()
        value.system = system
        guard let record = processes[process] else { return value }
        let own = record.audio
        value.category = own.category
        value.mode = own.mode
        value.options = own.effectiveOptions
        value.policy = own.policy
        value.isActive = isSessionActive(record)
        value.route = route(of: record)
        value.availableInputs = availableInputs(of: own)
        value.sampleRate = sampleRate(of: record, route: value.route)
        value.bufferDuration = bufferDuration(of: record)
        value.preferences = own.preferences
        value.permission = apps[record.bundle]?.microphone ?? .undetermined
        value.isInputMuted = own.isInputMuted
        value.microphone = microphone(of: record)
        value.isRunning = own.isRunning
        let others = processes.values.filter { $0.id != process && $0.audio.isRunning }
        value.isOtherAudioPlaying = !others.isEmpty
        value.shouldSilenceSecondaryAudio = others.contains {
            audio.active?.process == $0.id || ($0.audio.isActiveByApp && !$0.audio.isMixable)
        }
        return value
    }

    /// V9, V11: what comes out of the microphone.
    private func microphone(of process: ProcessRecord) -> MicrophoneState {
        guard process.audio.hasInput, isSessionActive(process) else { return .off }
        guard apps[process.bundle]?.microphone == .granted else { return .silentWithoutPermission }
        if audio.active?.process != process.id, hostsCall(process) { return .silentInOwnSession }
        return process.audio.isInputMuted ? .silentMuted : .sound
    }
}
