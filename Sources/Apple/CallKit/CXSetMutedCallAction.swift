// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Mutes a call, or lets its microphone be heard again (G6).
open class CXSetMutedCallAction: CXCallAction {
    /// Whether the call is to be muted.
    open var isMuted: Bool

    /// Makes an action that mutes a call or ends the muting.
    public init(call callUUID: UUID, muted: Bool) {
        isMuted = muted
        super.init(call: callUUID)
    }

    /// Reads an action from an archive; nil when the archive holds none.
    public required init?(coder aDecoder: NSCoder) {
        isMuted = aDecoder.decodeBool(forKey: "muted")
        super.init(coder: aDecoder)
    }

    /// Writes the action to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(isMuted, forKey: "muted")
    }

    override var boundaryKind: ActionValue.Kind { .setMuted(isMuted) }
    override func duplicate() -> CXAction {
        CXSetMutedCallAction(call: callUUID, muted: isMuted)
    }
    override func perform(on delegate: any CXProviderDelegate, provider: CXProvider) -> Bool {
        DelegateProbe.call("CXSetMutedCallAction", of: delegate) { delegate.provider(provider, perform: self) }
    }
}
