// SPDX-License-Identifier: MIT

public import Foundation

/// What the phone says about a VoIP push, from iOS 26.4 on (K8).
open class PKVoIPPushMetadata: NSObject {
    private let required: Bool

    /// Whether the app must report a call for this push before the delegate method returns (K3).
    ///
    /// False when the app is in the foreground or on a call, or the push is too old. False too if the object does not
    /// come from a registry.
    open var mustReport: Bool { required }

    /// Makes metadata without contents, of no use but in tests.
    public convenience override init() {
        self.init(mustReport: false)
    }

    init(mustReport: Bool) {
        required = mustReport
    }
}

// Never changes.
extension PKVoIPPushMetadata: @unchecked Sendable {}
