// SPDX-License-Identifier: MIT

import Foundation

// D6, D8: what CXCallDirectoryManager asks.
extension PhoneCore {
    /// Answers an app, or an extension's process.
    mutating func answer(_ request: DirectoryRequest, from process: UUID) -> AppReply {
        switch request {
        case .reload(let identifier, let id):
            guard !directory.isSilent else { return .done }
            guard owns(process, identifier) else {
                violate(
                    "D6", "an extension was reloaded that the app does not have",
                    advice: "Give reloadExtension the bundle identifier of an extension inside this app.",
                    app: bundle(of: process))
                complete(id, of: process, error: PhoneErrors.directory(1))
                return .done
            }
            load(identifier, request: DirectoryLoad.Request(process: process, id: id))
        case .enabledStatus(let identifier, let id): tellStatus(of: identifier, request: id, to: process)
        case .openSettings(let id): openSettings(request: id, from: process)
        case .attachPrincipal(let principal): attachPrincipal(principal, of: process)
        case .setContextDelegate(let context, let present):
            guard directory.loads[process]?.context == context else { return .done }
            directory.loads[process]?.hasDelegate = present
        case .readIncremental(let context): return .isIncremental(readIncremental(context, of: process))
        case .entries(let context, let batch): return take(batch, for: context, of: process)
        case .complete(let context, let completion): completeLoad(context, completion: completion, of: process)
        case .cancel(let context, let error): cancelLoad(context, error: error, of: process)
        }
        return .done
    }

    /// Answers a process that is none of an app: an extension has the Call Directory, its app's groups and a log.
    mutating func answerExtension(_ request: AppRequest, from process: UUID) -> AppReply {
        guard let identifier = directory.loads[process]?.identifier else { return .processTerminated }
        switch request {
        case .directory(let request): return answer(request, from: process)
        case .application(.containerPath(let group)):
            let app = directory.extensions[identifier]?.app
            return .path(app.flatMap { containerPath(of: group, for: $0) })
        case .application(.log(let entry)):
            addToAppLog(entry, of: identifier)
            return .done
        default: return .done
        }
    }

    private func bundle(of process: UUID) -> String {
        processes[process]?.bundle ?? directory.loads[process]?.identifier ?? ""
    }

    /// Whether an extension belongs to the app that asks.
    private func owns(_ process: UUID, _ identifier: String) -> Bool {
        guard let app = directory.extensions[identifier]?.app else { return false }
        if let bundle = processes[process]?.bundle { return bundle == app }
        return directory.loads[process].map { directory.extensions[$0.identifier]?.app == app } ?? false
    }

    /// The answer to a request without a value.
    mutating func complete(_ request: UUID, of process: UUID, error: PhoneError?) {
        if let error {
            log(
                .phone, "refused a request to the Call Directory: \(error.domain) \(error.code)", rule: "D6",
                app: bundle(of: process))
        }
        deliver(.directory(endpoint: request, .completed(error: error)), to: process)
    }

    /// D8: the switch, whatever became of the loads.
    private mutating func tellStatus(of identifier: String, request: UUID, to process: UUID) {
        guard !directory.isSilent else { return }
        var error = directory.nextFailures.removeValue(forKey: .status)
        if error == nil, !owns(process, identifier) { error = PhoneErrors.directory(1) }
        let isEnabled = directory.extensions[identifier]?.isEnabled == true
        let status = error != nil ? 0 : isEnabled ? 2 : 1
        log(.phone, "told whether the extension is enabled", rule: "D8", app: identifier)
        deliver(.directory(endpoint: request, .status(status, error: error)), to: process)
    }

    /// D8: Settings comes up, with iOS 26 on its front page.
    private mutating func openSettings(request: UUID, from process: UUID) {
        guard !directory.isSilent else { return }
        if let error = directory.nextFailures.removeValue(forKey: .openSettings) {
            return complete(request, of: process, error: error)
        }
        let page: SettingsPage = system >= SystemVersion(26) ? .root : .callBlocking
        directory.settingsPage = page
        switch page {
        case .callBlocking: log(.phone, "opened Settings at the list of extensions", rule: "D8")
        case .root: log(.phone, "opened Settings, but not at the list of extensions", rule: "D8")
        }
        goHome()
        complete(request, of: process, error: nil)
    }
}
