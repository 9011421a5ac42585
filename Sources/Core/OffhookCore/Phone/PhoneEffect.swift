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
    /// Call reportCall(with:updated:): the name or the video flag changed (R37, R116).
    case reportUpdated(CallID, CallDetails)
    /// Set the audio session's category and mode; never activate it (S1, C2).
    case configureAudio
    /// Send the sound another way, without a change of category (R52).
    case selectRoute(AudioRoute.ID)
    /// Tell the system of the call for its suggestions (R125).
    case donate(CallID, CallDetails, Call.Direction)

    // PushKit
    /// Call the push's completion handler (R57).
    case completePush(PushID)

    // Durability
    /// Write the checkpoint; answered by `saved`, within the same callback.
    case save(SavePoint)

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
    /// Have the session send these DTMF digits; `,` is a soft pause, `;` a hard one (R50).
    case playTones(CallID, String)
    /// Turn the session's camera; nil is off.
    case setCamera(CallID, CameraFacing?)
    /// Translate the speech; nil ends it. The microphone keeps running while muted (R119).
    case setTranslation(CallID, Translation?)
    /// Close the session.
    case stopMedia(CallID)

    // The app
    /// Tell the app how the call stands now.
    case publish(Call)
    /// Tell the app what became of an invitation (R67).
    case tell(InvitationOutcome, CallID?)
    /// Tell the app what became of its operation.
    case finish(OperationResult)
    /// Tell the app which ways for the sound there are (R51).
    case publishRoutes(AudioRoutes)
}

/// What the app asks of CallKit; each becomes one transaction.
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

    /// CXSetGroupCallAction; nil takes the call out of its group (R49).
    case setGroup(CallID, with: CallID?)
    /// CXPlayDTMFCallAction, one for each run of digits and each pause (R50).
    case playTones(CallID, String)
    /// CXSetTranslatingCallAction (R118).
    case setTranslation(CallID, Translation?)
    /// CXSetHeldCallAction for one call and CXAnswerCallAction for the other: "hold & accept" (R39).
    case holdAndAnswer(hold: CallID, answer: CallID)
    /// CXEndCallAction for one call and CXAnswerCallAction for the other: "end & accept" (R19).
    case endAndAnswer(end: CallID, answer: CallID)
    /// CXSetHeldCallAction for both: one is held, the other resumed.
    case swap(hold: CallID, resume: CallID)

    /// The call it is about; of two, the one that is wanted.
    public var call: CallID {
        switch self {
        case .start(let call, _), .answer(let call), .end(let call), .setHeld(let call, _), .setMuted(let call, _),
            .setGroup(let call, _), .playTones(let call, _), .setTranslation(let call, _),
            .holdAndAnswer(_, let call), .endAndAnswer(_, let call), .swap(_, let call):
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
