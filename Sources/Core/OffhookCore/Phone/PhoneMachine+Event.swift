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
        /// CallKit groups a call with another, or takes it out of its group (R49).
        case groupPerformed(ActionID, CallID, with: CallID?)
        /// CallKit performs DTMF: digits, `,` for a soft pause, `;` for a hard one (R50).
        case tonesPerformed(ActionID, CallID, String)
        /// CallKit starts or ends the translation of a call (R118).
        case translationPerformed(ActionID, CallID, Translation?)
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
        /// How many calls of other apps and of the phone's own live now, as CXCallObserver sees them.
        case otherCalls(Int)

        // The phone around
        /// The ways for the sound changed (R51, R53).
        case routesChanged(AudioRoutes)
        /// The audio session was interrupted (true), or the interruption is over (R53).
        case audioInterrupted(Bool)
        /// The media services were reset: sessions and their audio start anew (R53).
        case mediaServicesReset
        /// Foreground, lock or permissions changed.
        case surroundingsChanged(Surroundings)

        // Signaling
        /// An invitation came over the socket (R68).
        case invited(Invitation)
        /// The server says something of a call.
        case server(CallID, ServerNews)
        /// The server confirmed a signal of this device.
        case delivered(CallID, CallSignal)

        // Media
        /// A media session says something.
        case media(CallID, MediaNews)

        // Durability
        /// The process has started, after the checkpoint was read (R88).
        case launched
        /// The checkpoint was written; a failure says why not.
        case saved(SavePoint, CallFailure?)

        // The app and time
        /// The app wants something, at most within a time; nil is the policy's (R83).
        case command(OperationID, Command, within: TimeSpan? = nil)
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
        /// The other side had called this user, too, and that call came first: this one goes on in it, answered (race 7).
        case joined(CallID)
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
        /// The picture of the other side comes (true) or stopped.
        case remoteVideo(Bool)
        /// The session is beyond repair.
        case failed(CallFailure)

        var event: CallMachine.Event {
            switch self {
            case .signal(let signal): .mediaSignal(signal)
            case .arrived: .mediaArrived
            case .interrupted(let interrupted): .mediaInterrupted(interrupted)
            case .remoteVideo(let shows): .remoteVideoChanged(shows)
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
        /// Group with another call; nil takes the call out of its group (R49).
        case setGroup(CallID, with: CallID?)
        /// Send DTMF: 1 to 32 of 0-9, `*`, `#`, `,` and `;` (R50).
        case playTones(CallID, String)
        /// Send the sound another way (R51).
        case setRoute(CallID, AudioRoute.ID)
        /// Change the name shown: 1 to 256 bytes (R37).
        case setDisplayName(CallID, String)
        /// Turn this side's camera on or off (R115).
        case setCamera(CallID, Bool)
        /// Choose the camera; while off it is only remembered (R115).
        case switchCamera(CallID, CameraFacing)
        /// Translate the speech; nil ends it (R118).
        case setTranslation(CallID, Translation?)
    }
}
