// SPDX-License-Identifier: MIT

public import OffhookCore

/// What the server knows of one call, living or over.
public struct CallRecord: Hashable, Sendable {
    /// Where the call is.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Taken, not yet offered.
        case created
        /// Offered, not answered.
        case ringing
        /// Answered, going on.
        case answered
        /// Over.
        case ended

        init(_ state: BrokerMachine.State) {
            switch state {
            case .created: self = .created
            case .ringing: self = .ringing
            case .answered: self = .answered
            case .ended: self = .ended
            }
        }
    }

    /// The call.
    public var call: CallID
    /// Where it is.
    public var state: State
    /// The device that called.
    public var caller: BrokerParty
    /// The user who was called.
    public var callee: String
    /// Whether video was offered.
    public var video: Bool
    /// When what happened; answered is not connected.
    public var times: BrokerMilestones
    /// From when on it must not ring.
    public var expiresAt: Instant
    /// Why it ended, as the caller saw it.
    public var reason: EndReason?
    /// The device that answered.
    public var answeredBy: String?
    /// How far the offer got on each device of the callee.
    public var devices: [BrokerLeg]

    init(_ machine: BrokerMachine) {
        call = machine.call
        state = State(machine.state)
        caller = machine.caller
        callee = machine.callee
        video = machine.invitation.video
        times = machine.milestones
        expiresAt = machine.invitation.expiresAt
        reason = machine.endReason
        answeredBy = machine.winner
        devices = machine.legs
    }
}
