// SPDX-License-Identifier: MIT

import Foundation

// V9, R77: whether an app may use the microphone.
extension PhoneCore {
    /// requestRecordPermission: at once when it is decided; else the user is asked.
    mutating func requestPermission(_ request: UUID, of process: UUID) -> AppReply {
        guard let record = processes[process], hasUsageText(record) else { return .processTerminated }
        switch apps[record.bundle]?.microphone {
        case .granted, nil: answer(request, true, of: process)
        case .denied: answer(request, false, of: process)
        case .undetermined:
            if !ask(SoundState.PermissionRequest(process: process, bundle: record.bundle, request: request)) {
                answer(request, false, of: process)
            }
        }
        return .done
    }

    /// V9: the microphone is used.
    ///
    /// - Returns: false when that ends the app.
    mutating func useMicrophone(_ record: ProcessRecord) -> Bool {
        guard hasUsageText(record) else { return false }
        switch apps[record.bundle]?.microphone {
        case .granted, nil: break
        case .denied: log(.phone, "the microphone gives silence: the user refused it", rule: "V9", app: record.bundle)
        case .undetermined:
            log(.phone, "the microphone gives silence: the user was not asked", rule: "V9", app: record.bundle)
            _ = ask(SoundState.PermissionRequest(process: record.id, bundle: record.bundle, request: nil))
        }
        return true
    }

    /// V9: an app without the text is ended.
    private mutating func hasUsageText(_ record: ProcessRecord) -> Bool {
        if apps[record.bundle]?.app.microphoneUsageDescription != nil { return true }
        die(
            record.bundle, rule: "V9", code: "TCC privacy violation",
            message: "The microphone was used and the Info.plist has no NSMicrophoneUsageDescription. Add the text.")
        return false
    }

    /// Puts the question on the screen.
    ///
    /// - Returns: false when it cannot be asked now: over the lock screen there are no questions (R77).
    private mutating func ask(_ request: SoundState.PermissionRequest) -> Bool {
        if let answer = settings.microphonePromptAnswer, !isLocked {
            sound.permissionRequests.append(request)
            decide(answer, of: request.bundle)
            return true
        }
        guard !isLocked else {
            violate(
                "R77", "the app needs the microphone on the lock screen, where the user cannot be asked",
                advice: "Ask with requestRecordPermission while the app is on the screen, before the first call.",
                app: request.bundle)
            return false
        }
        let isNew = !sound.permissionRequests.contains { $0.bundle == request.bundle }
        sound.permissionRequests.append(request)
        if isNew { log(.phone, "asks the user for the microphone", rule: "V9", app: request.bundle) }
        return true
    }

    /// The user taps an answer.
    mutating func answerMicrophonePrompt(_ allowed: Bool) {
        guard let bundle = microphonePrompt?.app else {
            outcome.userError = .notOffered("an answer to a question for the microphone")
            return
        }
        decide(allowed, of: bundle)
    }

    private mutating func decide(_ allowed: Bool, of bundle: String) {
        apps[bundle]?.microphone = allowed ? .granted : .denied
        log(.user, allowed ? "allowed the microphone" : "refused the microphone", rule: "V9", app: bundle)
        let answered = sound.permissionRequests.filter { $0.bundle == bundle }
        sound.permissionRequests.removeAll { $0.bundle == bundle }
        for request in answered {
            if let id = request.request { answer(id, allowed, of: request.process) }
        }
    }

    private mutating func answer(_ request: UUID, _ allowed: Bool, of process: UUID) {
        deliver(.audioSession(endpoint: request, .recordPermissionAnswered(allowed)), to: process)
    }

    /// The user switches the microphone in Settings; the system ends the app for that.
    mutating func switchMicrophone(_ allowed: Bool, of bundle: String) {
        guard apps[bundle] != nil else {
            outcome.userError = .appNotInstalled(bundle)
            return
        }
        log(.user, "switched the microphone in Settings", rule: "V9", app: bundle)
        apps[bundle]?.microphone = allowed ? .granted : .denied
        die(bundle, rule: nil, code: "privacy setting changed", message: "A privacy switch in Settings ends the app.")
    }

    /// The question on the screen; a locked phone does not show it.
    var microphonePrompt: MicrophonePrompt? {
        guard !isLocked, let request = sound.permissionRequests.first, let app = apps[request.bundle]?.app else {
            return nil
        }
        return MicrophonePrompt(
            app: request.bundle, appName: app.displayName, usage: app.microphoneUsageDescription ?? "")
    }
}
