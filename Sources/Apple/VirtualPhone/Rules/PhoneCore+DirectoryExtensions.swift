// SPDX-License-Identifier: MIT

import Foundation

// D1, D8: which extensions there are, and the user's switch for each.
extension PhoneCore {
    /// An app brought its extensions; entries of an earlier installation are found again.
    mutating func installExtensions(_ identifiers: [String], of bundle: String) {
        for identifier in identifiers {
            stopLoads(of: identifier, error: PhoneErrors.directory(2))
            if var known = directory.extensions[identifier] {
                if known.purgeDate != nil {
                    // The entries of the removed app are still there, switched off.
                    known.isEnabled = settings.directory.enablesExtensions
                    known.isCurrent = false
                }
                known.app = bundle
                known.purgeDate = nil
                directory.extensions[identifier] = known
            } else {
                directory.extensions[identifier] = DirectoryExtension(
                    app: bundle, isEnabled: settings.directory.enablesExtensions)
            }
            if !directory.order.contains(identifier) { directory.order.append(identifier) }
            outcome.effects.append(.storeDirectorySwitches)
        }
        // An update without an extension takes it away.
        for identifier in directory.order
        where directory.extensions[identifier]?.app == bundle && !identifiers.contains(identifier) {
            removeExtension(identifier)
        }
    }

    /// An app is removed: its extensions' entries stay for a time.
    mutating func uninstallExtensions(of bundle: String) {
        for identifier in directory.order where directory.extensions[identifier]?.app == bundle {
            removeExtension(identifier)
        }
    }

    private mutating func removeExtension(_ identifier: String) {
        stopLoads(of: identifier, error: PhoneErrors.directory(2))
        guard var record = directory.extensions[identifier] else { return }
        let wasEnabled = record.isEnabled
        record.app = nil
        record.isEnabled = false
        record.isCurrent = false
        // What was switched off does not come to life by removing its app.
        record.purgeDate = date(after: wasEnabled ? settings.directory.dataOutlivesApp : .zero)
        directory.extensions[identifier] = record
        log(.phone, "keeps the extension's entries for a time", rule: "D1", app: identifier)
        outcome.effects.append(.storeDirectorySwitches)
    }

    /// The time of a removed app's entries is over.
    mutating func purgeExtension(_ identifier: String) {
        directory.extensions[identifier] = nil
        directory.order.removeAll { $0 == identifier }
        log(.phone, "dropped the entries of an extension whose app is gone", rule: "D1", app: identifier)
        outcome.effects.append(.storeDirectory(extensionIdentifier: identifier))
        outcome.effects.append(.storeDirectorySwitches)
    }

    /// D8: only the user switches an extension; switching it on makes the next load a full one.
    mutating func setExtension(_ identifier: String, enabled isEnabled: Bool) {
        guard let record = directory.extensions[identifier], record.app != nil else {
            log(.user, "looked for an extension that is not installed", rule: "D8", app: identifier)
            return
        }
        guard record.isEnabled != isEnabled else { return }
        directory.extensions[identifier]?.isEnabled = isEnabled
        directory.extensions[identifier]?.isCurrent = false
        log(.user, isEnabled ? "enabled the extension" : "disabled the extension", rule: "D8", app: identifier)
        outcome.effects.append(.storeDirectorySwitches)
        if isEnabled {
            if settings.directory.loadsWhenEnabled { load(identifier, request: nil) }
        } else {
            stopLoads(of: identifier, error: PhoneErrors.directory(6))
        }
    }

    /// P49: the only cure of a corrupt database.
    mutating func resetAllSettings() {
        log(.user, "reset all settings", rule: "D6")
        directory.isCorrupt = false
        directory.loadCount = 0
        for identifier in directory.order {
            stopLoads(of: identifier, error: PhoneErrors.directory(2))
            guard let app = directory.extensions[identifier]?.app else {
                directory.extensions[identifier] = nil
                outcome.effects.append(.storeDirectory(extensionIdentifier: identifier))
                continue
            }
            directory.extensions[identifier] = DirectoryExtension(
                app: app, isEnabled: settings.directory.enablesExtensions)
            outcome.effects.append(.storeDirectory(extensionIdentifier: identifier))
        }
        directory.order.removeAll { directory.extensions[$0] == nil }
        outcome.effects.append(.storeDirectorySwitches)
    }

    /// Corrupts the database: every load fails, and no number is found any more (P49).
    mutating func corruptDirectory() {
        guard !directory.isCorrupt else { return }
        directory.isCorrupt = true
        log(.phone, "the Call Directory's database is corrupt", rule: "D6")
    }
}
