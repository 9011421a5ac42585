// SPDX-License-Identifier: MIT

import Foundation

// V7, V10, S2, S4, R53: who takes the sound from whom.
extension PhoneCore {
    // MARK: - One session

    /// V7: the session is inactive, its audio stops, and the app hears of it.
    mutating func interrupt(
        _ process: UUID, by cause: SoundState.Interruption, reason: InterruptionReason = .default
    ) {
        guard let record = processes[process], record.audio.interruption == nil else { return }
        processes[process]?.audio.interruption = cause
        processes[process]?.audio.isActiveByApp = false
        processes[process]?.audio.running = [:]
        audio.stopLimits[process] = nil
        log(.phone, "interrupted the app's audio session", rule: "V7", app: record.bundle)
        tellOnMain(.interruptionBegan(reason: reason.rawValue), process)
        tellActivity(false, bySystem: true, reason: reason, of: process)
    }

    private mutating func endInterruption(of process: UUID, shouldResume: Bool) {
        guard let record = processes[process], record.audio.interruption != nil else { return }
        processes[process]?.audio.interruption = nil
        log(.phone, "ended the interruption of the app's audio session", rule: "V7", app: record.bundle)
        tellOnMain(.interruptionEnded(shouldResume: shouldResume), process)
        if system >= SystemVersion(27) { tellOnMain(.resumptionRecommended(shouldResume), process) }
    }

    /// V7: a suspended app loses its session, and hears of it when it goes on; there is no end of it.
    mutating func suspendSound(of process: UUID) {
        guard processes[process]?.audio.isActiveByApp == true else { return }
        interrupt(process, by: .suspended, reason: system < SystemVersion(16) ? .appWasSuspended : .default)
        processes[process]?.audio.interruption = nil
    }

    // MARK: - Alarms and the like

    mutating func beginInterruption(by interrupter: AudioInterrupter) {
        guard sound.external == nil else {
            outcome.userError = .notOffered("a second interruption")
            return
        }
        sound.external = interrupter
        log(.phone, "an interruption began: \(interrupter.rawValue)", rule: "V7")
        for process in sortedProcesses {
            let isCall = audio.active?.process == process.id
            guard process.audio.isActiveByApp || isCall else { continue }
            switch interrupter {
            case .alarm, .siri: if !isCall { interrupt(process.id, by: .external(interrupter)) }
            case .higherPriority: interrupt(process.id, by: .external(interrupter))
            case .microphoneMute:
                guard isMutedByHardware(process.audio) else { continue }
                interrupt(process.id, by: .external(interrupter), reason: .microphoneMuted)
            }
        }
        updateAudio()
    }

    mutating func endInterruption(shouldResume: Bool) {
        guard let interrupter = sound.external else {
            outcome.userError = .notOffered("the end of an interruption that has not begun")
            return
        }
        sound.external = nil
        log(.phone, "the interruption ended", rule: "V7")
        for process in sortedProcesses where process.audio.interruption == .external(interrupter) {
            endInterruption(of: process.id, shouldResume: shouldResume)
        }
        updateAudio()
    }

    /// Whether the muted microphone concerns a session.
    func isMutedByHardware(_ own: AppAudio) -> Bool {
        own.hasInput && !own.has(AudioNames.overrideMutedMicrophone)
    }

    // MARK: - Other apps

    /// A session that does not mix silences others that do not.
    mutating func interruptOthers(for record: ProcessRecord) {
        guard !record.audio.isMixable else { return }
        for other in sortedProcesses
        where other.id != record.id && other.audio.isActiveByApp && !other.audio.isMixable {
            interrupt(other.id, by: .app(record.bundle))
        }
    }

    /// notifyOthersOnDeactivation: those whom the session had silenced may go on; else they hear nothing.
    mutating func releaseOthers(from bundle: String, notifies: Bool) {
        for other in sortedProcesses where other.audio.interruption == .app(bundle) {
            if notifies {
                endInterruption(of: other.id, shouldResume: true)
            } else {
                processes[other.id]?.audio.interruption = nil
            }
        }
    }

    // MARK: - Calls

    /// V10, S4: a call that rings or is accepted takes the sound from the other apps, and gives it back at its end.
    mutating func reconcileCallInterruptions() {
        let current = calls.map { call in
            (cause: cause(of: call), bundle: call.bundle)
        }
        let causes = Set(current.map(\.cause))
        guard causes != sound.interruptingCalls else { return }
        let old = sound.interruptingCalls
        sound.interruptingCalls = causes
        for (cause, bundle) in current where !old.contains(cause) {
            for process in sortedProcesses where process.bundle != bundle && process.audio.isActiveByApp {
                // V10: a banner leaves those alone who asked for it; the full screen does not.
                if case .ringing = cause, !isLocked, process.audio.preferences.noInterruptionsFromSystemAlerts {
                    continue
                }
                interrupt(process.id, by: cause)
            }
        }
        for process in sortedProcesses {
            guard let cause = process.audio.interruption, old.contains(cause), !causes.contains(cause) else { continue }
            if let next = current.first(where: { $0.bundle != process.bundle })?.cause {
                processes[process.id]?.audio.interruption = next
            } else {
                endInterruption(of: process.id, shouldResume: settings.resumesAfterCalls)
            }
        }
    }

    private func cause(of call: CallRecord) -> SoundState.Interruption {
        switch call.phase {
        case .ringing: return .ringing(call.uuid)
        case .answering, .dialing, .started, .connected: return .call(call.uuid)
        }
    }

    // MARK: - The media daemon

    /// R53: every audio object is dead, and every session has its defaults.
    mutating func resetMediaServices() {
        log(.phone, "the media services were reset", rule: "R53")
        for process in sortedProcesses {
            let old = process.audio
            var fresh = AppAudio()
            fresh.session = old.session
            fresh.main = old.main
            fresh.isInputMuted = old.isInputMuted
            fresh.knownRoute = old.knownRoute
            fresh.knownInputs = old.knownInputs
            fresh.wasReset = true
            processes[process.id]?.audio = fresh
            audio.stopLimits[process.id] = nil
            tellOnMain(.mediaServicesWereLost, process.id)
            tellOnMain(.mediaServicesWereReset, process.id)
        }
        sound.choice = nil
        announceRoutes(.unknown)
    }
}
