// SPDX-License-Identifier: MIT

import Offhook
import OffhookTesting
import Testing

@testable import Offhook

/// What the app is told, over restarts (R86, R89).
@Suite(.timeLimit(.minutes(2))) struct JournalTests {
    private let call = EngineBench.call

    private func begin(
        _ iterator: inout AsyncStream<JournalEvent>.AsyncIterator
    ) async -> (start: JournalSession.Start, calls: [CallID], cursor: JournalCursor)? {
        guard case .began(let start, let calls, let cursor)? = await iterator.next() else { return nil }
        return (start, calls.map(\.id), cursor)
    }

    private func entry(_ iterator: inout AsyncStream<JournalEvent>.AsyncIterator) async -> JournalEntry? {
        guard case .entry(let entry)? = await iterator.next() else { return nil }
        return entry
    }

    @Test("R86: fresh, then live with rising sequences; resumed from what was acknowledged, after a restart")
    func resume() async throws {
        let bench = EngineBench()
        var first = bench.engine.makeSession(after: nil).makeAsyncIterator()
        let began = try #require(await begin(&first))
        #expect(began.start == .fresh && began.calls == [])
        try bench.push()
        let rings = try #require(await entry(&first))
        #expect(rings.call == call && rings.source == .platform)
        #expect(rings.sequence == began.cursor.sequence + 1)
        bench.engine.acknowledge(rings.cursor)
        bench.give(.server(call, .ended(.callerCancelled)))
        bench.relaunch()
        var second = bench.engine.makeSession(after: nil).makeAsyncIterator()
        let resumed = try #require(await begin(&second))
        #expect(resumed.start == .resumed && resumed.cursor == rings.cursor && resumed.calls == [])
        let ended = try #require(await entry(&second))
        guard case .callChanged(let change) = ended.content else {
            Issue.record("\(ended)")
            return
        }
        #expect(change.hasEnded && ended.sequence > rings.sequence && ended.source == .signaling)
    }

    @Test("R86, R90: a cursor that is not of this journal is a gap: the snapshot stands for it") func gap() async throws
    {
        let bench = EngineBench()
        try bench.push()
        for cursor in [
            JournalCursor(generation: 9, sequence: 1), JournalCursor(generation: 1, sequence: 1),
            JournalCursor(generation: 1, sequence: .max),
        ] {
            var events = bench.engine.makeSession(after: cursor).makeAsyncIterator()
            let began = try #require(await begin(&events))
            #expect(began.start == .resynced && began.calls == [call])
            #expect(await entry(&events)?.content == .resyncRequired)
        }
    }

    @Test("R86: one reader at a time; R89: a reader that goes ends no call and repeats no command") func readers()
        async throws
    {
        let bench = EngineBench()
        try bench.push()
        var first: AsyncStream<JournalEvent>.AsyncIterator? = bench.engine.makeSession(after: nil).makeAsyncIterator()
        _ = await first?.next()
        var second = bench.engine.makeSession(after: nil).makeAsyncIterator()
        _ = await second.next()
        #expect(await first?.next() == nil)
        first = nil
        let orders = bench.system.orders
        _ = bench.engine.makeSession(after: nil)
        #expect(bench.engine.currentCalls.map(\.id) == [call])
        #expect(bench.system.orders == orders)
    }

    @Test("R86: the end of an operation is in the journal") func operations() async throws {
        let bench = EngineBench()
        var events = bench.engine.makeSession(after: nil).makeAsyncIterator()
        _ = await events.next()
        let result = await bench.engine.perform(.answer(call), OperationID(), within: nil)
        #expect(await entry(&events)?.content == .operationCompleted(result))
    }

    @Test("R9: a journal that cannot be used is left as it is; what happens is told all the same") func damaged()
        async throws
    {
        let bench = EngineBench(start: false)
        bench.files.files["1/journal"] = Array("nonsense nonsense nonsense nonsense".utf8)
        bench.start()
        try bench.push()
        var events = bench.engine.makeSession(after: nil).makeAsyncIterator()
        #expect(try #require(await begin(&events)).calls == [call])
        #expect(bench.files.files["1/journal"] == Array("nonsense nonsense nonsense nonsense".utf8))
        await bench.until("the app is warned") { bench.warnings == [.notStored] }
    }

    @Test("R86: a record torn by the end of the process is cut off") func torn() async throws {
        let bench = EngineBench()
        try bench.push()
        let whole = try #require(bench.files.files["1/journal"])
        bench.files.files["1/journal"] = whole + [1, 2, 3]
        bench.relaunch()
        var events = bench.engine.makeSession(after: nil).makeAsyncIterator()
        _ = await events.next()
        #expect(try #require(bench.files.files["1/journal"]).starts(with: whole.prefix(20)))
        #expect(bench.warnings.isEmpty)
    }
}
