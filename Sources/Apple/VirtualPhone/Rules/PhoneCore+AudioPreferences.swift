// SPDX-License-Identifier: MIT

import Foundation

// V6, V11: wishes, what becomes of them, and the app's own mute switch.
extension PhoneCore {
    mutating func prefer(_ preference: AudioPreference, of process: UUID) -> AppReply {
        guard let record = processes[process] else { return .processTerminated }
        var wishes = record.audio.preferences
        guard wishes.take(preference, inputs: availableInputs(of: record.audio)) else {
            log(.phone, "refused an audio preference", rule: "V6", app: record.bundle)
            return AudioNames.failure(AudioNames.badParam)
        }
        processes[process]?.audio.preferences = wishes
        if wishes.input != record.audio.preferences.input { announceRoutes(.override) }
        if wishes.outputMuted != record.audio.preferences.outputMuted {
            tell(.outputMuteChanged(wishes.outputMuted), process)
        }
        return .done
    }

    /// V11: all input of the app is silent.
    mutating func setInputMuted(_ muted: Bool, of process: UUID) {
        guard let record = processes[process], record.audio.isInputMuted != muted else { return }
        processes[process]?.audio.isInputMuted = muted
        log(.app, muted ? "muted its input" : "unmuted its input", rule: "V11", app: record.bundle)
        tell(.inputMuteChanged(muted), process)
    }

    /// V6: the hardware's rate; a hands-free device has its own, the built-in ports follow a wish while active.
    func sampleRate(of process: ProcessRecord, route: AudioRouteValue) -> Double {
        if let port = route.inputs.first?.bluetooth { return port.recordsInHighQuality ? 48_000 : 16_000 }
        let wish = process.audio.preferences.sampleRate
        return wish > 0 && isSessionActive(process) ? min(max(wish, 8_000), 48_000) : 48_000
    }

    /// V6: 1,024 frames of 48 kHz; while active a wish within 5 to 93 ms.
    func bufferDuration(of process: ProcessRecord) -> Double {
        let wish = process.audio.preferences.bufferDuration
        return wish > 0 && isSessionActive(process) ? min(max(wish, 0.005), 0.093) : 1_024 / 48_000
    }
}

extension AudioPreferencesValue {
    /// Takes a wish.
    ///
    /// - Returns: false when it cannot be one: negative, no number, more channels than there are, no such input.
    mutating func take(_ preference: AudioPreference, inputs: [AudioPortValue]) -> Bool {
        switch preference {
        case .sampleRate(let rate):
            guard rate >= 0, rate.isFinite else { return false }
            sampleRate = rate
        case .bufferDuration(let duration):
            guard duration >= 0, duration.isFinite else { return false }
            bufferDuration = duration
        case .inputChannels(let count):
            guard (0...1).contains(count) else { return false }
            inputChannels = count
        case .outputChannels(let count):
            guard (0...2).contains(count) else { return false }
            outputChannels = count
        case .input(let uid):
            guard uid == nil || inputs.contains(where: { $0.uid == uid }) else { return false }
            input = uid
        case .inputOrientation(let orientation): inputOrientation = orientation
        case .noInterruptionsFromSystemAlerts(let isWished): noInterruptionsFromSystemAlerts = isWished
        case .interruptionOnRouteDisconnect(let isWished): interruptionOnRouteDisconnect = isWished
        case .hapticsDuringRecording(let isWished): hapticsDuringRecording = isWished
        case .ioType(let type): ioType = type
        case .multichannelContent(let isWished): multichannelContent = isWished
        case .echoCancelledInput(let isWished): echoCancelledInput = isWished
        case .outputMuted(let isMuted): outputMuted = isMuted
        case .microphoneInjection(let mode): microphoneInjection = mode
        }
        return true
    }
}
