// SPDX-License-Identifier: MIT

import OffhookCore

/// What devices said of calls that do not exist yet, kept for the invitation that may still come (race 18).
///
/// Only the caller's signals, cancels and hang-ups have a meaning before the invitation. Bounded by calls, words and
/// bytes, and forgotten after two minutes; nothing is promised: who says them is told `unknownCall`.
struct EarlyWords {
    private struct Key: Hashable {
        var call: CallID
        var party: BrokerParty
    }

    private struct Entry {
        var events: [BrokerEvent] = []
        var bytes = 0
        var since: TimeSpan
    }

    static let callsPerDevice = 4
    static let calls = 256
    static let wordsPerCall = 64
    static let bytesPerCall = 131_072
    static let lifetime = TimeSpan.seconds(120)

    private var entries: [Key: Entry] = [:]
    /// The keys in the order of their first words.
    private var order: [Key] = []

    /// How many calls something is kept for.
    var count: Int { entries.count }

    /// Keeps a word, if it has a meaning before the invitation and there is room.
    mutating func keep(
        _ command: BrokerCommand, message: String, of call: CallID, from party: BrokerParty, at now: TimeSpan
    ) {
        var bytes = 0
        var isEnd = false
        switch command {
        case .cancel, .hangup: isEnd = true
        case .media(let signal): bytes = signal.body.utf8.count
        case .ringing, .answer, .decline, .busy, .connected, .update: return
        }
        forget(before: now - EarlyWords.lifetime)
        let key = Key(call: call, party: party)
        if entries[key] == nil {
            if order.count(where: { $0.party == party }) >= EarlyWords.callsPerDevice,
                let oldest = order.first(where: { $0.party == party })
            {
                remove(oldest)
            }
            if order.count >= EarlyWords.calls, let oldest = order.first { remove(oldest) }
            order.append(key)
        }
        var entry = entries[key] ?? Entry(since: now)
        // An end always has room: it is what keeps a phone from ringing.
        if isEnd { entry.events = [] }
        if isEnd || (entry.events.count < EarlyWords.wordsPerCall && entry.bytes + bytes <= EarlyWords.bytesPerCall) {
            entry.events.append(.received(command, from: party, message: message))
            entry.bytes += bytes
        }
        entries[key] = entry
    }

    /// Gives out what the device said of the call, and forgets it.
    mutating func take(_ call: CallID, of party: BrokerParty) -> [BrokerEvent] {
        let key = Key(call: call, party: party)
        guard let entry = entries[key] else { return [] }
        remove(key)
        return entry.events
    }

    private mutating func forget(before moment: TimeSpan) {
        while let oldest = order.first, let entry = entries[oldest], entry.since < moment { remove(oldest) }
    }

    private mutating func remove(_ key: Key) {
        entries[key] = nil
        order.removeAll { $0 == key }
    }
}

/// How many calls each user has placed of late: an allowance that fills up again over a minute.
struct CallAllowance {
    private var used: [String: (count: Double, at: TimeSpan)] = [:]

    /// Takes one call from the user's allowance: false when there is none left.
    mutating func take(_ user: String, limit: Int, at now: TimeSpan) -> Bool {
        // Who placed none for a minute has the whole allowance and need not be remembered.
        if used.count > 1_024 { used = used.filter { now - $0.value.at < .seconds(60) } }
        var count = 0.0
        if let last = used[user] { count = max(0, last.count - (now - last.at).seconds * Double(limit) / 60) }
        guard count + 1 <= Double(limit) else { return false }
        used[user] = (count + 1, now)
        return true
    }
}
