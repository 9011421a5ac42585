// SPDX-License-Identifier: MIT

import Foundation

// I4, I6, I7, I9, R24, R113: who calls: names, photos, the block list, Do Not Disturb, and how long it rings.
extension PhoneCore {
    func contact(for handle: HandleValue?) -> Contact? {
        handle.flatMap { contacts.person($0, matching: settings.handleMatching) }
    }

    func isOnBlockList(_ handle: HandleValue?) -> Bool {
        handle.map { isListed($0, in: blockList) } ?? false
    }

    /// Whether a caller is turned away: by the user's list, or by Call Directory where it knows such callers (I9).
    func isBlocked(_ handle: HandleValue?, caller: DirectoryCaller) -> Bool {
        guard let handle else { return false }
        return isOnBlockList(handle) || directoryDecision(for: handle, caller: caller).isBlocked
    }

    /// Whether Do Not Disturb keeps a call from ringing.
    func isSilenced(_ handle: HandleValue?) -> Bool {
        guard doNotDisturb else { return false }
        return !(handle.map { isListed($0, in: doNotDisturbExceptions) } ?? false)
    }

    private func isListed(_ handle: HandleValue, in list: Set<HandleValue>) -> Bool {
        if list.contains(handle) { return true }
        guard settings.handleMatching == .normalized else { return false }
        let key = handle.key(.normalized)
        return list.contains { $0.key(.normalized) == key }
    }

    /// The name on the screen: the app's, else that of Contacts, else Call Directory's, else the address (I7, R24).
    func shownName(of call: CallRecord) -> String {
        if let name = call.name, !DisplayText.shown(name).isEmpty { return name }
        if let members = shownMembers(of: call) { return members }
        guard let handle = call.handle else { return "" }
        return contact(for: handle)?.name ?? label(of: call) ?? handle.value
    }

    /// What Call Directory says of a caller that Contacts does not know (D9, I9).
    func label(of call: CallRecord) -> String? {
        guard !call.isOutgoing, let handle = call.handle, contact(for: handle) == nil else { return nil }
        if call.other != nil { return call.line.directoryLabel }
        if case .identified(let label, _) = directoryDecision(for: handle, caller: .voip) { return label }
        return nil
    }

    /// I6: how long an incoming call of an app rings.
    var ringLimit: Duration? { settings.ringLimit.limit(on: system) }
}
