// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Holds a call, or takes it off hold (G2, G3).
open class CXSetHeldCallAction: CXCallAction {
    /// Whether the call is to be held.
    open var isOnHold: Bool

    /// Makes an action that holds a call or takes it off hold.
    public init(call callUUID: UUID, onHold: Bool) {
        isOnHold = onHold
        super.init(call: callUUID)
    }

    /// Reads an action from an archive; nil when the archive holds none.
    public required init?(coder aDecoder: NSCoder) {
        isOnHold = aDecoder.decodeBool(forKey: "onHold")
        super.init(coder: aDecoder)
    }

    /// Writes the action to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(isOnHold, forKey: "onHold")
    }

    override var boundaryKind: ActionValue.Kind { .setHeld(isOnHold) }
    override func duplicate() -> CXAction {
        CXSetHeldCallAction(call: callUUID, onHold: isOnHold)
    }
    override func perform(on delegate: any CXProviderDelegate, provider: CXProvider) -> Bool {
        DelegateProbe.call("CXSetHeldCallAction", of: delegate) { delegate.provider(provider, perform: self) }
    }
}
