// SPDX-License-Identifier: MIT

import Foundation

extension PhoneCore {
    /// Installs an app; installing it again ends its process, kills its token, and forgives its failures (K9).
    mutating func install(_ app: InstalledApp) {
        let bundle = app.bundleIdentifier
        if apps[bundle] != nil {
            endCallsLeft(by: bundle)
            die(bundle, rule: nil, code: "reinstalled", message: "The app was installed again.")
            forgetApp(bundle)
        }
        apps[bundle] = AppRecord(app: app, microphone: settings.microphonePermissionAtFirst)
        installExtensions(app.callDirectoryExtensions, of: bundle)
        log(.user, "app installed", rule: "K9", app: bundle)
    }

    /// Removes an app with its calls and its token.
    mutating func uninstall(_ bundle: String) {
        guard apps[bundle] != nil else {
            outcome.userError = .appNotInstalled(bundle)
            return
        }
        endCallsLeft(by: bundle)
        die(bundle, rule: nil, code: "uninstalled", message: "The app was removed.")
        forgetApp(bundle)
        apps[bundle] = nil
        uninstallExtensions(of: bundle)
        log(.user, "app removed", rule: "K2", app: bundle)
    }

    /// The user taps an icon: the phone is unlocked first when it is locked.
    mutating func open(_ bundle: String) {
        guard apps[bundle] != nil else {
            outcome.userError = .appNotInstalled(bundle)
            log(.user, "looked for an app that is not installed", rule: "K7", app: bundle)
            return
        }
        if isLocked { unlock() }
        sendToBackground(except: bundle)
        log(.user, "opened the app", rule: "K7", app: bundle)
        if process(of: bundle)?.isClosing == true { dieClosed(bundle) }
        if let process = apps[bundle]?.process {
            let wasForeground = processes[process]?.isForeground == true
            wake(process)
            processes[process]?.isForeground = true
            log(.phone, "app came to the foreground", rule: "K7", app: bundle)
            if !wasForeground { tell(.willEnterForeground, to: process) }
            becomeActive(process)
        } else {
            launch(bundle, reason: .userOpened)
        }
    }

    mutating func goHome() {
        sendToBackground(except: nil)
    }

    /// The user swipes an app away.
    mutating func close(_ bundle: String) {
        guard apps[bundle]?.process != nil else {
            outcome.userError = apps[bundle] == nil ? .appNotInstalled(bundle) : .appNotRunning(bundle)
            return
        }
        log(.user, "closed the app", rule: "T5", app: bundle)
        guard let process = process(of: bundle), !process.isClosing else { return }
        guard let application = process.application, !process.isSuspended, !process.isLaunching else {
            return dieClosed(bundle)
        }
        // An app that runs is told, and ends when it has heard it; a suspended one just ends.
        if process.isForeground { sendToBackground(except: nil) }
        processes[process.id]?.isClosing = true
        let delivery = deliver(.application(endpoint: application, .willTerminate), to: process.id)
        followUps[delivery] = .closeApp(process.id)
    }

    mutating func endClosing(_ process: UUID) {
        guard let bundle = processes[process]?.bundle else { return }
        dieClosed(bundle)
    }

    private mutating func dieClosed(_ bundle: String) {
        die(bundle, rule: nil, code: "closed by the user", message: "The user closed the app in the app switcher.")
    }

    /// The process ends by itself.
    mutating func crash(_ bundle: String) {
        guard apps[bundle]?.process != nil else {
            outcome.userError = apps[bundle] == nil ? .appNotInstalled(bundle) : .appNotRunning(bundle)
            return
        }
        die(bundle, rule: nil, code: "crashed", message: "The app's process ended by itself.")
    }

    mutating func lock() {
        guard !isLocked else { return }
        log(.user, "locked the phone", rule: "R75")
        sendToBackground(except: nil)
        if device.hasPasscode { tellAll(.protectedDataWillBecomeUnavailable) }
        isLocked = true
    }

