// SPDX-License-Identifier: MIT

import Foundation

// V7, V8, R51, P34: devices come and go, the user chooses.
extension PhoneCore {
    mutating func handle(_ input: AudioInput) {
        switch input {
        case .interruptionBegan(let interrupter): beginInterruption(by: interrupter)
        case .interruptionEnded(let shouldResume): endInterruption(shouldResume: shouldResume)
        case .connected(let device): connect(device)
        case .disconnected(let device): disconnect(device)
        case .routeChosen(let choice): choose(choice)
        case .answered(let call, let device): answer(call, on: device)
        case .microphonePromptAnswered(let allowed): answerMicrophonePrompt(allowed)
        case .microphoneSwitched(let bundle, let allowed): switchMicrophone(allowed, of: bundle)
        }
    }

    private mutating func connect(_ device: AudioDevice) {
        sound.devices.removeAll { $0.uid == device.uid }
        sound.devices.append(device)
        log(.user, "connected an audio device", rule: "V8")
        for process in sortedProcesses where canUse(device, process.audio) {
            // V3: the route changes, so the override is over; the newest device takes the call.
            processes[process.id]?.audio.portOverride = 0
            if hostsCall(process) { sound.choice = nil }
        }
        announceRoutes(.newDevice)
    }

    private mutating func disconnect(_ device: AudioDevice) {
        guard let gone = sound.devices.first(where: { $0.uid == device.uid }) else {
            outcome.userError = .notOffered("disconnecting a device that is not connected")
            return
        }
        let users = sortedProcesses.filter { process in
            let route = route(of: process)
            return (route.outputs + route.inputs).contains { $0.uid.hasPrefix(gone.uid) }
        }
        sound.devices.removeAll { $0.uid == gone.uid }
        if sound.choice == .device(gone) { sound.choice = nil }
        log(.user, "disconnected an audio device", rule: "V8")
        for process in sortedProcesses where process.audio.preferences.input?.hasPrefix(gone.uid) == true {
            processes[process.id]?.audio.preferences.input = nil
        }
        announceRoutes(.oldDevice)
        // From iOS 17 on playing stops instead of going on aloud, unless the app does not want that.
        guard system >= SystemVersion(17) else { return }
        for process in users
        where process.audio.isActiveByApp && process.audio.category == AudioNames.playback
            && process.audio.preferences.interruptionOnRouteDisconnect
        {
            interrupt(process.id, by: .disconnected, reason: .routeDisconnected)
        }
    }

    private mutating func choose(_ choice: AudioRouteChoice) {
        guard audioRouteChoices.contains(choice) else {
            outcome.userError = .notOffered("this audio route")
            return
        }
        sound.choice = choice
        for process in sortedProcesses where hostsCall(process) {
            processes[process.id]?.audio.portOverride = 0
        }
        log(.user, "chose an audio route", rule: "R51")
        announceRoutes(.override)
    }

    /// P34: the call goes to the device whose button was pressed.
    private mutating func answer(_ call: UUID?, on device: AudioDevice) {
        guard let device = sound.devices.first(where: { $0.uid == device.uid }) else {
            outcome.userError = .notOffered("answering on a device that is not connected")
            return
        }
        sound.answering = device
        do throws(PhoneUserError) {
            try perform(.choose(.answer, call: call))
        } catch {
            outcome.userError = error
        }
        sound.answering = nil
    }

    /// P34: an answer on the phone's own screen keeps the call off a Bluetooth headset; a wire goes before that.
    mutating func followAnswer() {
        if let device = sound.answering {
            sound.choice = .device(device)
        } else if settings.callFollowsAnsweringDevice, sound.devices.last?.kind == .bluetoothHFP {
            sound.choice = .receiver
        } else {
            sound.choice = nil
        }
        announceRoutes(.override)
    }

    /// What follows from anything: calls interrupt others, and the user's choice ends with the calls.
    mutating func reconcileSound() {
        reconcileCallInterruptions()
        guard sound.choice != nil else { return }
        if calls.isEmpty { sound.choice = nil }
        announceRoutes(.override)
    }

    /// The process is gone, and what it asked for with it.
    mutating func forgetSound(of process: UUID) {
        sound.permissionRequests.removeAll { $0.process == process }
        for other in sortedProcesses {
            if case .app(let bundle) = other.audio.interruption, apps[bundle]?.process == nil {
                processes[other.id]?.audio.interruption = nil
            }
        }
    }
}
