// SPDX-License-Identifier: MIT

import Foundation

// S1-S3, DTS4: the call session belongs to the phone.
extension PhoneCore {
    /// Gives the call session to the call that wants it: one that the app has accepted and that is not held (S2).
    mutating func updateAudio() {
        let wanted = calls.filter(wantsAudio).compactMap { call in
            provider(for: call).flatMap { $0.provider.hasDelegate && !isSilenced($0.process) ? $0 : nil }
                .map { CallAudio.Owner(process: $0.process, provider: $0.provider.id) }
        }
        if let active = audio.active { keepActive(active, calls: wanted.count { $0 == active }) }
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

    /// S2: the session stays as long as one call uses it; by one report the end of one of two silences both.
    private mutating func keepActive(_ owner: CallAudio.Owner, calls count: Int) {
        let wasLess = count < audio.activeCalls
        audio.activeCalls = count
        if count == 0 {
            deactivateAudio(owner)
        } else if wasLess, settings.endOfOneCallSilencesOther {
            deactivateAudio(owner)
            audio.blocked = owner
        }
    }

    /// S2: whether something of a higher priority has the sound.
    private func isSilenced(_ process: UUID) -> Bool {
        switch sound.external {
        case nil, .alarm, .siri: return false
        case .higherPriority: return true
        case .microphoneMute: return processes[process].map { isMutedByHardware($0.audio) } ?? false
        }
    }

    mutating func cancelActivation() {
        audio.pending = nil
        audio.activationDate = nil
    }

    private mutating func deactivateAudio(_ owner: CallAudio.Owner) {
        audio.active = nil
        audio.activeCalls = 0
        let bundle = processes[owner.process]?.bundle
        log(.phone, "deactivated the audio session", rule: "S2", app: bundle)
        deliver(.audioSessionDeactivated(provider: owner.provider), to: owner.process)
        let isInterrupted = processes[owner.process]?.audio.interruption != nil
        if !isInterrupted { tellActivity(false, bySystem: true, of: owner.process) }
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
        if faults.dropsAudioActivation, !isFresh {
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
        audio.activeCalls = calls.count { call in
            wantsAudio(call) && provider(for: call).map { $0.provider.id == owner.provider } == true
        }
        audio.stopLimits[owner.process] = nil
        log(.phone, "activated the audio session", rule: "S1", app: process.bundle)
        deliver(.audioSessionActivated(provider: owner.provider), to: owner.process)
        tellActivity(true, bySystem: true, of: owner.process)
    }

    /// Whether a process's app hosts a call, which makes its session the phone's.
    func hostsCall(_ process: ProcessRecord) -> Bool {
        calls.contains { $0.bundle == process.bundle }
    }

    /// V7: from iOS 27 on a session hears that it became active or inactive.
    mutating func tellActivity(
        _ isActive: Bool, bySystem: Bool, reason: InterruptionReason? = nil, of process: UUID
    ) {
        guard system >= SystemVersion(27) else { return }
        tellOnMain(isActive ? .becameActive : .becameInactive(bySystem: bySystem, reason: reason?.rawValue), process)
    }

    /// Tells the session of a process, if the app uses it; on the main queue.
    mutating func tellOnMain(_ event: AudioSessionEvent, _ process: UUID) {
        guard let endpoint = processes[process]?.audio.main else { return }
        deliver(.audioSession(endpoint: endpoint, event), to: process)
    }

    /// Tells the session of a process, if the app uses it; on a queue of the session's.
    mutating func tell(_ event: AudioSessionEvent, _ process: UUID) {
        guard let endpoint = processes[process]?.audio.session else { return }
        deliver(.audioSession(endpoint: endpoint, event), to: process)
    }
}
