// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@Suite struct OperationLogTests {
    private func result(_ number: Int, at now: Instant = Fixture.start) -> OperationResult {
        OperationResult(OperationID(number), call: Fixture.call, .applied, at: now)
    }

    @Test("R82: the same id and command have the same result, another command is a conflict") func idempotence() {
        var log = OperationLog()
        let id = OperationID(1)
        #expect(log.standing(of: id, for: .answer(Fixture.call)) == .new)
        log.begin(id, .answer(Fixture.call), deadline: Fixture.at(4000))
        #expect(log.standing(of: id, for: .answer(Fixture.call)) == .pending)
        #expect(log.standing(of: id, for: .end(Fixture.call)) == .conflict)
        #expect(log.result(of: id) == nil)
        log.complete(result(1), of: .answer(Fixture.call), at: Fixture.start)
        #expect(!log.isPending(id))
        #expect(log.standing(of: id, for: .answer(Fixture.call)) == .completed(result(1)))
        #expect(log.standing(of: id, for: .answer(Fixture.other)) == .conflict)
    }

    @Test("R84: a completed operation is not completed again") func once() {
        var log = OperationLog()
        log.complete(result(1), of: .answer(Fixture.call), at: Fixture.start)
        log.complete(result(1, at: Fixture.at(9)), of: .answer(Fixture.call), at: Fixture.at(9))
        #expect(log.results == [result(1)])
    }

    @Test("R85: results are kept for a day, ten thousand of them") func limits() {
        var log = OperationLog()
        for number in 0..<12_000 { log.complete(result(number), of: .answer(Fixture.call), at: Fixture.start) }
        #expect(log.results.count == 10_000)
        #expect(log.result(of: OperationID(1999)) == nil)
        #expect(log.result(of: OperationID(2000)) == result(2000))
        let day = Fixture.start + OperationLog.memory
        log.complete(result(12_000, at: day), of: .answer(Fixture.call), at: day)
        #expect(log.result(of: OperationID(2001)) == result(2001))
        let late = day + .milliseconds(1)
        log.complete(result(12_001, at: late), of: .answer(Fixture.call), at: late)
        #expect(log.results.map(\.id) == [OperationID(12_000), OperationID(12_001)])
        #expect(log.result(of: OperationID(12_000)) != nil)
    }

    @Test("Logs with the same content are equal, however they find it") func equality() throws {
        var written = OperationLog()
        for number in 0..<3 { written.complete(result(number), of: .answer(Fixture.call), at: Fixture.start) }
        var checkpoint = Checkpoint(generation: Fixture.generation, savedAt: Fixture.start)
        checkpoint.operations = written
        let read = try CheckpointCodec.decode(CheckpointCodec.encode(checkpoint)).operations
        #expect(read == written)
        #expect(Set([read, written]).count == 1)
        #expect(read.result(of: OperationID(2)) == result(2))
        #expect(read.standing(of: OperationID(2), for: .end(Fixture.call)) == .conflict)
    }
}
