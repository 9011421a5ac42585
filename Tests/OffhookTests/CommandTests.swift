// SPDX-License-Identifier: MIT

import Offhook
import OffhookTesting
import OffhookWire
import Testing
import VirtualPhone

/// What commands return, and what an operation's id is for.
@Suite(.timeLimit(.minutes(2))) struct CommandTests {
    private let id = Bench.call

    @Test("R83: every command before start() is rejected, with a code and advice") func notStarted() async throws {
        let configuration = CallCenter.Configuration(
            serverURL: "ws://server", sessionToken: { "token" }, deviceID: "device", bundleIdentifier: "bundle")
        let calls = CallCenter(
            configuration: configuration, media: RecordingMedia(), transport: ScriptedServer(),
            clock: ManualClock(now: Instant(milliseconds: 7)))
        let results = [
            await calls.startCall(to: Handle(value: "bob")), await calls.answer(id), await calls.end(id),
            await calls.setMuted(true, for: id), await calls.setHeld(true, for: id), await calls.swap(to: id),
            await calls.merge(id, with: id), await calls.split(id), await calls.playTones("1", in: id),
            await calls.setRoute("speaker", for: id), await calls.setDisplayName("Bob", for: id),
            await calls.setCamera(true, in: id), await calls.switchCamera(to: .back, in: id),
            await calls.setTranslation(nil, for: id),
        ]
        for result in results {
            #expect(result.status == .rejected)
            #expect(result.failure == CallFailure(.notStarted, "Call start() at launch first."))
            #expect(result.completedAt == Instant(milliseconds: 7))
        }
        #expect(results.dropFirst().allSatisfy { $0.call == id })
        #expect(Set(results.map(\.id)).count == results.count)  // each a new operation
    }

    @Test("R83: get() is the call, or an error with the failure's code") func getting() throws {
        func result(_ status: OperationResult.Status, _ failure: CallFailure? = nil) -> OperationResult {
            OperationResult(OperationID(), call: id, status, failure: failure, at: Instant(milliseconds: 0))
        }
        #expect(try result(.applied).get() == id)
        let failures: [(OperationResult, OffhookError.Code)] = [
            (result(.rejected, CallFailure(.busy, "")), .busy), (result(.rejected), .invalidState),
            (result(.timedOut), .deadlineExceeded), (result(.unknown), .outcomeUnknown),
        ]
        for (result, code) in failures {
            #expect { try result.get() } throws: { ($0 as? OffhookError)?.code == code }
        }
    }

    @Test("R82: the same operation given twice is done once, and both callers get its one result")
    func sameOperation() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.ring()
        let calls = try #require(bench.app?.calls)
        let operation = OperationID()
        let first = Task { await calls.answer(id, operation: operation) }
        let second = Task { await calls.answer(id, operation: operation) }
        await bench.until("the answer is claimed") { bench.heard(.answer(call: id)) }
        bench.server.say(.answered(call: id))
        let (one, other) = (await first.value, await second.value)
        #expect(one == other)
        #expect(one.status == .applied && one.id == operation && one.call == id)
        #expect(bench.server.heard.count { $0 == .answer(call: id) } == 1)
        bench.expectClean()
    }

    @Test("R82: an operation's id used for another command at the same time is a conflict; the first goes on")
    func conflict() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.ring()
        let calls = try #require(bench.app?.calls)
        let operation = OperationID()
        let answer = Task { await calls.answer(id, operation: operation) }
        await bench.until("the answer is claimed") { bench.heard(.answer(call: id)) }
        let other = await calls.end(id, operation: operation)
        #expect(other.status == .rejected && other.failure?.code == .conflict)
        bench.server.say(.answered(call: id))
        #expect(await answer.value.status == .applied)
        bench.expectClean()
    }

    @Test("R82, R58: a call's id is that of the operation that started it") func callIdentity() async throws {
        let bench = Bench()
        defer { bench.close() }
        await bench.open()
        let calls = try #require(bench.app?.calls)
        let operation = OperationID()
        let results = [
            await calls.startCall(to: Handle(value: "bob"), operation: operation),
            await calls.startCall(to: Handle(value: "bob"), operation: operation, within: .seconds(5)),
        ]
        #expect(results.allSatisfy { $0.call == CallID(high: operation.high, low: operation.low) })
        #expect(results.first?.status == .applied)
        #expect(bench.server.heard.count { if case .invite = $0 { true } else { false } } == 1)
    }

    @Test("Cancelling the task that waits ends neither the operation nor the call") func cancelledTask() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.ring()
        let calls = try #require(bench.app?.calls)
        let answer = Task { await calls.answer(id) }
        await bench.until("the answer is claimed") { bench.heard(.answer(call: id)) }
        answer.cancel()
        bench.server.say(.answered(call: id))
        #expect(await answer.value.status == .applied)
        #expect(bench.phone.snapshot.calls.first?.phase == .connected)
        bench.expectClean()
    }

    @Test("R83: who waits while the call center stops is told that nobody knows") func stopped() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.ring()
        let calls = try #require(bench.app?.calls)
        let answer = Task { await calls.answer(id) }
        await bench.until("the answer is claimed") { bench.heard(.answer(call: id)) }
        calls.stop()
        let result = await answer.value
        #expect(result.status == .unknown && result.call == id)
        #expect(await calls.end(id).failure?.message == "It was stopped; make a new call center.")
    }

    @Test("Arguments that cannot be used are rejections") func invalidArguments() async throws {
        let bench = Bench()
        defer { bench.close() }
        await bench.open()
        let calls = try #require(bench.app?.calls)
        let bob = Handle(value: "bob")
        let tooLong = String(repeating: "x", count: 257)
        for result in [
            await calls.startCall(to: Handle(value: "")), await calls.startCall(to: Handle(value: tooLong)),
            await calls.startCall(to: bob, displayName: ""), await calls.startCall(to: bob, displayName: tooLong),
        ] {
            #expect(result.status == .rejected && result.failure?.code == .invalidArgument)
        }
        #expect(bench.server.heard.allSatisfy { if case .invite = $0 { false } else { true } })
    }
}
