// SPDX-License-Identifier: MIT

/// Makes plans at random: people who do anything at any time, and everything that can go wrong.
public enum Walk {
    /// The plan of a seed; the same seed gives the same plan.
    public static func plan(seed: UInt64) -> WorldPlan {
        var dice = Dice(seed: seed)
        let users = dice.pick([[0, 1], [0, 1], [0, 1, 1], [0, 1, 2], [0, 1, 1, 2], [0, 0, 1, 1]])
        // Some worlds are rough, some are quiet: in a rough one nothing comes to an end in peace.
        let roughness = dice.pick([0, 10, 25, 50])
        var plan = WorldPlan(
            users: users, groups: dice.happens(45) ? 2 : 1, answersAtOnce: dice.happens(25), moves: [])
        var time = 0
        plan.moves.append(WorldPlan.Move(0, .call(0, user: 1)))
        for _ in 0..<dice.roll(4...36) {
            time += gap(&dice)
            let phone = dice.roll(0...users.count - 1)
            let act = dice.happens(roughness) ? fault(phone, &dice) : deed(phone, users, &dice)
            plan.moves.append(WorldPlan.Move(time, act))
        }
        return plan
    }

    private static func gap(_ dice: inout Dice) -> Int {
        switch dice.roll(0...99) {
        case 0..<25: dice.roll(0...60)
        case 25..<60: dice.roll(60...1000)
        case 60..<85: dice.roll(1000...6000)
        case 85..<97: dice.roll(6000...30_000)
        default: dice.roll(30_000...90_000)
        }
    }

    /// What a person or an app does.
    private static func deed(_ phone: Int, _ users: [Int], _ dice: inout Dice) -> WorldAct {
        let line = dice.happens(25) ? 1 : 0
        switch dice.roll(0...99) {
        case 0..<13: return .call(phone, user: dice.pick(users))
        case 13..<38: return .answer(phone, holding: dice.happens(70))
        case 38..<48: return .end(phone, line: line)
        case 48..<52: return .mute(phone, dice.happens(60), line: line)
        case 52..<58: return .hold(phone, dice.happens(60), line: line)
        case 58..<62: return .swap(phone)
        case 62..<65: return .group(phone, dice.happens(60))
        case 65..<67: return .tone(phone, line: line)
        case 67..<90: return .ask(phone, dice.pick(Wish.allCases), line: line)
        case 90..<92: return .askAgain(phone)
        case 92..<93: return .askConflicting(phone)
        case 93..<95: return .callAgain(phone)
        case 95..<97: return .surroundings(phone, dice.pick(Change.allCases))
        default: return .open(phone)
        }
    }

    /// What goes wrong.
    private static func fault(_ phone: Int, _ dice: inout Dice) -> WorldAct {
        switch dice.roll(0...99) {
        case 0..<6: return .kill(phone)
        case 6..<14: return .killAfter(phone, effects: dice.roll(0...20))
        case 14..<17: return .open(phone)
        case 17..<30: return .cut(phone, milliseconds: dice.roll(50...12_000))
        case 30..<38: return .delay(phone, milliseconds: dice.pick([1, 5, 20, 80, 300, 1500]))
        case 38..<42: return .repeatUp(phone, milliseconds: dice.roll(1...8000))
        case 42..<46: return .lateDown(phone, milliseconds: dice.roll(1...3000))
        case 46..<49: return .repeatDown(phone)
        case 49..<52: return .loseSession(phone)
        case 52..<62: return .push(phone, pushFate(&dice))
        case 62..<64: return .junkPush(phone)
        case 64..<67: return .restartServer(milliseconds: dice.roll(100...20_000))
        case 67..<70: return .restartServerAfter(effects: dice.roll(0...12))
        case 70..<71: return .signOut(phone)
        case 71..<84: return .fail(phone, dice.pick(Fault.allCases), nth: dice.roll(1...4))
        case 84..<88: return .slowPhone(phone, milliseconds: dice.pick([1, 4, 40, 400, 2000, 7000]))
        case 88..<90: return .loseActivation(phone)
        case 90..<92: return .reset(phone)
        case 92..<95: return .surroundings(phone, dice.pick(Change.allCases))
        case 95..<98: return .interruptMedia(phone, dice.happens(50))
        default: return .breakMedia(phone)
        }
    }

    private static func pushFate(_ dice: inout Dice) -> PushFate {
        switch dice.roll(0...3) {
        case 0: .lost
        case 1: .refused
        case 2: .late(milliseconds: dice.pick([1000, 5000, 20_000, 50_000, 120_000]))
        default: .twice(milliseconds: dice.pick([0, 10, 1000, 30_000, 100_000]))
        }
    }
}

/// Random numbers that a seed decides (SplitMix64).
struct Dice {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func roll(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    mutating func happens(_ percent: Int) -> Bool {
        roll(0...99) < percent
    }

    mutating func pick<Value>(_ values: [Value]) -> Value {
        values[roll(0...values.count - 1)]
    }
}
