// SPDX-License-Identifier: MIT

/// What the server has to hear, in the order in which it was decided.
///
/// Invariant: a call has each word at most once.
struct Outbox: Hashable, Sendable, Codable {
    /// How long a word is owed; the server's own deadlines have ended the call long before.
    static let memory: TimeSpan = .seconds(24 * 3600)
    /// How many words are owed at most; the oldest give way.
    static let capacity = 256

    private(set) var signals: [OwedSignal]

    init(_ signals: [OwedSignal] = []) {
        self.signals = signals
    }

    /// Owes a word; false when it is owed already.
    mutating func owe(_ word: OwedSignal.Word, of call: CallID, at now: Instant) -> Bool {
        guard !signals.contains(where: { $0.call == call && $0.word == word }) else { return false }
        forget(at: now)
        if signals.count >= Outbox.capacity { signals.removeFirst() }
        signals.append(OwedSignal(call, word, since: now))
        return true
    }

    /// The server confirmed a word; false when it was not owed.
    mutating func settle(_ word: OwedSignal.Word, of call: CallID) -> Bool {
        guard let index = signals.firstIndex(where: { $0.call == call && $0.word == word }) else { return false }
        signals.remove(at: index)
        return true
    }

    /// The server ended the call; false when nothing was owed.
    mutating func settleAll(of call: CallID) -> Bool {
        let before = signals.count
        signals.removeAll { $0.call == call }
        return signals.count != before
    }

    /// Drops what is too old to matter.
    mutating func forget(at now: Instant) {
        signals.removeAll { $0.since + Outbox.memory < now }
    }
}
