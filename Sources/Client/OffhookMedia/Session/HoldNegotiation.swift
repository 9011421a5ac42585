// SPDX-License-Identifier: MIT

/// Which directions the descriptions of one side carry, and when a new offer is due (RFC 3264, section 8.4).
///
/// A pure value. Both sides may offer at once: the first offerer's offer stands, the answerer's is withdrawn.
struct HoldNegotiation: Hashable, Sendable {
    typealias Direction = AudioDescription.Direction

    /// Whether this side holds.
    private(set) var isHeld = false
    /// Whether the other side holds, as far as it said.
    private(set) var isHeldByPeer = false
    /// Whether an offer of this side waits for its answer.
    private(set) var isOffering = false
    private var toldHeld = false
    private var offered = Direction.sendrecv

    /// Takes the wish to hold or resume.
    mutating func wish(_ held: Bool) { isHeld = held }

    /// The direction of the very first offer.
    mutating func firstOffer() -> Direction { offer() }

    /// The direction of an offer that is due now; nil when none is.
    mutating func dueOffer() -> Direction? {
        guard !isOffering, toldHeld != isHeld else { return nil }
        return offer()
    }

    /// Takes an offer's direction and gives the answer's.
    mutating func answer(to direction: Direction) -> Direction {
        isHeldByPeer = !direction.receives
        if direction == .sendrecv { toldHeld = isHeld }
        guard !isHeld else {
            toldHeld = true
            return .inactive
        }
        switch direction {
        case .sendrecv: return .sendrecv
        case .sendonly: return .recvonly
        case .recvonly: return .sendonly
        case .inactive: return .inactive
        }
    }

    /// Takes the direction of the answer to this side's offer.
    mutating func takeAnswer(_ direction: Direction) {
        isOffering = false
        // An answer to inactive must be inactive: it says nothing about the other side.
        if offered == .sendrecv { isHeldByPeer = !direction.receives }
    }

    /// Both sides offered at once; whether the other side's offer is to be taken.
    mutating func yields(to role: Collision) -> Bool {
        guard isOffering else { return true }
        switch role {
        case .insists: return false
        case .givesWay:
            isOffering = false
            // What the withdrawn offer said was never taken.
            toldHeld.toggle()
            return true
        }
    }

    /// What a side does when both offer at once.
    enum Collision: Hashable, Sendable {
        /// Its own offer stands: the call's first offerer.
        case insists
        /// It withdraws its own offer: the call's first answerer.
        case givesWay
    }

    private mutating func offer() -> Direction {
        isOffering = true
        toldHeld = isHeld
        offered = isHeld ? .inactive : .sendrecv
        return offered
    }
}
