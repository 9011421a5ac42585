// SPDX-License-Identifier: MIT

import Testing

@testable import OffhookMedia

@Suite struct HoldNegotiationTests {
    @Test func holdAndResumeAreToldOnce() {
        var (caller, callee) = Self.established()
        #expect(caller.dueOffer() == nil)
        caller.wish(true)
        #expect(caller.dueOffer() == .inactive)
        #expect(caller.dueOffer() == nil)
        #expect(callee.answer(to: .inactive) == .inactive)
        caller.takeAnswer(.inactive)
        #expect(callee.isHeldByPeer && !caller.isHeldByPeer)
        caller.wish(false)
        #expect(caller.dueOffer() == .sendrecv)
        #expect(callee.answer(to: .sendrecv) == .sendrecv)
        caller.takeAnswer(.sendrecv)
        #expect(!callee.isHeldByPeer && !caller.isHeldByPeer)
    }

    @Test func aWishThatChangesWhileAnOfferIsOutFollowsIt() {
        var (caller, _) = Self.established()
        caller.wish(true)
        #expect(caller.dueOffer() == .inactive)
        caller.wish(false)
        #expect(caller.dueOffer() == nil)
        caller.takeAnswer(.inactive)
        #expect(caller.dueOffer() == .sendrecv)
    }

    @Test(arguments: [
        (AudioDescription.Direction.sendrecv, AudioDescription.Direction.sendrecv),
        (.sendonly, .recvonly), (.recvonly, .sendonly), (.inactive, .inactive),
    ])
    func anAnswerMirrorsItsOffer(offer: AudioDescription.Direction, answer: AudioDescription.Direction) {
        var (_, callee) = Self.established()
        #expect(callee.answer(to: offer) == answer)
        #expect(callee.isHeldByPeer == !offer.receives)
        callee.wish(true)
        #expect(callee.answer(to: offer) == .inactive)
    }

    @Test("random holds on both sides, offers crossing, always end in agreement", arguments: 1...50)
    func bothSidesAgreeInTheEnd(seed: UInt64) {
        var random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func roll(_ count: UInt64) -> UInt64 {
            random ^= random << 13
            random ^= random >> 7
            random ^= random << 17
            return random % count
        }
        enum Signal { case offer(AudioDescription.Direction), answer(AudioDescription.Direction) }
        var sides = [Self.established().0, Self.established().1]
        var lines: [[Signal]] = [[], []]
        func deliver(to side: Int) {
            guard !lines[side].isEmpty else { return }
            switch lines[side].removeFirst() {
            case .offer(let direction):
                if sides[side].yields(to: side == 0 ? .insists : .givesWay) {
                    lines[1 - side].append(.answer(sides[side].answer(to: direction)))
                }
            case .answer(let direction):
                if sides[side].isOffering { sides[side].takeAnswer(direction) }
            }
            if let direction = sides[side].dueOffer() { lines[1 - side].append(.offer(direction)) }
        }
        for _ in 0..<60 {
            let side = Int(roll(2))
            if roll(3) == 0 {
                sides[side].wish(roll(2) == 0)
                if let direction = sides[side].dueOffer() { lines[1 - side].append(.offer(direction)) }
            } else {
                deliver(to: side)
            }
        }
        var steps = 0
        while !(lines[0].isEmpty && lines[1].isEmpty), steps < 100 {
            deliver(to: steps % 2)
            steps += 1
        }
        #expect(steps < 100)
        for side in 0..<2 {
            #expect(!sides[side].isOffering)
            // Whoever holds is known to the other side; both holding, nobody has to know.
            if !sides[side].isHeld { #expect(sides[side].isHeldByPeer == sides[1 - side].isHeld) }
        }
    }

    private static func established() -> (HoldNegotiation, HoldNegotiation) {
        var (caller, callee) = (HoldNegotiation(), HoldNegotiation())
        caller.takeAnswer(callee.answer(to: caller.firstOffer()))
        return (caller, callee)
    }
}
