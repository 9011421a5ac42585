// SPDX-License-Identifier: MIT

package import Foundation

/// The payload that a notification service extension hands over, on its way to the phone (K12).
package enum PayloadCoding {
    /// A payload as bytes: JSON, or a property list when it has what JSON has not, such as dates and data.
    package static func data(of payload: [AnyHashable: Any]) -> Data? {
        let members = payload as? [String: Any] ?? [:]
        guard members.count == payload.count else { return nil }
        if JSONSerialization.isValidJSONObject(members) { return try? JSONSerialization.data(withJSONObject: members) }
        guard PropertyListSerialization.propertyList(members, isValidFor: .binary) else { return nil }
        return try? PropertyListSerialization.data(fromPropertyList: members, format: .binary, options: 0)
    }
}
