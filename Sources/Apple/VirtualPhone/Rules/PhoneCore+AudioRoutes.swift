// SPDX-License-Identifier: MIT

import Foundation

// V3, V6, V8, P34, P35: where sound comes from and goes to.
extension PhoneCore {
    /// The route of an app's session: override, then the user's choice, the wished input, the newest device, the mode.
    func route(of process: ProcessRecord) -> AudioRouteValue {
        let own = process.audio
        let isCall = own.category == AudioNames.playAndRecord
        let onSpeaker = AudioRouteValue(inputs: [AudioNames.microphone], outputs: [AudioNames.speaker])
        if isCall, own.portOverride == AudioNames.speakerOverride { return onSpeaker }
        var device = defaultDevice(for: own)
        if hostsCall(process), let choice = sound.choice {
            switch choice {
            case .receiver: device = nil
            case .speaker:
                if isCall { return onSpeaker }
                device = nil
            case .device(let chosen): if canUse(chosen, own) { device = chosen }
            }
        }
        var input = AudioNames.microphone
        if let wish = own.preferences.input, own.hasInput {
            if wish == AudioNames.microphone.uid {
                // A hands-free device takes both ways or none.
                if device?.kind == .bluetoothHFP { device = nil }
            } else if let wished = sound.devices.first(where: { self.input(of: $0, own)?.uid == wish }) {
                device = wished
            }
            input = device.flatMap { self.input(of: $0, own) }.flatMap { $0.uid == wish ? $0 : nil } ?? input
        } else if let port = device.flatMap({ self.input(of: $0, own) }) {
            input = port
        }
        let builtIn = isCall && !own.has(AudioNames.defaultToSpeaker) ? AudioNames.receiver : AudioNames.speaker
        let output = device.map { self.output(of: $0, own) } ?? builtIn
        return AudioRouteValue(
            inputs: own.hasInput ? [input] : [], outputs: own.category == AudioNames.record ? [] : [output])
    }

    /// The newest device that the session can use; hands-free goes before music (V4).
    private func defaultDevice(for own: AppAudio) -> AudioDevice? {
        let usable = sound.devices.filter { canUse($0, own) }
        let handsFree = usable.contains { $0.kind == .bluetoothHFP }
        return usable.last { !handsFree || $0.kind != .bluetoothA2DP }
    }

    /// V4: whether a session may use a device.
    func canUse(_ device: AudioDevice, _ own: AppAudio) -> Bool {
        guard sound.devices.contains(device) else { return false }
        switch device.kind {
        case .wiredHeadphones: return own.category != AudioNames.record
        case .wiredHeadset, .carAudio: return true
        case .bluetoothHFP:
            guard [AudioNames.playAndRecord, AudioNames.record].contains(own.category) else { return false }
            return own.has(AudioNames.allowHFP) || (own.has(AudioNames.highQualityRecording) && isHighQuality(device))
        case .bluetoothA2DP:
            switch own.category {
            case AudioNames.record: return false
            case AudioNames.playAndRecord: return own.has(AudioNames.allowA2DP)
            default: return true
            }
        }
    }

    private func isHighQuality(_ device: AudioDevice) -> Bool {
        device.recordsInHighQuality && system >= SystemVersion(26)
    }

    private func output(of device: AudioDevice, _ own: AppAudio) -> AudioPortValue {
        switch device.kind {
        case .wiredHeadphones, .wiredHeadset:
            return AudioPortValue(type: "Headphones", name: device.name, uid: device.uid)
        case .bluetoothHFP: return handsFree(device, own)
        case .bluetoothA2DP: return AudioPortValue(type: "BluetoothA2DPOutput", name: device.name, uid: device.uid)
        case .carAudio: return AudioPortValue(type: "CarAudio", name: device.name, uid: device.uid)
        }
    }

    /// The microphone of a device; nil when it has none, or may not be used.
    private func input(of device: AudioDevice, _ own: AppAudio) -> AudioPortValue? {
        guard own.hasInput, canUse(device, own) else { return nil }
        switch device.kind {
        case .wiredHeadphones, .bluetoothA2DP: return nil
        case .wiredHeadset:
            return AudioPortValue(type: "MicrophoneWired", name: "Headset Microphone", uid: device.uid + "-mic")
        case .bluetoothHFP: return handsFree(device, own)
        case .carAudio: return AudioPortValue(type: "CarAudio", name: device.name, uid: device.uid)
        }
    }

    private func handsFree(_ device: AudioDevice, _ own: AppAudio) -> AudioPortValue {
        var port = AudioPortValue(type: "BluetoothHFP", name: device.name, uid: device.uid)
        let canFarField = device.hearsFarField && system >= SystemVersion(26, 2)
        port.bluetooth = AudioPortValue.BluetoothMicrophone(
            canRecordInHighQuality: isHighQuality(device),
            recordsInHighQuality: isHighQuality(device) && own.has(AudioNames.highQualityRecording),
            canHearFarField: canFarField, hearsFarField: canFarField && own.has(AudioNames.farFieldInput))
        return port
    }

    /// V6: the inputs that a category can use.
    func availableInputs(of own: AppAudio) -> [AudioPortValue] {
        guard own.hasInput else { return [] }
        return [AudioNames.microphone] + sound.devices.compactMap { input(of: $0, own) }
    }

    /// R51, P35: what the sound button offers; with a mode that means the speaker the earpiece is not to be had.
    var audioRouteChoices: [AudioRouteChoice] {
        guard let call = activeCall, let process = process(of: call.bundle),
            process.audio.category == AudioNames.playAndRecord
        else { return [] }
        let devices = sound.devices.filter { canUse($0, process.audio) }
        let isWired = devices.contains { $0.kind == .wiredHeadset || $0.kind == .wiredHeadphones }
        let hasReceiver = !isWired && !process.audio.has(AudioNames.defaultToSpeaker)
        return (hasReceiver ? [.receiver] : []) + [.speaker] + devices.map(AudioRouteChoice.device)
    }

    // MARK: - Telling

    mutating func rememberRoute(of process: UUID) {
        guard let record = processes[process] else { return }
        let (route, inputs) = (route(of: record), availableInputs(of: record.audio))
        processes[process]?.audio.knownRoute = route
        processes[process]?.audio.knownInputs = inputs
    }

    /// V8: tells every session whose route became another one.
    mutating func announceRoutes(_ reason: RouteReason) {
        for process in sortedProcesses where process.audio.session != nil {
            let (route, inputs) = (route(of: process), availableInputs(of: process.audio))
            let (known, knownInputs) = (process.audio.knownRoute, process.audio.knownInputs)
            rememberRoute(of: process.id)
            if let known, known != route {
                // What a category brings with it needs no line of its own.
                if reason != .category { log(.phone, "the audio route changed", rule: "V8", app: process.bundle) }
                tell(.routeChanged(reason: reason.rawValue, previous: known), process.id)
            }
            if knownInputs != inputs, system >= SystemVersion(26) { tell(.availableInputsChanged, process.id) }
        }
    }
}
