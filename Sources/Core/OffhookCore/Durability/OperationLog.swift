// SPDX-License-Identifier: MIT

/// The app's operations: those on their way, and the results of those that are done (R82-R85).
///
/// ```
///            begin                     complete
///   (new) ──────────► pending ────────────────────► completed ──────────► forgotten
///                                                                24 h or 10,000
/// ```
///
/// Invariants: an id belongs to one command; an operation is completed once.
public struct OperationLog: Sendable {
    /// How long a result is kept (R85).
    public static let memory: TimeSpan = .seconds(24 * 3600)
    /// How many results are kept (R85).
    public static let capacity = 10_000

    struct Completed: Hashable, Sendable, Codable {
        /// Stands for the command.
        var fingerprint: UInt64
        var result: OperationResult
    }

    /// The operations on their way, oldest first.
    var pending: [PendingCommand] = []
    /// The results from `head` on, oldest first.
    private var storage: [Completed] = []
    private var head = 0
    /// How many were cut off in front of `storage`.
    private var cut = 0
    /// Where the result of an operation is, counted from the first ever; made when it is first needed, so that a cold
    /// start does not pay for it.
    private var places: [OperationID: Int]?

    /// Makes an empty log.
    public init() {}

    init(pending: [PendingCommand], completed: [Completed]) {
        self.pending = pending
        storage = completed
    }

    var completed: ArraySlice<Completed> { storage[head...] }

    /// The results, oldest first.
    public var results: [OperationResult] { completed.map(\.result) }

    /// The result of an operation; nil when there is none.
    public func result(of id: OperationID) -> OperationResult? { entry(of: id)?.result }

    /// Whether the operation is on its way.
    public func isPending(_ id: OperationID) -> Bool { pending.contains { $0.id == id } }

    /// What a command with this id would meet.
    public func standing(of id: OperationID, for command: PhoneMachine.Command) -> OperationStanding {
        if let earlier = pending.first(where: { $0.id == id }) {
            return earlier.command == command ? .pending : .conflict
        }
        guard let earlier = entry(of: id) else { return .new }
        return earlier.fingerprint == command.fingerprint ? .completed(earlier.result) : .conflict
    }

    /// Puts a new operation on its way.
    public mutating func begin(_ id: OperationID, _ command: PhoneMachine.Command, deadline: Instant) {
        pending.append(PendingCommand(id: id, command: command, deadline: deadline))
    }

    /// Completes an operation, known as pending or not; a completed one is left as it is.
    public mutating func complete(_ result: OperationResult, of command: PhoneMachine.Command, at now: Instant) {
        pending.removeAll { $0.id == result.id }
        var places = self.places ?? placed()
        self.places = nil
        if places[result.id] == nil {
            places[result.id] = cut + storage.count
            storage.append(Completed(fingerprint: command.fingerprint, result: result))
        }
        self.places = places
        forget(at: now)
    }

    /// Takes in what an earlier process left; what is here is newer.
    mutating func adopt(_ earlier: OperationLog) {
        let here = self
        self = earlier
        pending += here.pending
        storage += here.completed
        places = nil
    }

    private func entry(of id: OperationID) -> Completed? {
        guard let places else { return completed.last { $0.result.id == id } }
        return places[id].map { storage[$0 - cut] }
    }

    private func placed() -> [OperationID: Int] {
        var places: [OperationID: Int] = [:]
        places.reserveCapacity(storage.count + 1)
        for index in storage.indices[head...] { places[storage[index].result.id] = cut + index }
        return places
    }

    private mutating func forget(at now: Instant) {
        let start = head
        head = max(head, storage.count - OperationLog.capacity)
        while head < storage.count, storage[head].result.completedAt + OperationLog.memory < now { head += 1 }
        for index in start..<head { places?[storage[index].result.id] = nil }
        guard head >= 1024 else { return }  // cutting moves the rest, so it is done seldom
        storage.removeFirst(head)
        cut += head
        head = 0
    }
}

extension OperationLog: Hashable {
    /// Compares what is in the logs, not how they find it.
    public static func == (left: OperationLog, right: OperationLog) -> Bool {
        left.pending == right.pending && left.completed == right.completed
    }

    /// Hashes what is in the log.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(pending)
        hasher.combine(completed)
    }
}

extension OperationLog: Codable {
    private enum CodingKeys: CodingKey { case pending, completed }

    /// Decodes what is in the log.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            pending: try container.decode([PendingCommand].self, forKey: .pending),
            completed: try container.decode([Completed].self, forKey: .completed))
    }

    /// Encodes what is in the log.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(pending, forKey: .pending)
        try container.encode(Array(completed), forKey: .completed)
    }
}
