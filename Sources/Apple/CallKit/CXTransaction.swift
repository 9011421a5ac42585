// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Actions that are requested and performed together, in order.
open class CXTransaction: NSObject, NSSecureCoding, NSCopying {
    private let identity: UUID
    private let storedActions: Locked<[CXAction]>

    /// Names the transaction.
    open var uuid: UUID { identity }
    /// Whether all actions are complete; so an empty transaction is (T10).
    open var isComplete: Bool { actions.allSatisfy(\.isComplete) }
    /// The actions in order.
    open var actions: [CXAction] { storedActions.withLock { $0 } }

    /// A transaction of some actions.
    public init(actions: [CXAction]) {
        identity = UUID.fresh()
        storedActions = Locked(actions)
    }

    /// A transaction of one action.
    public convenience init(action: CXAction) {
        self.init(actions: [action])
    }

    /// A transaction without actions.
    public convenience override init() {
        self.init(actions: [])
    }

    init(uuid: UUID, actions: [CXAction]) {
        identity = uuid
        storedActions = Locked(actions)
    }

    /// Appends an action.
    open func addAction(_ action: CXAction) {
        storedActions.withLock { $0.append(action) }
    }

    // MARK: - Coding and copying

    /// Transactions are archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads a transaction from an archive; nil when the archive holds none.
    public required init?(coder: NSCoder) {
        let kinds: [AnyClass] = [
            NSArray.self, CXAction.self, CXCallAction.self, CXStartCallAction.self, CXAnswerCallAction.self,
            CXEndCallAction.self, CXSetHeldCallAction.self, CXSetMutedCallAction.self, CXSetGroupCallAction.self,
            CXPlayDTMFCallAction.self, CXSetTranslatingCallAction.self, CXHandle.self, NSString.self,
        ]
        guard let uuid = coder.uuid(forKey: "UUID"), coder.containsValue(forKey: "actions"),
            let actions = coder.decodeObject(of: kinds, forKey: "actions") as? [CXAction]
        else { return nil }
        identity = uuid
        storedActions = Locked(actions)
    }

    /// Writes the transaction to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(uuid, forKey: "UUID")
        coder.encode(NSArray(array: actions), forKey: "actions")
    }

    /// A transaction with the same ``uuid`` and copies of the actions (T10).
    open func copy(with zone: NSZone? = nil) -> Any {
        CXTransaction(uuid: uuid, actions: actions.compactMap { $0.copy() as? CXAction })
    }

    var boundaryValue: TransactionValue {
        TransactionValue(uuid: uuid, actions: actions.map(\.boundaryValue))
    }
}
