// SPDX-License-Identifier: MIT

public import Dispatch
public import Foundation
import VirtualPhone

/// Registers the app for pushes and receives them.
///
/// Made at every launch, before any push can be delivered (K1).
open class PKPushRegistry: NSObject {
    private let core: PushRegistryCore

    /// Makes a registry whose delegate is called on a queue; nil means the main queue.
    ///
    /// - Precondition: A phone runs the app.
    public init(queue: DispatchQueue?) {
        core = PushRegistryCore(process: .required(for: "PKPushRegistry"))
        super.init()
        core.begin(self, queue: queue ?? .main)
    }

    deinit {
        core.end()
    }

    /// Receives the token and pushes; not retained.
    ///
    /// Set before ``desiredPushTypes``.
    open weak var delegate: (any PKPushRegistryDelegate)? {
        get { core.state.withLock { $0.delegate } }
        set { core.state.withLock { $0.delegate = newValue } }
    }

    /// The kinds of pushes that the app wants.
    ///
    /// Setting it registers; the token comes to the delegate (K1).
    open var desiredPushTypes: Set<PKPushType>? {
        get { core.state.withLock { $0.types } }
        set { core.register(newValue) }
    }

    /// The token that the phone has now; nil when there is none.
    open func pushToken(for type: PKPushType) -> Data? {
        guard case .token(let token) = core.process.send(.pushToken(registry: core.id, type: type.rawValue)) else {
            return nil
        }
        return token
    }
}
