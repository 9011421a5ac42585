// SPDX-License-Identifier: MIT

import Foundation

// R79: the keychain, and when its items can be read. It is the phone's: it outlives apps.
extension PhoneCore {
    mutating func answer(_ request: KeychainRequest, of bundle: String) -> AppReply {
        let groups = (apps[bundle]?.app.appGroups ?? []).union([bundle])
        let answer: KeychainAnswer
        switch request {
        case .add(let item): answer = add(item, bundle: bundle, groups: groups)
        case .find(let query): answer = find(query, groups: groups)
        case .update(let query, let changes): answer = update(query, changes, groups: groups)
        case .delete(let query): answer = delete(query, groups: groups)
        }
        switch answer.status {
        case KeychainStatus.interactionNotAllowed:
            log(.phone, "keychain: out of reach while the phone is locked (-25308)", rule: "R79", app: bundle)
        case KeychainStatus.diskFull: log(.phone, "keychain: the disk is full (-34)", rule: "R79", app: bundle)
        default: break
        }
        return .keychain(status: answer.status, items: answer.items)
    }

    private typealias KeychainAnswer = (status: Int32, items: [KeychainItemValue])

    private mutating func add(_ item: KeychainItemValue, bundle: String, groups: Set<String>) -> KeychainAnswer {
        let group = item.attributes["agrp"] ?? bundle
        guard groups.contains(group) else { return (KeychainStatus.missingEntitlement, []) }
        guard KeychainStatus.accessibilities.contains(item.accessible) else { return (KeychainStatus.parameter, []) }
        if item.accessible == "akpu", !device.hasPasscode { return (KeychainStatus.authenticationFailed, []) }
        guard isReadable(item.accessible) else { return (KeychainStatus.interactionNotAllowed, []) }
        if faults.isDiskFull { return (KeychainStatus.diskFull, []) }
        var item = item
        item.attributes["agrp"] = group
        let stored = StoredKeychainItem(item: item, group: group)
        guard !device.keychain.contains(where: stored.isSame) else { return (KeychainStatus.duplicateItem, []) }
        device.keychain.append(stored)
        return (KeychainStatus.success, [item])
    }

    /// What a query means, or why it may not ask.
    private func matches(_ query: KeychainQueryValue, groups: Set<String>) -> (status: Int32, indices: [Int]) {
        if let group = query.attributes["agrp"], !groups.contains(group) {
            return (KeychainStatus.missingEntitlement, [])
        }
        let found = device.keychain.indices.filter { index in
            let stored = device.keychain[index]
            return groups.contains(stored.group) && query.itemClass == stored.item.itemClass
                && query.attributes.allSatisfy { stored.item.attributes[$0.key] == $0.value }
                && (query.accessible == nil || query.accessible == stored.item.accessible)
                && (query.generic == nil || query.generic == stored.item.generic)
        }
        return (found.isEmpty ? KeychainStatus.itemNotFound : KeychainStatus.success, found)
    }

    /// Without the secrets items are found at any time; with them, those that can be read, and none is the error.
    private func find(_ query: KeychainQueryValue, groups: Set<String>) -> KeychainAnswer {
        let (status, found) = matches(query, groups: groups)
        guard status == KeychainStatus.success else { return (status, []) }
        var items = found.map { device.keychain[$0].item }
        guard query.wantsData else {
            for index in items.indices { items[index].data = nil }
            return (KeychainStatus.success, items)
        }
        items.removeAll { !isReadable($0.accessible) }
        return items.isEmpty ? (KeychainStatus.interactionNotAllowed, []) : (KeychainStatus.success, items)
    }

    private mutating func update(
        _ query: KeychainQueryValue, _ changes: KeychainChangesValue, groups: Set<String>
    ) -> KeychainAnswer {
        let (status, found) = matches(query, groups: groups)
        guard status == KeychainStatus.success else { return (status, []) }
        let new = changes.accessible.map { [$0] } ?? []
        guard new.allSatisfy(KeychainStatus.accessibilities.contains) else { return (KeychainStatus.parameter, []) }
        guard (found.map { device.keychain[$0].item.accessible } + new).allSatisfy(isReadable) else {
            return (KeychainStatus.interactionNotAllowed, [])
        }
        if faults.isDiskFull { return (KeychainStatus.diskFull, []) }
        var keychain = device.keychain
        for index in found {
            keychain[index].item.attributes.merge(changes.attributes) { $1 }
            if let group = changes.attributes["agrp"] {
                guard groups.contains(group) else { return (KeychainStatus.missingEntitlement, []) }
                keychain[index].group = group
            }
            if let accessible = changes.accessible { keychain[index].item.accessible = accessible }
            if let data = changes.data { keychain[index].item.data = data }
            if let generic = changes.generic { keychain[index].item.generic = generic }
            let changed = keychain[index]
            if keychain.indices.contains(where: { $0 != index && keychain[$0].isSame(as: changed) }) {
                return (KeychainStatus.duplicateItem, [])
            }
        }
        device.keychain = keychain
        return (KeychainStatus.success, [])
    }

    /// Items are deleted without being read, so locked too.
    private mutating func delete(_ query: KeychainQueryValue, groups: Set<String>) -> KeychainAnswer {
        let (status, found) = matches(query, groups: groups)
        for index in found.reversed() { device.keychain.remove(at: index) }
        return (status, [])
    }

    private func isReadable(_ accessible: String) -> Bool {
        switch accessible {
        case "dk", "dku": return true
        case "ck", "cku": return wasProtectedDataAvailable
        default: return isProtectedDataAvailable
        }
    }
}

/// The keychain's OSStatus values, and the values of kSecAttrAccessible.
enum KeychainStatus {
    static let success: Int32 = 0
    /// errSecDiskFull.
    static let diskFull: Int32 = -34
    /// errSecParam.
    static let parameter: Int32 = -50
    /// errSecAuthFailed: an item for phones with a passcode, on a phone that has none.
    static let authenticationFailed: Int32 = -25293
    /// errSecDuplicateItem.
    static let duplicateItem: Int32 = -25299
    /// errSecItemNotFound.
    static let itemNotFound: Int32 = -25300
    /// errSecInteractionNotAllowed.
    static let interactionNotAllowed: Int32 = -25308
    /// errSecMissingEntitlement: the access group is not the app's.
    static let missingEntitlement: Int32 = -34018
    static let accessibilities: Set<String> = ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"]
}

extension StoredKeychainItem {
    /// Whether the keychain would hold them as one item.
    func isSame(as other: StoredKeychainItem) -> Bool {
        let keys = ["acct", "svce", "srvr"]
        return group == other.group && item.itemClass == other.item.itemClass
            && keys.allSatisfy { item.attributes[$0] == other.item.attributes[$0] }
    }
}
