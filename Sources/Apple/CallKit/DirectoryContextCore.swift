// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import VirtualPhone

/// A context's end of the boundary: collects entries and passes them on in batches.
///
/// A list's lock is held while its batch is sent, so that batches arrive in the order of the entries.
final class DirectoryContextCore: Sendable {
    struct Delegate {
        weak var object: (any CXCallDirectoryExtensionContextDelegate)?
    }

    /// How many entries a message carries.
    static let batchSize = 512

    let process: AppProcess?
    let id: UUID
    let delegate = Locked(Delegate())
    let blocking = Locked(DirectoryCollector(list: .blocking))
    let identification = Locked(DirectoryCollector(list: .identification))
    private let incremental = Locked<Bool?>(nil)
    private let isOver = Locked(false)

    init(process: AppProcess?, id: UUID) {
        self.process = process
        self.id = id
    }

    @discardableResult
    func send(_ request: DirectoryRequest) -> AppReply {
        process?.send(.directory(request)) ?? .done
    }

    /// Lives as long as the process: what the extension does later needs no reference of its own.
    func attach(_ context: CXCallDirectoryExtensionContext) {
        process?.attach(id, queue: DispatchQueue(label: "CXCallDirectoryExtensionContext")) { [self] event in
            guard case .directory(_, .requestFailed(let error)) = event else { return }
            delegate.withLock { $0.object }?.requestFailed(for: context, withError: error.callKitError)
        }
    }

    func readIncremental() -> Bool {
        if let known = incremental.withLock({ $0 }) { return known }
        flush()
        guard case .isIncremental(let isIncremental) = send(.readIncremental(context: id)) else { return false }
        incremental.withLock { $0 = isIncremental }
        return isIncremental
    }

    /// Collects one entry; the caller holds the list's lock.
    func put(
        _ collector: inout DirectoryCollector, _ number: Int64, _ operation: DirectoryBatch.Operation, label: String?
    ) {
        collector.append(number, operation, label: label)
        // A removal that is not allowed ends the extension where it stands (D2).
        let isRisky = operation != .add && incremental.withLock { $0 } != true
        if isRisky || collector.count >= DirectoryContextCore.batchSize { pass(&collector) }
    }

    private func pass(_ collector: inout DirectoryCollector) {
        guard collector.count > 0, !isOver.withLock({ $0 }) else { return collector.reset() }
        let batch = collector.take()
        if case .failure = send(.entries(context: id, batch)) { isOver.withLock { $0 = true } }
    }

    private func flush() {
        blocking.withLock { pass(&$0) }
        identification.withLock { pass(&$0) }
    }

    func complete(_ completion: (@Sendable (Bool) -> Void)?) {
        flush()
        let request = UUID()
        process?.attach(request, queue: DispatchQueue(label: "CXCallDirectoryExtensionContext.completion")) {
            [weak process] event in
            process?.detach(request)
            guard case .directory(_, .requestCompleted(let expired)) = event else { return }
            completion?(expired)
        }
        send(.complete(context: id, completion: request))
    }
}

/// Entries of one kind that wait to be passed on.
struct DirectoryCollector {
    private let list: DirectoryBatch.List
    private var numbers: [Int64] = []
    private var operations: [UInt8] = []
    private var hasRemovals = false
    private var labels: [String] = []
    private var places: [String: UInt16] = [:]
    private var indexes: [UInt16] = []

    init(list: DirectoryBatch.List) {
        self.list = list
    }

    var count: Int { numbers.count }

    mutating func append(_ number: Int64, _ operation: DirectoryBatch.Operation, label: String?) {
        numbers.append(number.littleEndian)
        operations.append(operation.rawValue)
        if operation != .add { hasRemovals = true }
        guard list == .identification else { return }
        indexes.append(place(of: label ?? "").littleEndian)
    }

    private mutating func place(of label: String) -> UInt16 {
        if let place = places[label] { return place }
        let place = UInt16(labels.count)
        labels.append(label)
        places[label] = place
        return place
    }

    /// The collected entries as a message; none are left.
    mutating func take() -> DirectoryBatch {
        defer { reset() }
        return DirectoryBatch(
            list: list, numbers: numbers.withUnsafeBytes { Data($0) },
            operations: hasRemovals ? Data(operations) : Data(),
            labels: labels, labelIndexes: indexes.withUnsafeBytes { Data($0) })
    }

    mutating func reset() {
        numbers.removeAll(keepingCapacity: true)
        operations.removeAll(keepingCapacity: true)
        hasRemovals = false
        labels.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        indexes.removeAll(keepingCapacity: true)
    }
}
