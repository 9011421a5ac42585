// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// A call of the phone as it was when this object was made.
///
/// Two objects of one call are equal (C1).
open class CXCall: NSObject {
    private let state: CallValue

    /// The call's identity.
    open var uuid: UUID { state.uuid }
    /// Whether this phone made the call.
    open var isOutgoing: Bool { state.isOutgoing }
    /// Whether the call is held.
    open var isOnHold: Bool { state.isOnHold }
    /// Whether the call was connected.
    open var hasConnected: Bool { state.hasConnected }
    /// Whether the call is over.
    open var hasEnded: Bool { state.hasEnded }

    init(_ state: CallValue) {
        self.state = state
    }

    /// Whether another object stands for the same call.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CXCall)?.uuid == uuid
    }

    /// Objects of one call have equal hashes.
    open override var hash: Int { uuid.hashValue }
}
