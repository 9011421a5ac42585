// SPDX-License-Identifier: MIT

public import Foundation

/// A push as it arrived.
open class PKPushPayload: NSObject {
    private let storedType: PKPushType
    private let contents: [AnyHashable: Any]

    /// The kind of push; of an empty name if the object does not come from a registry.
    open var type: PKPushType { storedType }
    /// The JSON object that was sent, `aps` included, or what a notification service extension handed over (K12).
    ///
    /// Of members with the same name it has the last one. Empty if the object does not come from a registry.
    open var dictionaryPayload: [AnyHashable: Any] { contents }

    /// Makes a payload without contents, of no use but in tests.
    public convenience override init() {
        self.init(type: PKPushType(rawValue: ""), json: Data())
    }

    init(type: PKPushType, json: Data) {
        storedType = type
        contents =
            (try? JSONSerialization.jsonObject(with: json)) as? [String: Any]
            ?? (try? PropertyListSerialization.propertyList(from: json, format: nil)) as? [String: Any] ?? [:]
    }
}
