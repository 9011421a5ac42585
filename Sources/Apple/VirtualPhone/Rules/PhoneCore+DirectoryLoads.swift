// SPDX-License-Identifier: MIT

import Foundation

// D1, D5, D6, D11: the life of a load.
extension PhoneCore {
    /// Starts an extension, or says why not.
    mutating func load(_ identifier: String, request: DirectoryLoad.Request?) {
        if let error = loadRefusal(identifier) {
            if let request { return complete(request.id, of: request.process, error: error) }
            return log(.phone, "did not load the extension: \(error.code)", rule: "D6", app: identifier)
        }
        directory.loadCount += 1
        if let limit = settings.directory.loadsBeforeCorruption, directory.loadCount > limit {
            corruptDirectory()
            if let request {
                complete(request.id, of: request.process, error: PhoneErrors.directoryDatabase(11))
            }
            return
        }
        let process = random.uuid()
        directory.loads[process] = DirectoryLoad(
            process: process, context: random.uuid(), identifier: identifier, startedAt: now, request: request,
            offersIncremental: directory.extensions[identifier]?.isCurrent ?? false,
            endDate: settings.directory.timeBudget.map { date(after: $0) })
        log(.phone, "launched the extension to load it", rule: "D1", app: identifier)
        outcome.effects.append(.launchDirectory(process: process, extensionIdentifier: identifier))
    }

    private mutating func loadRefusal(_ identifier: String) -> PhoneError? {
        guard let record = directory.extensions[identifier], record.app != nil else { return PhoneErrors.directory(1) }
        if let error = directory.nextFailures.removeValue(forKey: .reload) { return error }
        if !record.isEnabled { return PhoneErrors.directory(6) }
        if directory.loads.values.contains(where: { $0.identifier == identifier }) { return PhoneErrors.directory(7) }
        if directory.isCorrupt { return PhoneErrors.directoryDatabase(11) }
        return nil
    }

    /// The principal object exists: it is asked for the entries.
    mutating func attachPrincipal(_ principal: UUID, of process: UUID) {
        guard let load = directory.loads[process], !load.hasPrincipal else { return }
        directory.loads[process]?.hasPrincipal = true
        log(.phone, "asked the extension for its entries", rule: "D1", app: load.identifier)
        deliver(.directory(endpoint: principal, .beginRequest(context: load.context)), to: process)
    }

    /// D6: an extension whose principal object is no CXCallDirectoryProvider cannot be loaded.
    mutating func extensionLaunched(_ process: UUID) {
        guard let load = directory.loads[process], !load.hasPrincipal else { return }
        violate(
            "D6", "the extension has no CXCallDirectoryProvider",
            advice: "Let the extension's principal class be a subclass of CXCallDirectoryProvider.",
            app: load.identifier)
        fail(process, PhoneErrors.directory(102))
    }

    /// D5: the entries are taken in the time they take, or the time is over first.
    mutating func completeLoad(_ context: UUID, completion: UUID, of process: UUID) {
        guard let load = directory.loads[process], load.context == context, load.completion == nil else { return }
        let limit = settings.directory.timeBudget.map { load.startedAt.addingTimeInterval($0 / .seconds(1)) }
        var end = now
        if let rate = settings.directory.entriesPerSecond, rate > 0 {
            end = max(now, load.startedAt.addingTimeInterval(Double(load.changeCount) / Double(rate)))
        }
        directory.loads[process]?.completion = completion
        directory.loads[process]?.expires = limit.map { end > $0 } ?? false
        directory.loads[process]?.endDate = min(end, limit ?? end)
        log(.app, "gave \(load.changeCount) entries", rule: "D1", app: load.identifier)
    }

    /// The time of a load has come: it is stored, or it expired.
    mutating func loadIsDue(_ process: UUID) {
        guard let load = directory.loads[process] else { return }
        guard let completion = load.completion else {
            violate(
                "D5", "the extension did not complete its request in time",
                advice: "Call completeRequest(completionHandler:) on every way out of beginRequest(with:).",
                app: load.identifier)
            return fail(process, PhoneErrors.directory(2))
        }
        if load.expires {
            log(.phone, "the load expired: nothing was stored", rule: "D5", app: load.identifier)
            end(load, .expired, telling: .directory(endpoint: completion, .requestCompleted(expired: true)))
            return
        }
        store(load, completion: completion)
    }

    private mutating func store(_ load: DirectoryLoad, completion: UUID) {
        guard let record = directory.extensions[load.identifier] else { return }
        if let error = directory.nextFailures.removeValue(forKey: .store) { return fail(load.process, error) }
        if faults.isDiskFull { return fail(load.process, PhoneErrors.directoryDatabase(13)) }
        let refuses = settings.directory.refusesStoredEntries
        let old = load.isIncremental ? record : DirectoryExtension()
        guard let blocking = load.blocking.applied(to: old.blocking, refusesStored: refuses),
            let identification = load.identification.applied(to: old.identification, refusesStored: refuses)
        else {
            violate(
                "D10", "an incremental load added an entry that is stored already",
                advice: "Send the difference to what the last load stored; remove an entry before adding it again.",
                app: load.identifier)
            return fail(load.process, PhoneErrors.directoryDatabase(19))
        }
        if let limit = settings.directory.storedEntryLimit, blocking.count + identification.count > limit {
            return fail(load.process, PhoneErrors.directory(5))
        }
        directory.extensions[load.identifier]?.blocking = blocking
        directory.extensions[load.identifier]?.identification = identification
        directory.extensions[load.identifier]?.isCurrent = true
        let kind = load.isIncremental ? "the changes" : "the whole list"
        log(.phone, "stored \(kind)", rule: "D1", app: load.identifier)
        outcome.effects.append(.storeDirectory(extensionIdentifier: load.identifier))
        outcome.effects.append(.storeDirectorySwitches)
        end(load, .stored, telling: .directory(endpoint: completion, .requestCompleted(expired: false)))
    }

