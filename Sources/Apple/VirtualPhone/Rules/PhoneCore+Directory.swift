// SPDX-License-Identifier: MIT

import Foundation

// D1-D11: caller identification and blocking. What the manager asks is in +DirectoryRequests, a load's life in
// +DirectoryLoads, what an extension gives in +DirectoryEntries.
extension PhoneCore {
    mutating func handle(_ input: DirectoryInput) {
        switch input {
        case .enabled(let identifier, let isEnabled): setExtension(identifier, enabled: isEnabled)
        case .ordered(let identifiers):
            directory.order = identifiers + directory.order.filter { !identifiers.contains($0) }
            log(.user, "put the Call Directory extensions into another order", rule: "D9")
        case .load(let identifier): load(identifier, request: nil)
        case .fullRequest(let identifier): directory.extensions[identifier]?.isCurrent = false
        case .resetAllSettings: resetAllSettings()
        case .extensionLaunched(let process): extensionLaunched(process)
        case .extensionMeasured(let process, let peak):
            let known = directory.loads[process]?.peakMemory ?? 0
            directory.loads[process]?.peakMemory = max(known, peak)
        case .extensionEnded(let process, let end): extensionEnded(process, end)
        }
    }

    // MARK: - Decisions

    /// What the phone knows of a caller: whether the call rings, and what is shown (D9, R113).
    ///
    /// The user's own block list comes first. A number in Contacts is not blocked from iOS 18 on, one that this phone
    /// has called (as long as Recents knows it) from iOS 26 on. A contact's name comes before a label.
    func directoryDecision(for handle: HandleValue, caller: DirectoryCaller = .cellular) -> DirectoryDecision {
        if isOnBlockList(handle) { return .blockedByUser }
        let number = PhoneCore.number(of: handle)
        func isSame(_ other: HandleValue) -> Bool {
            other == handle || (number != nil && PhoneCore.number(of: other) == number)
        }
        let contact = contact(for: handle)?.name
        let isAsked = caller == .cellular || settings.directory.matchesVoIPCallers
        let extensions = isAsked && !directory.isCorrupt ? activeExtensions : []
        let isSpared =
            (contact != nil && system >= SystemVersion(18))
            || (system >= SystemVersion(26) && recents.contains { $0.isOutgoing && $0.handle.map(isSame) == true })
        if let number, !isSpared, let blocker = extensions.first(where: { $0.record.blocking.contains(number) }) {
            return .blocked(extensionIdentifier: blocker.identifier)
        }
        if let contact { return .contact(name: contact) }
        guard let number else { return .unknown }
        for (identifier, record) in extensions {
            guard let label = record.identification.labels(of: number).first else { continue }
            return .identified(label: label, extensionIdentifier: identifier)
        }
        return .unknown
    }

    /// The extensions that count, in the user's order.
    private var activeExtensions: [(identifier: String, record: DirectoryExtension)] {
        directory.order.compactMap { identifier in
            guard let record = directory.extensions[identifier] else { return nil }
            return record.isEnabled || record.purgeDate != nil ? (identifier, record) : nil
        }
    }

    /// A phone number as the Call Directory writes it: country code and digits (D4); nil when it is none.
    static func number(of handle: HandleValue) -> Int64? {
        guard handle.type == HandleValue.phoneNumber else { return nil }
        var number: Int64 = 0
        var hasDigit = false
        for scalar in handle.value.unicodeScalars {
            switch scalar {
            case "0"..."9":
                hasDigit = true
                let (tenfold, overflow) = number.multipliedReportingOverflow(by: 10)
                let (sum, carry) = tenfold.addingReportingOverflow(Int64(scalar.value) - 48)
                guard !overflow, !carry else { return nil }
                number = sum
            case "+", " ", "-", "(", ")", ".", "\u{A0}": continue
            default: return nil
            }
        }
        return hasDigit && number > 0 && number <= DirectoryChanges.highest ? number : nil
    }
}
