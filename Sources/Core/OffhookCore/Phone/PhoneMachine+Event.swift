// SPDX-License-Identifier: MIT

extension PhoneMachine {
    /// What happens to a device.
    public enum Event: Hashable, Sendable, Codable {
        // PushKit
        /// A VoIP push came; `spare` is a fresh UUID made for it.
        case pushArrived(PushID, PushContent, mustReport: Bool, spare: CallID)

        // CallKit
        /// CallKit answered a report; nil is success (I1).
        case reportCompleted(CallID, CallFailure?)
        /// CallKit performs a start.
        case startPerformed(ActionID, CallID)
        /// CallKit performs an answer.
        case answerPerformed(ActionID, CallID)
        /// CallKit performs an end.
        case endPerformed(ActionID, CallID)
        /// CallKit performs hold or unhold.
        case holdPerformed(ActionID, CallID, Bool)
        /// CallKit performs mute or unmute.
        case mutePerformed(ActionID, CallID, Bool)
        /// CallKit performs something that is not done here.
        case otherPerformed(ActionID)
        /// An action ran out of time (T8).
        case actionTimedOut(ActionID)
        /// CallKit took or refused a transaction (O1).
        case requestCompleted(CallRequest, CallFailure?)
        /// The audio session is active (S1).
        case audioActivated
        /// The audio session is no longer active (S2).
        case audioDeactivated
        /// CallKit dropped everything (P2).
        case providerReset

        // Signaling
        /// An invitation came over the socket (R68).
        case invited(Invitation)
        /// The server says something of a call.
        case server(CallID, ServerNews)

        // Media
        /// A media session says something.
        case media(CallID, MediaNews)

        // The app and time
        /// The app wants something.
        case command(CommandID, Command)
        /// Time has passed.
        case tick
    }

    /// What the server says of a call.
    public enum ServerNews: Hashable, Sendable, Codable {
        /// It took the invitation.
        case inviteAccepted
        /// It refused the invitation.
        case inviteRefused(CallFailure, EndReason)
        /// A phone of the other side shows the call.
        case ringing
        /// The call is answered.
        case answered
        /// The call is over.
        case ended(EndReason)
        /// A media signal of the other side.
        case media(MediaSignal)
        /// A change of the other side.
        case update(PeerUpdate)
    }

    /// What a media session says.
    public enum MediaNews: Hashable, Sendable, Codable {
        /// This is for the other side.
        case signal(MediaSignal)
        /// The first remote media came.
        case arrived
        /// Media stopped (true) or came back (false).
        case interrupted(Bool)
        /// The session is beyond repair.
        case failed(CallFailure)

        var event: CallMachine.Event {
            switch self {
            case .signal(let signal): .mediaSignal(signal)
            case .arrived: .mediaArrived
            case .interrupted(let interrupted): .mediaInterrupted(interrupted)
            case .failed(let failure): .mediaFailed(failure)
            }
        }
    }

    /// What the app can want.
    public enum Command: Hashable, Sendable, Codable {
        /// Call somebody, under a fresh identity.
        case start(CallID, CallDetails)
        /// Answer a ringing call.
        case answer(CallID)
        /// End a call in any state.
        case end(CallID)
        /// Hold or unhold.
        case setHeld(CallID, Bool)
        /// Mute or unmute.
        case setMuted(CallID, Bool)
    }
}
