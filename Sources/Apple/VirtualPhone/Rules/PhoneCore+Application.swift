// SPDX-License-Identifier: MIT

import Foundation

// R2, R80, R123: the app as an application: its state, its events, its tasks, its audio in the background.
extension PhoneCore {
    mutating func answer(_ request: ApplicationRequest, from process: UUID) -> AppReply {
        guard let record = processes[process] else { return .processTerminated }
        // An extension shares what belongs to its app.
        let bundle = record.extends ?? record.bundle
        switch request {
        case .attach(let application):
            attach(application, to: process)
            becomeActive(process)
        case .activityNotTaken: complainAboutActivity(bundle)
        case .readState: return .application(applicationValue(of: record))
        case .beginBackgroundTask(let task, _): beginTask(task, of: process)
        case .endBackgroundTask(let task): endTask(task, of: process)
        case .keychain(let request): return answer(request, of: bundle)
        case .readDevice: return .device(deviceValue(for: bundle))
        case .openURL(let url): return openURL(url, from: process, bundle: bundle)
        case .setIdleTimerDisabled, .setProximityMonitoring: break
        case .registerForRemoteNotifications: registerForRemoteNotifications(process, bundle: bundle)
        case .log(let entry): addToAppLog(entry, of: bundle)
        case .donate(let donation): donate(donation, of: bundle)
        case .containerPath(let group): return .path(containerPath(of: group, for: bundle))
        case .notifications(let request): return answer(request, of: process, bundle: bundle)
        case .deliverNotification(let request, let content): notificationDelivered(request, content, by: process)
        }
        return .done
    }

    private func applicationValue(of record: ProcessRecord) -> ApplicationValue {
        ApplicationValue(
            state: record.isForeground ? (record.isActive || record.application == nil ? 0 : 1) : 2,
            isProtectedDataAvailable: isProtectedDataAvailable,
            backgroundTimeRemaining: (record.taskLimit ?? record.backgroundDeadline).map { date in
                .milliseconds(Int64((max(0, date.timeIntervalSince(now)) * 1000).rounded()))
            })
    }

    /// Tells the application object of a process, if it has one.
    mutating func tell(_ event: ApplicationEvent, to process: UUID) {
        guard let application = processes[process]?.application else { return }
        deliver(.application(endpoint: application, event), to: process)
    }

    mutating func tellAll(_ event: ApplicationEvent) {
        for process in sortedProcesses { tell(event, to: process.id) }
    }

    /// Once a stay on the screen, after the launch.
    mutating func becomeActive(_ process: UUID) {
        guard let record = processes[process], record.isForeground, !record.isLaunching, !record.isActive,
            record.application != nil
        else { return }
        processes[process]?.isActive = true
        tell(.didBecomeActive, to: process)
    }

    // MARK: - Background tasks

    private mutating func beginTask(_ task: Int, of process: UUID) {
        guard let bundle = processes[process]?.bundle else { return }
        processes[process]?.backgroundTasks.insert(task)
        log(.app, "began a background task", rule: "K11", app: bundle)
    }

    private mutating func endTask(_ task: Int, of process: UUID) {
        guard let record = processes[process] else { return }
        guard processes[process]?.backgroundTasks.remove(task) != nil else {
            log(.app, "ended a background task that it does not have", rule: "K11", app: record.bundle)
            return
        }
        log(.app, "ended a background task", rule: "K11", app: record.bundle)
        if record.taskLimit != nil, processes[process]?.backgroundTasks.isEmpty == true { suspend(process) }
    }

    // MARK: - Audio

    /// R2: without the mode an app has no audio while it is not on the screen.
    func mayRunAudio(_ process: UUID) -> Bool {
        guard settings.backgroundAudioNeedsMode, let record = processes[process], !record.isForeground else {
            return true
        }
        return apps[record.bundle]?.app.backgroundModes.contains(.audio) != false
    }

    /// R2: the app left the screen with its audio running.
    mutating func stopBackgroundAudio(of process: UUID) {
        guard processes[process]?.audio.isRunning == true, !mayRunAudio(process) else { return }
        processes[process]?.audio.running = [:]
        audio.stopLimits[process] = nil
        refuseBackgroundAudio(of: process)
    }

    mutating func refuseBackgroundAudio(of process: UUID) {
        guard let bundle = processes[process]?.bundle else { return }
        violate(
            "R2", "the app's audio was stopped: it has no audio background mode and is not on the screen",
            advice: "Add audio to UIBackgroundModes.", app: bundle)
    }
}
