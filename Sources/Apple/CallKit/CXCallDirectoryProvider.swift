// SPDX-License-Identifier: MIT

import Dispatch
public import Foundation
import VirtualPhone

/// The principal object of a Call Directory extension: gives the phone its numbers when the extension is loaded (D1).
open class CXCallDirectoryProvider: NSObject {
    private struct Principal {
        weak var object: CXCallDirectoryProvider?
    }

    /// Makes the object; the phone does so for every load.
    public override init() {
        super.init()
        guard let process = AppProcess.current else { return }
        let id = UUID()
        let principal = Locked(Principal(object: self))
        process.attach(id, queue: DispatchQueue(label: "CXCallDirectoryProvider")) { [weak process] event in
            guard let process, case .directory(_, .beginRequest(let context)) = event else { return }
            principal.withLock { $0.object }?
                .beginRequest(with: CXCallDirectoryExtensionContext(process: process, id: context))
        }
        process.send(.directory(.attachPrincipal(principal: id)))
    }

    /// Gives the entries through the context; for subclasses to override.
    ///
    /// Runs on a queue of the extension's own, once a load, never for a call (D1).
    open func beginRequest(with context: CXCallDirectoryExtensionContext) {}
}

extension CXCallDirectoryProvider: NSExtensionRequestHandling {
    /// Passes a request on to ``beginRequest(with:)-(CXCallDirectoryExtensionContext)``.
    public func beginRequest(with context: NSExtensionContext) {
        guard let context = context as? CXCallDirectoryExtensionContext else { return }
        beginRequest(with: context)
    }
}
