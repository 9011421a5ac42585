// SPDX-License-Identifier: MIT

import Foundation

// D1-D4, D7: what an extension gives.
extension PhoneCore {
    /// D1: reading isIncremental says that the extension can send changes alone.
    mutating func readIncremental(_ context: UUID, of process: UUID) -> Bool {
        guard let load = directory.loads[process], load.context == context else { return false }
        if !load.wasIncrementalRead {
            directory.loads[process]?.wasIncrementalRead = true
            let answer = load.offersIncremental ? "changes" : "the whole list"
            log(.phone, "asked for \(answer)", rule: "D1", app: load.identifier)
            if load.changeCount > 0 {
                violate(
                    "D1", "isIncremental was read after entries were given",
                    advice: "Read isIncremental first: what was given before is taken as a change too.",
                    app: load.identifier)
            }
        }
        return load.offersIncremental
    }

    /// Takes entries; a failure tells that the load is over.
    mutating func take(_ batch: DirectoryBatch, for context: UUID, of process: UUID) -> AppReply {
        // Looked at without a copy of the load: a second owner of its arrays would make each message copy them.
        guard
            let (identifier, isIncremental, addedCount) = directory.loads[process].flatMap({ load in
                load.context == context && load.completion == nil
                    ? (load.identifier, load.isIncremental, load.addedCount) : nil
            })
        else { return .failure(PhoneErrors.directory(2)) }
        if let removal = firstRemoval(in: batch), !isIncremental {
            dieOfRemoval(process, removal, list: batch.list, identifier: identifier)
            return .failure(PhoneErrors.directory(settings.directory.removalInFullLoadCode))
        }
        let room = settings.directory.entryLimit - addedCount
        let allowsSeveral = settings.directory.allowsSeveralLabels
        do throws(DirectoryProblem) {
            switch batch.list {
            case .blocking: try directory.loads[process]?.blocking.take(batch, room: room, allowsSeveral)
            case .identification: try directory.loads[process]?.identification.take(batch, room: room, allowsSeveral)
            }
        } catch {
            let failure = refuse(error, identifier: identifier)
            fail(process, failure)
            return .failure(failure)
        }
        return .done
    }

    private func firstRemoval(in batch: DirectoryBatch) -> DirectoryBatch.Operation? {
        for code in batch.operations where code != DirectoryBatch.Operation.add.rawValue {
            return DirectoryBatch.Operation(rawValue: code)
        }
        return nil
    }

    /// D2: Foundation's exception ends the extension's process.
    private mutating func dieOfRemoval(
        _ process: UUID, _ removal: DirectoryBatch.Operation, list: DirectoryBatch.List, identifier: String
    ) {
        let kind = list == .blocking ? "Blocking" : "Identification"
        let method: String
        switch removal {
        case .removeAll: method = "removeAll\(kind)Entries"
        case .remove, .add: method = "remove\(kind)EntryWithPhoneNumber:"
        }
        let message =
            "Calling \(method) when isIncremental is false is unsupported. "
            + "Read isIncremental first, and give the whole list when it is false."
        addDeath(
            CauseOfDeath(
                rule: "D2", code: "NSInternalInconsistencyException", message: message, time: now, app: identifier))
        log(.phone, "terminated the extension: NSInternalInconsistencyException", rule: "D2", app: identifier)
        fail(process, PhoneErrors.directory(settings.directory.removalInFullLoadCode), isAlive: false)
    }

    /// The error of a wrong entry, and what to do about it.
    private mutating func refuse(_ problem: DirectoryProblem, identifier: String) -> PhoneError {
        switch problem {
        case .outOfOrder:
            violate(
                "D3", "an entry's number is below the one before it",
                advice: "Add the entries of each kind in ascending order.", app: identifier)
            return PhoneErrors.directory(3)
        case .duplicate:
            violate(
                "D3", "an entry was added twice", advice: "Add each number to block, and each label of a number, once.",
                app: identifier)
            return PhoneErrors.directory(4)
        case .notANumber:
            violate(
                "D4", "an entry's number is none",
                advice: "Give country code and digits, above 0 and at most CXCallDirectoryPhoneNumberMax.",
                app: identifier)
            return PhoneErrors.directory(settings.directory.invalidNumberCode)
        case .tooMany:
            violate(
                "D7", "the extension gave more than \(settings.directory.entryLimit) entries in one load",
                advice: "Spread the list over several extensions, or over several incremental loads.",
                app: identifier)
            return PhoneErrors.directory(5)
        case .malformed:
            log(.phone, "could not read what the extension gave", rule: "D3", app: identifier)
            return PhoneErrors.directory(0)
        }
    }
}
