// SPDX-License-Identifier: MIT

import OffhookCore

/// A reproducible source of random values.
struct TestRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    mutating func below(_ limit: Int) -> Int { Int(next() >> 1) % limit }
    mutating func chance(_ one: Int) -> Bool { below(one) == 0 }
    mutating func call() -> CallID { CallID(high: next(), low: next()) }
    mutating func operation() -> OperationID { OperationID(high: next(), low: next()) }
    mutating func instant() -> Instant { Instant(milliseconds: Int64(bitPattern: next()) / 2) }
    mutating func maybeInstant() -> Instant? { chance(2) ? instant() : nil }
    mutating func element<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

    mutating func text() -> String {
        var text = ""
        for _ in 0..<below(20) { text.append(element(["a", "ß", "日", "👩‍👧", "\0", " ", "z"])) }
        return text
    }

    mutating func details() -> CallDetails {
        CallDetails(
            handle: Handle(kind: element(Handle.Kind.allCases), value: text()), displayName: chance(2) ? text() : nil,
            video: chance(2))
    }

    mutating func command() -> PhoneMachine.Command {
        let call = call()
        let commands: [PhoneMachine.Command] = [
            .start(call, details()), .answer(call), .end(call), .setHeld(call, chance(2)), .setMuted(call, chance(2)),
            .setGroup(call, with: chance(2) ? self.call() : nil), .playTones(call, "1,2;#"), .setRoute(call, text()),
            .setDisplayName(call, text()), .setCamera(call, chance(2)),
            .switchCamera(call, element(CameraFacing.allCases)),
            .setTranslation(call, chance(2) ? Translation(localLanguage: text(), remoteLanguage: text()) : nil),
        ]
        return element(commands)
    }

    mutating func failure() -> CallFailure? {
        chance(2) ? CallFailure(element(CallFailure.Code.allCases), text()) : nil
    }

    mutating func result() -> OperationResult {
        OperationResult(
            operation(), call: call(), element(OperationResult.Status.allCases), failure: failure(),
            at: Fixture.at(Int64(below(1000))))
    }

    mutating func word() -> OwedSignal.Word {
        element([.answer, .decline, .busy, .cancel, .hangup(element(EndReason.allCases))])
    }

    mutating func checkpoint() -> Checkpoint {
        var checkpoint = Checkpoint(
            generation: AccountGeneration(account: text(), number: below(1000)), savedAt: instant())
        checkpoint.serverAhead = .milliseconds(below(100_000) - 50_000)
        for _ in 0..<below(4) {
            checkpoint.liveCalls.append(
                Checkpoint.LiveCall(
                    id: call(), direction: element([.incoming, .outgoing]), details: details(), createdAt: instant(),
                    ringUntil: maybeInstant(), answeredAt: maybeInstant(), connectedAt: maybeInstant(),
                    isShown: chance(2), isKnownToServer: chance(2)))
        }
        for _ in 0..<below(9) {
            checkpoint.endedCalls.append(
                Checkpoint.EndedCall(call(), element(EndReason.allCases), at: instant()))
        }
        for _ in 0..<below(9) { checkpoint.owedSignals.append(OwedSignal(call(), word(), since: instant())) }
        for _ in 0..<below(9) { checkpoint.operations.begin(operation(), command(), deadline: instant()) }
        for _ in 0..<below(20) { checkpoint.operations.complete(result(), of: command(), at: Fixture.start) }
        return checkpoint
    }

    mutating func snapshot() -> Call {
        let states: [Call.State] = [
            .incoming, .outgoing, .connecting, .active, .held, .ended(element(EndReason.allCases)),
        ]
        var call = Call(
            id: call(), direction: element([.incoming, .outgoing]), details: details(), state: element(states),
            createdAt: instant())
        call.muted = chance(2)
        call.interrupted = chance(2)
        call.remoteRinging = chance(2)
        call.peer = PeerUpdate(held: chance(2) ? chance(2) : nil, muted: chance(2) ? chance(2) : nil)
        call.answeredAt = maybeInstant()
        call.connectedAt = maybeInstant()
        call.endedAt = maybeInstant()
        call.failure = failure()
        return call
    }
}

extension Fixture {
    static let generation = AccountGeneration(account: "alice", number: 3)

    /// A checkpoint with one of everything, always the same.
    static var checkpoint: Checkpoint {
        var checkpoint = Checkpoint(generation: generation, savedAt: start)
        checkpoint.serverAhead = .milliseconds(-250)
        checkpoint.liveCalls = [
            Checkpoint.LiveCall(
                id: call, direction: .incoming, details: details, createdAt: start, ringUntil: at(45_000)),
            Checkpoint.LiveCall(
                id: other, direction: .outgoing, details: bob, createdAt: start, answeredAt: at(1), connectedAt: at(2)),
        ]
        checkpoint.endedCalls = [Checkpoint.EndedCall(spare, .callerCancelled, at: at(-5))]
        checkpoint.owedSignals = [
            OwedSignal(spare, .decline, since: at(-4)), OwedSignal(other, .hangup(.localHangup), since: at(-3)),
        ]
        checkpoint.operations.begin(OperationID(1), .answer(call), deadline: at(4000))
        checkpoint.operations.begin(OperationID(2), .start(other, bob), deadline: at(10_000))
        checkpoint.operations.complete(
            OperationResult(OperationID(3), call: spare, .applied, at: at(-2)), of: .end(spare), at: start)
        checkpoint.operations.complete(
            OperationResult(OperationID(4), call: spare, .rejected, failure: broken, at: at(-1)),
            of: .setMuted(spare, true), at: start)
        return checkpoint
    }
}
