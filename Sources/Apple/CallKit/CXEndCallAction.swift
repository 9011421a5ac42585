// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Ends a call (E1).
open class CXEndCallAction: CXCallAction {
    /// Fulfills the action with the time at which the call ended.
    open func fulfill(withDateEnded dateEnded: Date) {
        complete(date: dateEnded)
    }

    override var boundaryKind: ActionValue.Kind { .end }
    override func duplicate() -> CXAction {
        CXEndCallAction(call: callUUID)
    }
    override func perform(on delegate: any CXProviderDelegate, provider: CXProvider) -> Bool {
        DelegateProbe.call("CXEndCallAction", of: delegate) { delegate.provider(provider, perform: self) }
    }
}
