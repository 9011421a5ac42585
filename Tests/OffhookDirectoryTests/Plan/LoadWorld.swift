// SPDX-License-Identifier: MIT

import OffhookDirectory

/// An app, its extension and a phone, with everything going wrong that can.
struct LoadWorld {
    var random: Generator
    var phone = PhoneModel()
    var state = LoadState()
    /// Every version that was published, and the files that are still kept.
    var files: [LoadState.Version: DirectoryFile] = [:]
    var target: LoadState.Version
    var shard: DirectoryShard
    var asksForFull = false
    var hasFaults = true
    /// The most changes per request before the phone interrupts it; nil: any number.
    var cap: Int?
    var needlessFullLoads = 0

    init(random: Generator) throws {
        self.random = random
        target = .init(fingerprint: 0, shards: 1)
        shard = .whole
        phone.isLenient = Bool.random(using: &self.random)
        try publish()
    }

    /// A new list, and sometimes one more extension.
    mutating func publish() throws {
        if Int.random(in: 0..<6, using: &random) == 0 {
            let count = Int.random(in: 1...4, using: &random)
            shard = DirectoryShard(index: 0, count: count) ?? .whole
        }
        var entries: [DirectoryEntry] = []
        var number: Int64 = 1000
        for _ in 0..<Int.random(in: 0...30, using: &random) {
            number += Int64.random(in: 1...3, using: &random)
            let last =
                number + (Int.random(in: 0..<5, using: &random) == 0 ? Int64.random(in: 1...9, using: &random) : 0)
            let labels = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                "L\(Int.random(in: 0...2, using: &random))"
            }
            let blocked = labels.isEmpty || Bool.random(using: &random)
            entries.append(
                DirectoryEntry(
                    first: number, last: last, attributes: DirectoryAttributes(blocked: blocked, labels: labels)))
            number = last
        }
        let file = try DirectoryFile(DirectoryLists.compile(entries))
        target = .init(fingerprint: file.summary.fingerprint, shards: shard.count)
        files[target] = file
    }

    /// One thing that happens.
    mutating func act() throws {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: try publish()
        case 1: asksForFull = true
        case 2:
            // The app tidied up too much.
            if let lost = files.keys.sorted(by: { $0.fingerprint < $1.fingerprint }).randomElement(using: &random),
                lost != target
            {
                files[lost] = nil
            }
        // One number may need four changes: what was blocked or named is removed, and two names and a block are added.
        // A phone that takes fewer can never have the list.
        case 3: cap = Bool.random(using: &random) ? nil : Int.random(in: 4...40, using: &random)
        default: try load()
        }
    }

    /// One request of the phone to the extension.
    mutating func load() throws {
        if hasFaults, Int.random(in: 0..<8, using: &random) == 0 { return doNotRun() }
        let isKnown = state.attempt == nil && state.content != .unknown
        var reads = 0
        let asks = asksForFull
        let files = files
        let step = state.step(
            toward: target, isAvailable: { files[$0] != nil },
            isIncremental: {
                reads += 1
                return !asks
            })
        let isFull = reads == 0 || asks
        var request = Request()
        var outcome = DirectoryLoad.Outcome(through: nil, changes: 0)
        switch step {
        case .nothing: break
        case .full(let new):
            if isKnown, !asks, reads > 0 { needlessFullLoads += 1 }
            guard let file = files[new] else { return }
            outcome = try DirectoryLoad(from: nil, to: file, shard: shard).run(limit: limit, into: &request)
        case .changes(let old, let new, let after):
            guard let file = files[new] else { return }
            var before: (file: DirectoryFile, shard: DirectoryShard?)?
            if let old, let file = files[old] {
                before = (file, DirectoryShard(index: shard.index, count: old.shards))
            }
            // What was begun with other shards is finished with them.
            let share = DirectoryShard(index: shard.index, count: new.shards) ?? shard
            outcome = try DirectoryLoad(from: before, to: file, shard: share, after: after)
                .run(limit: limit, into: &request)
        }
        if hasFaults, Int.random(in: 0..<8, using: &random) == 0 { return end(isFull: isFull) }
        state.begin(step, through: outcome.through, changes: outcome.changes)
        answer(request, isFull: isFull)
    }

    /// The phone does not come to run the extension; the app hears why, or hears nothing.
    private mutating func doNotRun() {
        let results: [LoadResult] = [
            .unavailable, .disabled, .noSuchExtension, .busy, .interrupted, .databaseDamaged, .timedOut,
            .unknown(domain: "x", code: 0),
        ]
        if let result = results.randomElement(using: &random) { state.finish(result, hasBegun: false) }
    }

    /// The extension's process ends before it has given everything, for the phone's reasons or its own.
    private mutating func end(isFull: Bool) {
        if isFull, Bool.random(using: &random) { phone.stored = [:] }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: break
        case 1:
            state.cancel()
            state.finish(.interrupted)
        case 2: state.finish(.unknown(domain: "x", code: 1))
        default: state.finish(.interrupted)
        }
    }

    private var limit: Int? {
        // The state's limit is never below a thousand; the model's lists are small.
        cap.flatMap { state.chunk == nil ? nil : max(1, $0) }
    }

    private mutating func answer(_ request: Request, isFull: Bool) {
        var result: LoadResult
        if hasFaults, Int.random(in: 0..<4, using: &random) == 0 {
            let faults: [LoadResult] = [
                .expired, .interrupted, .disabled, .unavailable, .unknown(domain: "x", code: 1), .tooManyEntries,
                .outOfOrder, .duplicate, .removalInFullLoad, .alreadyStored, .databaseDamaged, .noSuchExtension,
            ]
            result = faults[Int.random(in: 0..<faults.count, using: &random)]
            // A full load that failed may have taken the old list with it.
            if isFull, Bool.random(using: &random) { phone.stored = [:] }
        } else if let cap, request.changes > cap {
            result = Bool.random(using: &random) ? .expired : .interrupted
        } else {
            result = phone.take(request, isFull: isFull)
            if result == .stored { asksForFull = false }
        }
        // Both processes may learn of it, one, or none.
        guard hasFaults, Int.random(in: 0..<6, using: &random) == 0 else {
            // The extension may have heard first that everything was kept.
            if Int.random(in: 0..<3, using: &random) == 0 { state.finish(.stored) }
            state.finish(result)
            if Bool.random(using: &random) { state.finish(result) }
            return
        }
        if Bool.random(using: &random) { state.finish(Bool.random(using: &random) ? .timedOut : .busy) }
    }

    /// Without faults, until the extension says that the phone has everything.
    mutating func settle() throws {
        hasFaults = false
        for _ in 0..<200 {
            if state.has(target), !asksForFull { return }
            try load()
        }
    }

    func expected() throws -> [Int64: PhoneModel.Entry] {
        guard let file = files[target] else { return [:] }
        return try PhoneModel.meaning(of: file, shard: shard)
    }
}

/// SplitMix64.
struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
