// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Answers an incoming call (A1).
open class CXAnswerCallAction: CXCallAction {
    /// Fulfills the action with the time at which the call was connected.
    open func fulfill(withDateConnected dateConnected: Date) {
        complete(date: dateConnected)
    }

    override class var timeLimit: TimeInterval { 60 }
    override var boundaryKind: ActionValue.Kind { .answer }
    override func duplicate() -> CXAction {
        CXAnswerCallAction(call: callUUID)
    }
    override func perform(on delegate: any CXProviderDelegate, provider: CXProvider) -> Bool {
        DelegateProbe.call("CXAnswerCallAction", of: delegate) { delegate.provider(provider, perform: self) }
    }
}
