// SPDX-License-Identifier: MIT

import OffhookDirectory

/// The plainest model of what a phone keeps for one extension, as strict as the rules: D1 to D5, D10.
struct PhoneModel {
    struct Entry: Hashable {
        var blocked = false
        var labels: [String] = []
    }

    var stored: [Int64: Entry] = [:]
    var cap = DirectoryCapacity.entriesPerExtension
    /// Whether adding what is stored changes nothing, in place of a database error (D10 is known with low confidence).
    var isLenient = false

    /// Takes a request whole or not at all.
    mutating func take(_ request: Request, isFull: Bool) -> LoadResult {
        if isFull, request.hasRemovals { return .removalInFullLoad }
        if let fault = request.fault { return fault }
        if request.additions > cap { return .tooManyEntries }
        var next = isFull ? [:] : stored
        for number in request.unblocked { next[number]?.blocked = false }
        for number in request.unlabelled { next[number]?.labels = [] }
        for number in request.blocked {
            if next[number]?.blocked == true, !isLenient { return .alreadyStored }
            next[number, default: Entry()].blocked = true
        }
        for (number, label) in request.labelled {
            if next[number]?.labels.contains(label) == true {
                if isLenient { continue }
                return .alreadyStored
            }
            next[number, default: Entry()].labels.append(label)
        }
        stored = next.filter { $0.value != Entry() }
        return .stored
    }

    /// What a shard of a directory means on a phone.
    static func meaning(of file: DirectoryFile, shard: DirectoryShard) throws -> [Int64: Entry] {
        var meaning: [Int64: Entry] = [:]
        var cursor = file.entries()
        while let entry = try cursor.next() {
            for number in entry.first...entry.last where shard.contains(number) {
                meaning[number] = Entry(blocked: entry.attributes.blocked, labels: entry.attributes.labels)
            }
        }
        return meaning
    }
}

/// The calls of one request, checked for order as they come (D3).
struct Request: DirectoryReceiver {
    var blocked: [Int64] = []
    var labelled: [(Int64, String)] = []
    var unblocked: [Int64] = []
    var unlabelled: [Int64] = []
    var fault: LoadResult?

    var hasRemovals: Bool { !unblocked.isEmpty || !unlabelled.isEmpty }
    var additions: Int { blocked.count + labelled.count }
    var changes: Int { additions + unblocked.count + unlabelled.count }

    mutating func addBlocked(_ number: Int64) {
        if let last = blocked.last, last >= number { fault = last == number ? .duplicate : .outOfOrder }
        blocked.append(number)
    }

    mutating func addIdentification(_ number: Int64, label: String) {
        if let last = labelled.last {
            if last.0 > number { fault = .outOfOrder }
            if last == (number, label) { fault = .duplicate }
        }
        labelled.append((number, label))
    }

    mutating func removeBlocked(_ number: Int64) { unblocked.append(number) }
    mutating func removeIdentification(_ number: Int64) { unlabelled.append(number) }
}
