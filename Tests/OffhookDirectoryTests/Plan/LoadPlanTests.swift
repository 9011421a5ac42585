// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import OffhookDirectory

@Suite struct LoadPlanTests {
    @Test("A plan under random faults always ends with exactly the right list on the phone")
    func randomFaults() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = Generator(state: seed)
        for round in 0..<2_000 {
            var world = try LoadWorld(random: random)
            for _ in 0..<Int.random(in: 1...25, using: &world.random) { try world.act() }
            try world.settle()
            #expect(world.phone.stored == (try world.expected()), "seed \(seed), round \(round)")
            #expect(world.needlessFullLoads == 0, "seed \(seed), round \(round)")
            random = world.random
        }
    }

    @Test("Bug 3: when the phone asks for the whole list in the middle, it gets the whole list")
    func fullRequestInTheMiddle() throws {
        var world = try LoadWorld(random: Generator(state: 3))
        world.cap = 5
        try world.settle()
        try world.publish()
        try world.load()
        world.asksForFull = true
        try world.load()
        try world.settle()
        #expect(world.phone.stored == (try world.expected()))
    }

    @Test("Bug 8: without a baseline the first load is full, not an empty delta")
    func noBaseline() {
        var state = LoadState()
        let target = LoadState.Version(fingerprint: 7, shards: 1)
        let step = state.step(toward: target, isAvailable: { _ in true }, isIncremental: { true })
        #expect(step == .full(new: target))
    }

    @Test("R110: with no baseline the flag is not read, which is how an extension asks for a full load")
    func flagIsNotRead() {
        var state = LoadState()
        var reads = 0
        _ = state.step(
            toward: .init(fingerprint: 7, shards: 1), isAvailable: { _ in true },
            isIncremental: {
                reads += 1
                return true
            })
        #expect(reads == 0)
    }

    @Test("P49: a known list is never removed and added again; only changes are sent")
    func onlyChanges() throws {
        let blocked = DirectoryLists.blocked
        let old = [
            DirectoryEntry(number: 1, attributes: blocked),
            DirectoryEntry(number: 14_085_551_212, attributes: DirectoryAttributes(blocked: false, labels: ["Johnny"])),
            DirectoryEntry(number: 33_162_000_000, attributes: DirectoryLists.spam),
            DirectoryEntry(first: 33_162_100_000, last: 33_162_100_999, attributes: blocked),
        ]
        let new = [
            DirectoryEntry(number: 2, attributes: blocked),
            DirectoryEntry(number: 14_085_551_212, attributes: DirectoryAttributes(blocked: false, labels: ["Jane"])),
            DirectoryEntry(first: 33_162_100_200, last: 33_162_100_999, attributes: blocked),
        ]
        let files = try [old, new].map { try DirectoryFile(DirectoryLists.compile($0)) }
        var request = Request()
        _ = try DirectoryLoad(from: nil, to: files[0], shard: .whole).run(limit: nil, into: &request)
        #expect(!request.hasRemovals)
        var phone = PhoneModel()
        #expect(phone.take(request, isFull: true) == .stored)
        var changes = Request()
        let outcome = try DirectoryLoad(from: (files[0], .whole), to: files[1], shard: .whole)
            .run(limit: nil, into: &changes)
        #expect(outcome.changes == changes.changes)
        #expect(changes.unblocked.count == 1 + 1 + 200)
        #expect(changes.unlabelled == [14_085_551_212, 33_162_000_000])
        #expect(changes.blocked == [2])
        #expect(changes.labelled.map(\.1) == ["Jane"])
        #expect(phone.take(changes, isFull: false) == .stored)
        #expect(try phone.stored == PhoneModel.meaning(of: files[1], shard: .whole))
    }

    @Test("A failure that the app learns of counts although the extension took the load for stored, in either order")
    func twoWitnesses() {
        let (one, two) = (LoadState.Version(fingerprint: 1, shards: 1), LoadState.Version(fingerprint: 2, shards: 1))
        var state = LoadState()
        func load(_ results: [LoadResult], toward target: LoadState.Version) {
            let step = state.step(toward: target, isAvailable: { _ in true }, isIncremental: { true })
            state.begin(step, through: nil, changes: 5000)
            for result in results { state.finish(result) }
        }
        load([.stored, .stored], toward: one)
        #expect(state.has(one))
        load([.stored, .interrupted, .interrupted], toward: two)
        #expect(state.content == .whole(one))
        #expect((state.chunk, state.failures) == (2500, 1))
        load([.expired, .stored], toward: two)
        #expect(state.content == .whole(one))
        load([.stored], toward: two)
        #expect(state.has(two))
        load([], toward: one)
        #expect(state.step(toward: one, isAvailable: { _ in true }, isIncremental: { true }) == .full(new: one))
    }

    @Test("A failure of a reload in which the extension did not run says nothing about the load before")
    func notRun() {
        let one = LoadState.Version(fingerprint: 1, shards: 1)
        let two = LoadState.Version(fingerprint: 2, shards: 1)
        var state = LoadState()
        for target in [one, two] {
            let step = state.step(toward: target, isAvailable: { _ in true }, isIncremental: { true })
            state.begin(step, through: nil, changes: 5000)
            state.finish(.stored)
        }
        for result: LoadResult in [.unavailable, .disabled, .interrupted, .unknown(domain: "x", code: 0)] {
            state.finish(result, hasBegun: false)
            #expect(state.has(two), "\(result)")
        }
    }

    @Test(
        "Bug 1, P48: an extension that is ended in the middle of its request is given half as much; success doubles it")
    func endedInTheMiddle() {
        let one = LoadState.Version(fingerprint: 1, shards: 1)
        let two = LoadState.Version(fingerprint: 2, shards: 1)
        var state = LoadState()
        func begin() -> LoadStep {
            state.step(toward: two, isAvailable: { _ in true }, isIncremental: { true })
        }
        state.begin(
            state.step(toward: one, isAvailable: { _ in true }, isIncremental: { true }), through: nil, changes: 1)
        state.finish(.stored)
        let changes = LoadStep.changes(old: one, new: two, after: 0)
        #expect(begin() == changes)
        state.finish(.interrupted)
        #expect((state.chunk, state.failures) == (999_999, 1))
        state.finish(.interrupted)
        #expect((state.chunk, state.failures) == (999_999, 1), "the second witness changes nothing")
        // What the phone has is known: it took nothing. So the whole list is not loaded again.
        #expect(begin() == changes)
        #expect(begin() == changes)
        #expect(state.chunk == 499_999, "nobody heard of the end, but the next request did")
        state.cancel()
        state.finish(.interrupted)
        #expect(state.chunk == 499_999, "a reason of its own says nothing about the size")
        state.begin(begin(), through: nil, changes: 400_000)
        state.finish(.stored)
        #expect(state.has(two))
        #expect(state.chunk == 999_998)
    }

    @Test("A full load that is begun and not ended leaves nothing that counts on the list before")
    func fullNotEnded() {
        let one = LoadState.Version(fingerprint: 1, shards: 1)
        var state = LoadState()
        state.begin(
            state.step(toward: one, isAvailable: { _ in true }, isIncremental: { true }), through: nil, changes: 1)
        state.finish(.stored)
        #expect(state.step(toward: one, isAvailable: { _ in true }, isIncremental: { false }) == .full(new: one))
        state.finish(.interrupted)
        #expect(!state.has(one))
        #expect(state.step(toward: one, isAvailable: { _ in true }, isIncremental: { true }) == .full(new: one))
    }

    @Test("A state that an older version wrote is read")
    func olderState() throws {
        let text = #"{"content":{"whole":{"_0":{"fingerprint":7,"shards":2}}},"failures":1}"#
        let state = try JSONDecoder().decode(LoadState.self, from: Data(text.utf8))
        #expect(state.has(.init(fingerprint: 7, shards: 2)))
        #expect((state.requests, state.failures) == (0, 1))
    }

    @Test("R112: every code has a meaning, unknown ones too")
    func codes() {
        let domain = LoadResult.managerDomain
        let expected: [LoadResult] = [
            .unknown(domain: domain, code: 0), .noSuchExtension, .interrupted, .outOfOrder, .duplicate,
            .tooManyEntries, .disabled, .busy, .removalInFullLoad, .unknown(domain: domain, code: 9),
        ]
        #expect((0...9).map { LoadResult(domain: domain, code: $0) } == expected)
        #expect(LoadResult(domain: domain, code: 102) == .unavailable)
        #expect(
            [19, 2067].map { LoadResult(domain: LoadResult.databaseDomain, code: $0) } == [
                .alreadyStored, .alreadyStored,
            ])
        #expect(LoadResult(domain: LoadResult.databaseDomain, code: 11) == .databaseDamaged)
    }

    @Test(
        "A number keeps its shard between versions; one more extension moves one number in that many, shares are even")
    func shards() throws {
        let count = 200_000
        var moved = 0
        var sizes = [Int](repeating: 0, count: 8)
        for index in 0..<count {
            let number = 49_300_000_000 + Int64(index)
            let before = DirectoryShard.index(of: number, count: 7)
            let after = DirectoryShard.index(of: number, count: 8)
            sizes[after] += 1
            if before != after {
                moved += 1
                #expect(after == 7)
            }
        }
        #expect(abs(Double(moved) / Double(count) - 1 / 8) < 0.005)
        #expect(sizes.allSatisfy { abs(Double($0) / Double(count) - 1 / 8) < 0.005 })
        #expect(DirectoryShard(index: 2, count: 2) == nil)
        #expect(DirectoryShard(index: 0, count: 65) == nil)
    }

    @Test("A plan counts what the loads of all extensions do, request by request", arguments: UInt64(1)...6)
    func counts(seed: UInt64) throws {
        var random = Generator(state: seed)
        func list() throws -> DirectoryFile {
            var entries: [DirectoryEntry] = []
            var number: Int64 = 4_930_000_000
            for _ in 0..<Int.random(in: 0...300, using: &random) {
                number += Int64.random(in: 1...4, using: &random)
                let last = number + (Bool.random(using: &random) ? 0 : Int64.random(in: 0...80, using: &random))
                let labels = (0..<Int.random(in: 0...2, using: &random)).map { "Label \($0)" }
                entries.append(
                    DirectoryEntry(
                        first: number, last: last,
                        attributes: DirectoryAttributes(
                            blocked: labels.isEmpty || Bool.random(using: &random), labels: labels)))
                number = last
            }
            return try DirectoryFile(DirectoryLists.compile(entries))
        }
        let (old, new) = (try list(), try list())
        for (base, extensions, chunk) in [(nil, 1, nil), (old, 3, nil), (nil, 3, 40), (old, 2, 7)]
            as [(DirectoryFile?, Int, Int?)]
        {
            let plan = try LoadPlan(from: base, to: new, extensions: extensions, chunk: chunk)
            for index in 0..<extensions {
                let shard = try #require(DirectoryShard(index: index, count: extensions))
                var receiver = Counter()
                var (requests, after): (Int, Int64?) = (0, 0)
                while let start = after {
                    let load = try DirectoryLoad(from: base.map { ($0, shard) }, to: new, shard: shard, after: start)
                    let outcome = try load.run(limit: chunk, into: &receiver)
                    requests += outcome.changes > 0 ? 1 : 0
                    after = outcome.through
                }
                let share = plan.shares[index]
                #expect(share.adds == receiver.adds && share.removes == receiver.removes, "seed \(seed)")
                #expect(share.requests == requests, "seed \(seed)")
                #expect(share.entries == (try DirectoryCapacity.entries(of: shard, in: new)), "seed \(seed)")
            }
        }
    }

    private struct Counter: DirectoryReceiver {
        var adds = 0
        var removes = 0
        mutating func addBlocked(_ number: Int64) { adds += 1 }
        mutating func addIdentification(_ number: Int64, label: String) { adds += 1 }
        mutating func removeBlocked(_ number: Int64) { removes += 1 }
        mutating func removeIdentification(_ number: Int64) { removes += 1 }
    }

    @Test("Bug 5: a list that no phone takes is refused before anything is counted")
    func capacity() throws {
        let country = try DirectoryFile(
            DirectoryLists.compile([
                DirectoryEntry(first: 33_000_000_000, last: 33_999_999_999, attributes: DirectoryLists.blocked)
            ]))
        #expect(DirectoryCapacity.extensions(for: country.summary) == nil)
        func extensions(_ count: Int64) throws -> Int? {
            let entry = DirectoryEntry(
                first: 33_000_000_000, last: 33_000_000_000 + count - 1, attributes: DirectoryLists.blocked)
            return DirectoryCapacity.extensions(for: try DirectoryFile(DirectoryLists.compile([entry])).summary)
        }
        #expect(try extensions(1_999_999) == 1)
        #expect(try extensions(2_000_000) == 2)
        #expect(try extensions(14_951_001) == 8)
    }
}