    /// D3, D11: a load fails, and nothing of the request is kept.
    ///
    /// The extension hears of it through the context's delegate; a process that is dead hears nothing.
    mutating func fail(_ process: UUID, _ error: PhoneError, isAlive: Bool = true) {
        guard let load = directory.loads[process] else { return }
        log(.phone, "the load failed: \(error.domain) \(error.code)", rule: "D3", app: load.identifier)
        if settings.directory.fullLoadDeletesFirst, !load.isIncremental, load.changeCount > 0 {
            directory.extensions[load.identifier]?.blocking = DirectoryList()
            directory.extensions[load.identifier]?.identification = DirectoryList()
            directory.extensions[load.identifier]?.isCurrent = false
            outcome.effects.append(.storeDirectory(extensionIdentifier: load.identifier))
        }
        if isAlive, !load.hasDelegate {
            log(.phone, "the extension has no delegate to tell of it", rule: "D11", app: load.identifier)
        }
        let event = PhoneEvent.directory(endpoint: load.context, .requestFailed(error: error))
        end(load, .failed(error), telling: isAlive && load.hasDelegate ? event : nil)
    }

    /// A load is over: the extension hears the last event and ends, and who asked for the load is answered.
    private mutating func end(
        _ load: DirectoryLoad, _ result: DirectoryLoadReport.Outcome, telling event: PhoneEvent?
    ) {
        directory.loads[load.process] = nil
        directory.reports.append(
            DirectoryLoadReport(
                extensionIdentifier: load.identifier, date: load.startedAt,
                duration: .seconds(now.timeIntervalSince(load.startedAt)), isIncremental: load.isIncremental,
                blockingAdded: load.blocking.added.count, identificationAdded: load.identification.added.count,
                removed: load.blocking.removalCount + load.identification.removalCount, outcome: result,
                peakMemory: load.peakMemory))
        if let event {
            directory.endingProcesses.insert(load.process)
            let delivery = deliver(event, to: load.process)
            followUps[delivery] = .endDirectory(load.process)
        } else {
            outcome.effects.append(.terminate(process: load.process))
        }
        if let request = load.request {
            var error: PhoneError?
            if case .failed(let failure) = result { error = failure }
            complete(request.id, of: request.process, error: error)
        }
    }

    /// The last callback of an extension returned.
    mutating func endDirectory(_ process: UUID) {
        guard directory.endingProcesses.remove(process) != nil else { return }
        outcome.effects.append(.terminate(process: process))
    }

    /// cancelRequest(withError:): nothing is kept.
    mutating func cancelLoad(_ context: UUID, error: PhoneError, of process: UUID) {
        guard let load = directory.loads[process], load.context == context else { return }
        log(.app, "cancelled the request: \(error.code)", rule: "D6", app: load.identifier)
        // The extension knows; it is told nothing.
        fail(process, PhoneErrors.directory(settings.directory.cancellationCode), isAlive: false)
    }

    /// D6: an extension that dies interrupts its load.
    mutating func extensionEnded(_ process: UUID, _ end: ExtensionEnd) {
        directory.endingProcesses.remove(process)
        guard let load = directory.loads[process] else { return }
        var message = "The extension \(end) while it was loaded."
        switch end {
        case .notStarted:
            message += " Give the path of an executable file."
            addDeath(
                CauseOfDeath(rule: "D6", code: "\(end)", message: message, time: now, app: load.identifier))
            log(.phone, "the extension \(end)", rule: "D6", app: load.identifier)
            return fail(process, PhoneErrors.directory(102), isAlive: false)
        case .signalled:
            if let limit = settings.directory.memoryLimit {
                message += " It may use \(limit) bytes beyond those it starts with: read the list in pieces (P48)."
            }
        case .crashed, .exited: break
        }
        addDeath(CauseOfDeath(rule: "D6", code: "\(end)", message: message, time: now, app: load.identifier))
        log(.phone, "the extension \(end)", rule: "D6", app: load.identifier)
        fail(process, PhoneErrors.directory(2), isAlive: false)
    }

    /// The process of an extension ends, as a fault.
    mutating func crashExtension(_ identifier: String) {
        for load in directory.loads.values.filter({ $0.identifier == identifier }) {
            extensionEnded(load.process, .crashed)
        }
    }

    /// What of the Call Directory waits for time.
    func considerDirectory(_ consider: (Date?, Due) -> Void) {
        guard !directory.extensions.isEmpty else { return }
        for identifier in directory.order {
            for load in directory.loads.values where load.identifier == identifier {
                consider(load.endDate, .directoryLoad(load.process))
            }
            consider(directory.extensions[identifier]?.purgeDate, .directoryPurge(identifier))
        }
    }

    /// Ends the loads of an extension that was switched off or taken away.
    mutating func stopLoads(of identifier: String, error: PhoneError) {
        for load in directory.loads.values.filter({ $0.identifier == identifier }) {
            fail(load.process, error, isAlive: false)
        }
    }
}
