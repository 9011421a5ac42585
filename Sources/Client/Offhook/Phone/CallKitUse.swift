// SPDX-License-Identifier: MIT

import Foundation

extension CallCenter {
    /// Whether calls use CallKit and PushKit (R132, P47).
    ///
    /// In mainland China an app must not use CallKit, and App Review refuses it; without CallKit there are no VoIP pushes
    /// either. Then no object of the two is made: invitations come over the socket, or by ordinary notifications that the
    /// app hands to ``CallCenter/receiveNotification(_:)``, the app shows its own call screen from ``CallCenter/calls``, and
    /// an incoming call rings with a local notification while the app is in the background.
    public enum CallKitUse: String, Hashable, Sendable, Codable, CaseIterable {
        /// By the region of the user's settings, `Locale.current`: off in `CN`, else on.
        ///
        /// Read once, at ``CallCenter/start()``. Hong Kong and Macao are regions of their own, where CallKit may be used.
        case automatic
        /// Always, for apps that are not offered in mainland China.
        case on
        /// Never.
        case off

        /// Whether CallKit is used in a region, an ISO 3166 code; nil is an unknown one.
        func isOn(in region: String?) -> Bool {
            switch self {
            case .automatic: region != "CN"
            case .on: true
            case .off: false
            }
        }

        /// The region of the user's settings.
        static var currentRegion: String? {
            if #available(iOS 16, macOS 13, *) { Locale.current.region?.identifier } else { Locale.current.regionCode }
        }
    }
}
