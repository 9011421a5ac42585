// SPDX-License-Identifier: MIT

public import AppleFoundation
import Foundation
import VirtualPhone

/// Adds an item to the keychain (R79).
///
/// - Parameters:
///   - attributes: The item; what is asked back besides.
///   - result: What was asked back.
/// - Returns: ``errSecDuplicateItem`` when there is one, ``errSecInteractionNotAllowed`` when the phone is locked and
///   the item is for an unlocked one.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    let query = KeychainQuery(attributes)
    guard let item = query.item else { return errSecParam }
    let answer = query.ask(.add(item))
    if answer.status == errSecSuccess { result?.pointee = query.result(of: [item]) }
    return answer.status
}

/// Finds items in the keychain (R79).
///
/// - Parameters:
///   - query: What the items have; what is asked back.
///   - result: Data, a dictionary of attributes, or an array of these.
/// - Returns: ``errSecItemNotFound`` when there is none, ``errSecInteractionNotAllowed`` when the secret cannot be read
///   while the phone is locked.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    let query = KeychainQuery(query)
    guard let value = query.query, !query.wantsReference else { return errSecParam }
    let answer = query.ask(.find(value))
    if answer.status == errSecSuccess { result?.pointee = query.result(of: answer.items) }
    return answer.status
}

/// Changes every item that matches (R79).
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    let query = KeychainQuery(query)
    guard let value = query.query, let changes = KeychainQuery(attributesToUpdate).changes else { return errSecParam }
    return query.ask(.update(value, changes)).status
}

/// Deletes every item that matches (R79).
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    let query = KeychainQuery(query)
    guard let value = query.query else { return errSecParam }
    return query.ask(.delete(value)).status
}

/// Where random numbers come from.
public struct SecRandomRef: Sendable {}

/// The system's random numbers.
public let kSecRandomDefault: SecRandomRef? = nil

/// Fills memory with random bytes.
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    var generator = SystemRandomNumberGenerator()
    for index in 0..<count {
        bytes.storeBytes(of: UInt8.random(in: 0...255, using: &generator), toByteOffset: index, as: UInt8.self)
    }
    return errSecSuccess
}
