// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import VirtualPhone

/// One load of a Call Directory extension: takes numbers to block and to identify (D1-D5).
///
/// Entries are passed on thousands at a time. May be used from any thread; the entries of one kind ascend in the order
/// of the calls.
open class CXCallDirectoryExtensionContext: NSExtensionContext {
    private let core: DirectoryContextCore

    /// Makes a context that belongs to no load: what it is given goes nowhere.
    public override init() {
        core = DirectoryContextCore(process: nil, id: UUID())
        super.init()
    }

    init(process: AppProcess, id: UUID) {
        core = DirectoryContextCore(process: process, id: id)
        super.init()
        core.attach(self)
    }

    /// Hears of a failed load; not retained.
    ///
    /// Set before the first entry (D11).
    open weak var delegate: (any CXCallDirectoryExtensionContextDelegate)? {
        get { core.delegate.withLock { $0.object } }
        set {
            core.delegate.withLock { $0.object = newValue }
            core.send(.setContextDelegate(context: core.id, present: newValue != nil))
        }
    }

    /// Whether the phone asks for the changes since the last load alone.
    ///
    /// Who never reads it gives the whole list (D1). Read before the first entry.
    open var isIncremental: Bool { core.readIncremental() }

    /// Adds a number to block: country code and digits, above the one before (D3, D4).
    open func addBlockingEntry(withNextSequentialPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber) {
        core.blocking.withLock { core.put(&$0, phoneNumber, .add, label: nil) }
    }

    /// Removes a number to block, in an incremental load alone (D2).
    open func removeBlockingEntry(withPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber) {
        core.blocking.withLock { core.put(&$0, phoneNumber, .remove, label: nil) }
    }

    /// Removes every number to block, in an incremental load alone (D2).
    open func removeAllBlockingEntries() {
        core.blocking.withLock { core.put(&$0, 0, .removeAll, label: nil) }
    }

    /// Adds a label for a number that is not below the one before; a number may have several (D3).
    open func addIdentificationEntry(
        withNextSequentialPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber, label: String
    ) {
        core.identification.withLock { core.put(&$0, phoneNumber, .add, label: label) }
    }

    /// Removes every label of a number, in an incremental load alone (D2, D3).
    open func removeIdentificationEntry(withPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber) {
        core.identification.withLock { core.put(&$0, phoneNumber, .remove, label: nil) }
    }

    /// Removes every label, in an incremental load alone (D2).
    open func removeAllIdentificationEntries() {
        core.identification.withLock { core.put(&$0, 0, .removeAll, label: nil) }
    }

    /// Ends the request: everything was given.
    ///
    /// - Parameter completion: Called when the phone is done with the load; with true when the time was over and
    ///   nothing was stored (D5). Not called when the load failed.
    open func completeRequest(completionHandler completion: (@Sendable (Bool) -> Void)? = nil) {
        core.complete(completion)
    }

    /// Ends the request: everything was given; returns when the phone is done with the load.
    ///
    /// - Returns: Whether the time was over, so that nothing was stored (D5).
    open func completeRequest() async -> Bool {
        // Unsafe alone in that nobody complains about a task that died with its process.
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Bool, Never>) in
            completeRequest { continuation.resume(returning: $0) }
        }
    }

    /// Ends the request with an error: nothing is stored.
    open override func cancelRequest(withError error: any Error) {
        let error = error as NSError
        core.send(
            .cancel(context: core.id, error: PhoneError(domain: error.domain, code: error.code)))
    }
}

// The state is in `core`, behind locks.
extension CXCallDirectoryExtensionContext: @unchecked Sendable {}
