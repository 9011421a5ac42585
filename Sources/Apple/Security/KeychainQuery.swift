// SPDX-License-Identifier: MIT

import AppleFoundation
import Foundation
import VirtualPhone

/// A dictionary of the SecItem functions as the boundary's values.
struct KeychainQuery {
    /// The attributes that are text; some apps give bytes, which are taken as UTF-8.
    private static var textKeys: [CFString] {
        [
            kSecAttrAccount, kSecAttrService, kSecAttrServer, kSecAttrLabel, kSecAttrDescription, kSecAttrComment,
            kSecAttrAccessGroup, kSecAttrApplicationTag,
        ]
    }

    private let dictionary: CFDictionary

    init(_ dictionary: CFDictionary) {
        self.dictionary = dictionary
    }

    private func text(_ key: CFString) -> String? {
        switch dictionary[key] {
        case let text as String: return text
        case let data as Data: return String(bytes: data, encoding: .utf8)
        default: return nil
        }
    }

    private func bool(_ key: CFString) -> Bool {
        (dictionary[key] as? Bool) ?? (dictionary[key] as? NSNumber)?.boolValue ?? false
    }

    private var attributes: [String: String] {
        var attributes: [String: String] = [:]
        for key in KeychainQuery.textKeys { attributes[key as String] = text(key) }
        return attributes
    }

    private var data: Data? { dictionary[kSecValueData] as? Data }
    private var generic: Data? { dictionary[kSecAttrGeneric] as? Data }
    /// Asks for objects, which there are none of.
    var wantsReference: Bool { bool(kSecReturnRef) || bool(kSecReturnPersistentRef) }

    /// The item to add; nil without a class that can be stored.
    var item: KeychainItemValue? {
        guard let itemClass = text(kSecClass), itemClass != "cert", itemClass != "idnt", !wantsReference else {
            return nil
        }
        return KeychainItemValue(
            itemClass: itemClass, attributes: attributes, accessible: text(kSecAttrAccessible) ?? "ak", data: data,
            generic: generic)
    }

    /// What to look for; nil without a class.
    var query: KeychainQueryValue? {
        guard let itemClass = text(kSecClass) else { return nil }
        return KeychainQueryValue(
            itemClass: itemClass, attributes: attributes, accessible: text(kSecAttrAccessible), generic: generic,
            wantsData: bool(kSecReturnData))
    }

    /// What to change; nil when a class is among it.
    var changes: KeychainChangesValue? {
        guard dictionary[kSecClass] == nil else { return nil }
        return KeychainChangesValue(
            attributes: attributes, accessible: text(kSecAttrAccessible), data: data, generic: generic)
    }

    func ask(_ request: KeychainRequest) -> (status: OSStatus, items: [KeychainItemValue]) {
        guard let process = AppProcess.current,
            case .keychain(let status, let items) = process.send(.application(.keychain(request)))
        else { return (errSecNotAvailable, []) }
        return (status, items)
    }

    /// What was asked back of the items found.
    func result(of items: [KeychainItemValue]) -> CFTypeRef? {
        let wantsData = bool(kSecReturnData)
        let wantsAttributes = bool(kSecReturnAttributes)
        guard wantsData || wantsAttributes else { return nil }
        let results: [CFTypeRef] = items.map { item in
            guard wantsAttributes else { return NSData(data: item.data ?? Data()) }
            let dictionary = NSMutableDictionary()
            dictionary[kSecClass] = item.itemClass
            for (key, value) in item.attributes { dictionary[key] = value }
            dictionary[kSecAttrAccessible] = item.accessible
            if let generic = item.generic { dictionary[kSecAttrGeneric] = generic }
            if wantsData { dictionary[kSecValueData] = item.data ?? Data() }
            return dictionary
        }
        let limit = dictionary[kSecMatchLimit]
        let isAll = (limit as? String) == (kSecMatchLimitAll as String) || ((limit as? Int) ?? 1) > 1
        return isAll ? NSArray(array: results) : results.first
    }
}
