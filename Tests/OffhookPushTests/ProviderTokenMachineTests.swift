// SPDX-License-Identifier: MIT

import OffhookPush
import Testing

@Suite struct ProviderTokenMachineTests {
    typealias Machine = ProviderTokenMachine

    static let start: Int64 = 1_800_000_000_000
    static let minute: Int64 = 60_000

    /// A moment so many milliseconds after the start, by both clocks unless the wall clock was set.
    func time(_ after: Int64, wallSet: Int64 = 0) -> PushTime {
        PushTime(wall: Self.start + after + wallSet, steady: 5_000 + after)
    }

    func ready(at after: Int64 = 0) -> Machine {
        var machine = Machine()
        _ = machine.handle(.needed, at: time(after))
        _ = machine.handle(.signed(authorization: "one"), at: time(after))
        return machine
    }

    func name(_ effect: Machine.Effect) -> String {
        switch effect {
        case .use(let token): "use \(token.authorization) \(token.generation)"
        case .sign(let issuedAt): "sign \(issuedAt)"
        case .stop(let reason): "stop \(reason)"
        case .wait(let milliseconds): "wait \(milliseconds)"
        case .none: "none"
        }
    }

    @Test func theFirstPushOrdersTheTokenAndTheOthersUseIt() {
        var machine = Machine()
        #expect(machine.handle(.needed, at: time(0)) == .sign(issuedAt: 1_800_000_000))
        // Single flight: while it is made nobody else makes one.
        #expect(machine.handle(.needed, at: time(1)) == .none)
        #expect(name(machine.handle(.signed(authorization: "one"), at: time(2))) == "use one 1")
        #expect(name(machine.handle(.needed, at: time(3))) == "use one 1")
    }

    @Test func aTokenIsUsedFor50Minutes() {
        var machine = ready()
        #expect(name(machine.handle(.needed, at: time(50 * Self.minute - 1))) == "use one 1")
        #expect(machine.handle(.needed, at: time(50 * Self.minute)) == .sign(issuedAt: 1_800_003_000))
        #expect(name(machine.handle(.signed(authorization: "two"), at: time(50 * Self.minute))) == "use two 2")
    }

    @Test func anExpiredTokenIsMadeAnewButNeverWithin20Minutes() {
        var machine = ready()
        _ = machine.handle(.expired(generation: 1), at: time(Self.minute))
        #expect(machine.handle(.needed, at: time(Self.minute)) == .wait(milliseconds: 19 * Self.minute))
        #expect(machine.handle(.needed, at: time(20 * Self.minute - 1)) == .wait(milliseconds: 1))
        #expect(machine.handle(.needed, at: time(20 * Self.minute)) == .sign(issuedAt: 1_800_001_200))
    }

    @Test func aLateRefusalOfAnOlderTokenSaysNothingAboutTheNewOne() {
        var machine = ready()
        _ = machine.handle(.needed, at: time(50 * Self.minute))
        _ = machine.handle(.signed(authorization: "two"), at: time(50 * Self.minute))
        _ = machine.handle(.expired(generation: 1), at: time(51 * Self.minute))
        #expect(name(machine.handle(.needed, at: time(51 * Self.minute))) == "use two 2")
    }

    @Test func tooManyUpdatesFreezesTheTokenForAnother20Minutes() {
        var machine = ready()
        _ = machine.handle(.tooManyUpdates(generation: 1), at: time(45 * Self.minute))
        #expect(name(machine.handle(.needed, at: time(51 * Self.minute))) == "use one 1")
        #expect(machine.handle(.needed, at: time(65 * Self.minute)) == .sign(issuedAt: 1_800_003_900))
    }

    @Test func aRefusedKeyRestsAndIsTriedOnceAMinute() {
        var machine = ready()
        _ = machine.handle(.keyRefused(generation: 1, reason: "InvalidProviderToken"), at: time(0))
        #expect(machine.handle(.needed, at: time(59_999)) == .stop(reason: "InvalidProviderToken"))
        #expect(name(machine.handle(.needed, at: time(60_000))) == "use one 1")
        #expect(machine.handle(.needed, at: time(60_001)) == .stop(reason: "InvalidProviderToken"))
        _ = machine.handle(.accepted(generation: 1), at: time(60_100))
        #expect(name(machine.handle(.needed, at: time(60_101))) == "use one 1")
    }

    @Test func aClockSetBackMakesTheTokenStaleButNotBefore20Minutes() {
        var machine = ready()
        let back = -10 * Self.minute
        #expect(name(machine.handle(.needed, at: time(Self.minute, wallSet: back))) == "use one 1")
        #expect(
            machine.handle(.needed, at: time(20 * Self.minute, wallSet: -40 * Self.minute))
                == .sign(issuedAt: 1_799_998_800))
    }

    @Test func aClockSetForwardDoesNotMakeAHailOfTokens() {
        var machine = ready()
        let ahead = 120 * Self.minute
        #expect(name(machine.handle(.needed, at: time(Self.minute, wallSet: ahead))) == "use one 1")
        #expect(machine.handle(.needed, at: time(20 * Self.minute, wallSet: ahead)) == .sign(issuedAt: 1_800_008_400))
    }

    @Test("P45: any order of events keeps tokens 20 minutes apart") func anyOrderOfEventsKeepsTokens20MinutesApart() {
        var random = SplitMix(seed: 7)
        for _ in 0..<200 {
            var machine = Machine()
            var now: Int64 = 0
            var last: Int64?
            var generation = 0
            for _ in 0..<300 {
                now += Int64(random.next() % 400_000)
                let wallSet = Int64(random.next() % 3) * 3_600_000 - 3_600_000
                let event: Machine.Event =
                    switch random.next() % 8 {
                    case 0: .expired(generation: generation)
                    case 1: .expired(generation: max(0, generation - 1))
                    case 2: .tooManyUpdates(generation: generation)
                    case 3: .keyRefused(generation: generation, reason: "x")
                    case 4: .accepted(generation: generation)
                    default: .needed
                    }
                guard case .sign = machine.handle(event, at: time(now, wallSet: wallSet)) else { continue }
                if let last { #expect(now - last >= 20 * Self.minute) }
                last = now
                guard
                    case .use(let token) = machine.handle(.signed(authorization: "x"), at: time(now, wallSet: wallSet))
                else {
                    Issue.record("a signed token is used")
                    return
                }
                generation = token.generation
            }
        }
    }
}

/// A small random generator with a seed, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
