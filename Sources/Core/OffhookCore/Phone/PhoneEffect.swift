// SPDX-License-Identifier: MIT

/// What the call rules order the shell to do; carried out in order, inside the callback that brought the event.
public enum PhoneEffect: Hashable, Sendable, Codable {
    // CallKit
    /// Call reportNewIncomingCall; its completion comes back as `reportCompleted`.
    case reportIncoming(CallID, CallDetails)
    /// Call reportCall(with:endedAt:reason:); at most once per call (C11).
    case reportEnded(CallID, EndReason, at: Instant)
    /// Call reportOutgoingCall(with:startedConnectingAt:).
    case reportStartedConnecting(CallID, at: Instant)
    /// Call reportOutgoingCall(with:connectedAt:).
    case reportConnected(CallID, at: Instant)
    /// Request a transaction; its completion comes back as `requestCompleted`.
    case request(CallRequest)
    /// Fulfil the action.
    case fulfil(ActionID)
    /// Fail the action.
    case fail(ActionID)
    /// Set the audio session's category and mode; never activate it (S1, C2).
    case configureAudio

    // PushKit
    /// Call the push's completion handler (R57).
    case completePush(PushID)

    // Signaling
    /// Connect at once if not connected (R59).
    case connectSignaling
    /// Send to the server.
    case send(CallID, CallSignal)

    // Media
    /// Make the call's media session; as offerer on the caller's side, else as answerer.
    case startMedia(CallID, offers: Bool)
    /// Hand the session a signal of the other side.
    case deliverSignal(CallID, MediaSignal)
    /// Turn the session's audio switch; true only inside the audio window (S1, R70).
    case setAudioOpen(CallID, Bool)
    /// Turn the session's mute gate.
    case setMediaMuted(CallID, Bool)
    /// Turn the session's hold gate.
    case setMediaHeld(CallID, Bool)
    /// Close the session.
    case stopMedia(CallID)

    // The app
    /// Tell the app how the call stands now.
    case publish(Call)
    /// Tell the app what became of an invitation (R67).
    case tell(InvitationOutcome, CallID?)
    /// Complete the app's command; nil is success.
    case finish(CommandID, CallFailure?)
}

/// What the app asks of CallKit; each becomes a transaction with one action.
public enum CallRequest: Hashable, Sendable, Codable {
    /// CXStartCallAction.
    case start(CallID, CallDetails)
    /// CXAnswerCallAction.
    case answer(CallID)
    /// CXEndCallAction.
    case end(CallID)
    /// CXSetHeldCallAction.
    case setHeld(CallID, Bool)
    /// CXSetMutedCallAction.
    case setMuted(CallID, Bool)

    /// The call it is about.
    public var call: CallID {
        switch self {
        case .start(let call, _), .answer(let call), .end(let call), .setHeld(let call, _), .setMuted(let call, _):
            call
        }
    }
}

/// What became of an invitation (R67).
public enum InvitationOutcome: Hashable, Sendable, Codable {
    /// It rings.
    case accepted
    /// The call lives here already.
    case duplicate
    /// The call is over, for this reason.
    case ended(EndReason)
    /// Its time is over.
    case expired
    /// Another call goes on.
    case busy
    /// The push holds no invitation that can be read.
    case undecodable
}
