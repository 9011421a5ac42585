// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@Suite("Random walks of a call on the server")
struct BrokerWalkTests {
    /// SplitMix64: the same walk for the same seed everywhere.
    private struct Dice {
        var state: UInt64
        mutating func roll(_ sides: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((z ^ (z >> 31)) % UInt64(sides))
        }
    }

    @Test("R97: one winner, one end for everybody told once, whatever comes", arguments: UInt64(0)..<40)
    func invariants(seed: UInt64) {
        var dice = Dice(state: seed)
        for _ in 0..<250 {
            var call = BrokerFixture([
                BrokerTarget(device: "b1", connected: true, pushable: dice.roll(2) == 0),
                BrokerTarget(device: "b2", connected: false, pushable: true),
            ])
            var winners: Set<String> = []
            var ends = 0
            for step in 0..<30 {
                call.now = call.now + .milliseconds(dice.roll(4000))
                let wasEnded = call.broker.isEnded
                let effects = call.raw(event(&dice, call, step))
                if let winner = call.broker.winner { winners.insert(winner) }
                ends += effects.count { $0 == .finished }
                #expect(!(wasEnded && !call.broker.isEnded), "seed \(seed)")
                if wasEnded { #expect(!effects.contains(.persist), "seed \(seed)") }
                for case .tell(let party, .media) in effects {
                    #expect(party == call.alice || party.device == call.broker.winner, "seed \(seed)")
                }
                #expect(!effects.contains { if case .tell(call.mallory, _) = $0 { true } else { false } })
            }
            #expect(winners.count <= 1, "seed \(seed)")
            #expect(ends == (call.broker.isEnded ? 1 : 0), "seed \(seed)")
            // Whatever happened, the deadlines bring every call that both left to its end.
            _ = call.handle(.deviceDisconnected(call.alice))
            _ = call.handle(.deviceDisconnected(call.bob))
            _ = call.handle(.deviceDisconnected(call.bobTablet))
            var ticks = 0
            while call.broker.deadline != nil, ticks < 10 {
                call.now = max(call.now, call.broker.deadline ?? call.now)
                _ = call.handle(.tick)
                ticks += 1
            }
            #expect(call.broker.isEnded, "seed \(seed)")
        }
    }

    private func event(_ dice: inout Dice, _ call: BrokerFixture, _ step: Int) -> BrokerEvent {
        let parties = [call.alice, call.bob, call.bobTablet, call.bobWatch, call.aliceTablet, call.mallory]
        let party = parties[dice.roll(parties.count)]
        let commands: [BrokerCommand] = [
            .ringing, .answer, .answer, .decline, .busy, .cancel, .hangup(.localHangup), .hangup(.failed), .connected,
            .media(MediaSignal(kind: .candidate, body: "c")), .update(held: true, muted: nil, video: nil),
        ]
        switch dice.roll(12) {
        case 0: return .deviceConnected(party)
        case 1: return .deviceDisconnected(party)
        case 2: return .pushAccepted(device: "b2")
        case 3: return .pushFailed(device: "b2")
        case 4: return .tick
        case 5: return dice.roll(6) == 0 ? .restarted : .tick
        case 6: return dice.roll(20) == 0 ? .replaced : .tick
        case 7: return dice.roll(10) == 0 ? .deviceRemoved(party) : .tick
        default:
            let message = dice.roll(4) == 0 ? "again" : "m\(step)"
            return .received(commands[dice.roll(commands.count)], from: party, message: message)
        }
    }
}
