// SPDX-License-Identifier: MIT

public import Foundation

/// The address at which APNs reaches this app on this phone.
open class PKPushCredentials: NSObject {
    private let storedType: PKPushType
    private let storedToken: Data

    /// The kind of pushes that the token is for; of an empty name if the object does not come from a registry.
    open var type: PKPushType { storedType }
    /// The token; empty if the object does not come from a registry.
    open var token: Data { storedToken }

    /// Makes credentials without contents, of no use but in tests.
    public convenience override init() {
        self.init(type: PKPushType(rawValue: ""), token: Data())
    }

    init(type: PKPushType, token: Data) {
        storedType = type
        storedToken = token
    }
}
