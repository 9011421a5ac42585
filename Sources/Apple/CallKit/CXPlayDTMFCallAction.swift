// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Plays tones to the other side (G7).
open class CXPlayDTMFCallAction: CXCallAction {
    /// Where the digits come from.
    public enum ActionType: Int, Sendable {
        /// The user pressed one key.
        case singleTone = 1
        /// The digits follow a soft pause, a comma in the dialled number.
        case softPause = 2
        /// The digits follow a hard pause, a semicolon in the dialled number.
        case hardPause = 3
    }

    /// The tones: 0 to 9, star, and hash.
    open var digits: String
    /// Where the digits come from.
    open var type: CXPlayDTMFCallAction.ActionType

    /// Makes an action that plays tones.
    public init(call callUUID: UUID, digits: String, type: CXPlayDTMFCallAction.ActionType) {
        self.digits = digits
        self.type = type
        super.init(call: callUUID)
    }

    /// Reads an action from an archive; nil when the archive holds none.
    public required init?(coder aDecoder: NSCoder) {
        guard let digits = aDecoder.string(forKey: "digits"),
            let type = ActionType(rawValue: aDecoder.decodeInteger(forKey: "type"))
        else { return nil }
        self.digits = digits
        self.type = type
        super.init(coder: aDecoder)
    }

    /// Writes the action to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(digits, forKey: "digits")
        coder.encode(type.rawValue, forKey: "type")
    }

    override var boundaryKind: ActionValue.Kind { .playDTMF(digits: digits, type: type.rawValue) }
    override func duplicate() -> CXAction {
        CXPlayDTMFCallAction(call: callUUID, digits: digits, type: type)
    }
    override func perform(on delegate: any CXProviderDelegate, provider: CXProvider) -> Bool {
        DelegateProbe.call("CXPlayDTMFCallAction", of: delegate) { delegate.provider(provider, perform: self) }
    }
}
