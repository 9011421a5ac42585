// SPDX-License-Identifier: MIT

public import Dispatch
public import Foundation
import VirtualPhone

/// Asks the phone to start, end and change calls.
open class CXCallController: NSObject {
    private let process: AppProcess
    private let queue: DispatchQueue
    private let observer: CXCallObserver

    /// A controller whose completions run on a serial queue of its own (O1).
    ///
    /// - Precondition: A phone runs the app.
    public convenience override init() {
        self.init(queue: DispatchQueue(label: "CXCallController"))
    }

    /// A controller whose completions run on a queue.
    ///
    /// - Precondition: A phone runs the app.
    public init(queue: DispatchQueue) {
        process = .required(for: "CXCallController")
        self.queue = queue
        observer = process.run { CXCallObserver() }
    }

    /// Watches the calls of the phone.
    open var callObserver: CXCallObserver { observer }

    /// Requests a transaction.
    ///
    /// The completion is called with nil when the phone accepted the transaction, which is performed after that
    /// (O1), or with a ``CXErrorCodeRequestTransactionError``.
    open func request(_ transaction: CXTransaction, completion: @escaping @Sendable ((any Error)?) -> Void) {
        process.request(on: queue, completion: completion) { request in
            .requestTransaction(request: request, transaction: transaction.boundaryValue)
        }
    }

    /// Requests a transaction; returns when the phone has accepted it.
    ///
    /// - Throws: ``CXErrorCodeRequestTransactionError``.
    nonisolated(nonsending) open func request(_ transaction: CXTransaction) async throws {
        try await process.request(on: queue) { request in
            .requestTransaction(request: request, transaction: transaction.boundaryValue)
        }
    }

    /// Requests a transaction of some actions.
    open func requestTransaction(
        with actions: [CXAction], completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        request(CXTransaction(actions: actions), completion: completion)
    }

    /// Requests a transaction of some actions; returns when the phone has accepted it.
    ///
    /// - Throws: ``CXErrorCodeRequestTransactionError``.
    nonisolated(nonsending) open func requestTransaction(with actions: [CXAction]) async throws {
        try await request(CXTransaction(actions: actions))
    }

    /// Requests a transaction of one action.
    open func requestTransaction(with action: CXAction, completion: @escaping @Sendable ((any Error)?) -> Void) {
        request(CXTransaction(action: action), completion: completion)
    }

    /// Requests a transaction of one action; returns when the phone has accepted it.
    ///
    /// - Throws: ``CXErrorCodeRequestTransactionError``.
    nonisolated(nonsending) open func requestTransaction(with action: CXAction) async throws {
        try await request(CXTransaction(action: action))
    }
}