    mutating func unlock() {
        guard isLocked else { return }
        isLocked = false
        log(.user, "unlocked the phone", rule: "R75")
        if device.hasPasscode { tellAll(.protectedDataDidBecomeAvailable) }
        firstUnlock()
    }

    mutating func setDoNotDisturb(_ isOn: Bool, exceptions: Set<HandleValue>) {
        doNotDisturbExceptions = exceptions
        guard doNotDisturb != isOn else { return }
        doNotDisturb = isOn
        log(.user, isOn ? "switched Do Not Disturb on" : "switched Do Not Disturb off", rule: "I4")
    }

    /// Starts a process.
    mutating func launch(_ bundle: String, reason: LaunchReason) {
        guard apps[bundle] != nil, apps[bundle]?.process == nil else { return }
        let process = random.uuid()
        let isForeground = reason == .userOpened
        processes[process] = ProcessRecord(id: process, bundle: bundle, isForeground: isForeground)
        apps[bundle]?.process = process
        switch reason {
        case .userOpened: log(.phone, "launched the app in the foreground", rule: "K1", app: bundle)
        case .push: log(.phone, "launched the app in the background for a push", rule: "K1", app: bundle)
        case .callAction: log(.phone, "launched the app in the background for a call action", rule: "E4", app: bundle)
        }
        if let times = faults.crashesAtLaunch[bundle], times > 0 {
            faults.crashesAtLaunch[bundle] = times - 1
            die(bundle, rule: nil, code: "crashed", message: "The app's process ended by itself while it was launched.")
            return
        }
        outcome.effects.append(.launch(process: process, bundle: bundle, reason: reason))
        takeLeftPushes(process, bundle: bundle)
    }

    mutating func launchFinished(_ process: UUID) {
        guard let record = processes[process] else { return }
        log(.app, "launched", rule: "K1", app: record.bundle)
        processes[process]?.isLaunching = false
        processes[process]?.held = []
        for held in record.held {
            outcome.effects.append(.deliver(delivery: held.number, process: process, event: held.event))
        }
        becomeActive(process)
        deliverWaitingPushes(to: process)
    }

    /// Ends a process; its calls stay with the system (T5).
    mutating func die(_ bundle: String, rule: String?, code: String, message: String) {
        guard let id = apps[bundle]?.process, processes[id] != nil else { return }
        addDeath(CauseOfDeath(rule: rule, code: code, message: message, time: now, app: bundle))
        log(.phone, "terminated the app: \(code)", rule: rule ?? "T5", app: bundle)
        processes[id] = nil
        givenWarnings = givenWarnings.filter { $0.process != id }
        apps[bundle]?.process = nil
        leavePushes(of: id, bundle: bundle, isPunished: rule != nil)
        audio.stopLimits[id] = nil
        forgetSound(of: id)
        if audio.active?.process == id || audio.pending?.process == id || audio.blocked?.process == id {
            audio = CallAudio(stopLimits: audio.stopLimits)
        }
        dropKeptRequests(of: id)
        outcome.effects.append(.terminate(process: id))
        abandonActions(of: bundle)
        updateAudio()
    }

    mutating func addDeath(_ cause: CauseOfDeath) {
        deaths.append(cause)
        deaths.keepLast(settings.recordsLimit)
    }

    private mutating func sendToBackground(except bundle: String?) {
        for process in processes.values.sorted(by: { $0.bundle < $1.bundle })
        where process.isForeground && process.bundle != bundle {
            tell(.willResignActive, to: process.id)
            processes[process.id]?.isForeground = false
            processes[process.id]?.isActive = false
            log(.phone, "app went to the background", rule: "K7", app: process.bundle)
            tell(.didEnterBackground, to: process.id)
            stopBackgroundAudio(of: process.id)
        }
    }

    private mutating func endCallsLeft(by bundle: String) {
        for call in calls where call.bundle == bundle { finish(call.uuid, outcome: .failed) }
    }
}
