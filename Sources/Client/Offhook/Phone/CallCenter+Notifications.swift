// SPDX-License-Identifier: MIT

import Foundation

extension CallCenter {
    /// The category of the local notifications that ring without CallKit; an app may give it actions (R132).
    public static let incomingCallCategory = "offhook.incomingCall"
    /// The key of the call's id in the `userInfo` of those notifications.
    public static let notificationCallKey = "offhook.call"

    /// Takes an ordinary notification's payload, where CallKit is not used: an invitation in it rings (R132).
    ///
    /// Call it in `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`. Where CallKit is used it does
    /// nothing: there calls come by VoIP push alone.
    ///
    /// - Parameter payload: The notification's `userInfo`.
    /// - Returns: Whether it held an invitation and was taken.
    public func receiveNotification(_ payload: [AnyHashable: Any]) -> Bool {
        guard JSONSerialization.isValidJSONObject(payload),
            let data = try? JSONSerialization.data(withJSONObject: payload)
        else { return false }
        return engine.receiveNotification([UInt8](data))
    }

    /// Changes how calls look on the phone while the app runs, such as its ring tone; from the next call on.
    ///
    /// How many calls there may be stays as it was at ``start()``: the call rules count on it.
    ///
    /// - Rule: R16, G1
    public func setProviderOptions(_ options: ProviderOptions) {
        engine.change(options)
    }
}
