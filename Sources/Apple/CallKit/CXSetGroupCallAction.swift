// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Puts a call into another call's group, or takes it out of its own (G5).
open class CXSetGroupCallAction: CXCallAction {
    /// The call to join; nil leaves the group.
    open var callUUIDToGroupWith: UUID?

    /// Makes an action; nil leaves the group.
    public init(call callUUID: UUID, callUUIDToGroupWith: UUID?) {
        self.callUUIDToGroupWith = callUUIDToGroupWith
        super.init(call: callUUID)
    }

    /// Reads an action from an archive; nil when the archive holds none.
    public required init?(coder aDecoder: NSCoder) {
        callUUIDToGroupWith = aDecoder.uuid(forKey: "callUUIDToGroupWith")
        super.init(coder: aDecoder)
    }

    /// Writes the action to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(callUUIDToGroupWith, forKey: "callUUIDToGroupWith")
    }

    override var boundaryKind: ActionValue.Kind { .setGroup(with: callUUIDToGroupWith) }
    override func duplicate() -> CXAction {
        CXSetGroupCallAction(call: callUUID, callUUIDToGroupWith: callUUIDToGroupWith)
    }
    override func perform(on delegate: any CXProviderDelegate, provider: CXProvider) -> Bool {
        DelegateProbe.call("CXSetGroupCallAction", of: delegate) { delegate.provider(provider, perform: self) }
    }
}
