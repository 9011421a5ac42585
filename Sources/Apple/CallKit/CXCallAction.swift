// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// An action for one call.
open class CXCallAction: CXAction {
    private let call: UUID

    /// The call.
    open var callUUID: UUID { call }

    /// Makes an action for a call.
    public init(call callUUID: UUID) {
        call = callUUID
        super.init()
    }

    /// Apple's name in Objective-C; Swift has ``init(call:)``.
    @available(*, unavailable, renamed: "init(call:)")
    public convenience init(callUUID: UUID) {
        self.init(call: callUUID)
    }

    /// Reads an action from an archive; nil when the archive holds none.
    public required init?(coder aDecoder: NSCoder) {
        guard let call = aDecoder.uuid(forKey: "callUUID") else { return nil }
        self.call = call
        super.init(coder: aDecoder)
    }

    /// Writes the action to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(callUUID, forKey: "callUUID")
    }

    override var boundaryCall: UUID? { callUUID }
    override func duplicate() -> CXAction { CXCallAction(call: callUUID) }
}
