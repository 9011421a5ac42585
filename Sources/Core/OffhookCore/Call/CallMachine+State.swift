// SPDX-License-Identifier: MIT

extension CallMachine {
    /// Where the call is.
    public enum State: Hashable, Sendable, Codable {
        /// Rings here, or is about to. Leaves to: connecting, ended.
        case incoming(Incoming)
        /// On its way to the other side, or rings there. Leaves to: connecting, ended.
        case outgoing(Outgoing)
        /// Answered: waits for the claim, then for remote media. Leaves to: active, ended.
        case connecting(Connecting)
        /// Both sides can hear each other. Leaves to: held, ended.
        case active(Talk)
        /// Held by this user. Leaves to: active, ended.
        case held(Talk)
        /// Over. Leaves to: nothing.
        case ended(End)
    }

    /// What CallKit knows of the call.
    public enum Standing: String, Hashable, Sendable, Codable {
        /// Nothing. Leaves to: telling.
        case untold
        /// It has been told, and its answer is awaited. Leaves to: told, gone.
        case telling
        /// It shows the call. Leaves to: gone.
        case told
        /// It no longer has the call, or refused it. Leaves to: nothing.
        case gone
    }

    /// An incoming call.
    public struct Incoming: Hashable, Sendable, Codable {
        /// The last moment in which it may ring (R33).
        public var ringUntil: Instant
        /// Signals that came early (race 18).
        var signals: [MediaSignal] = []
    }

    /// An outgoing call.
    public struct Outgoing: Hashable, Sendable, Codable {
        /// Until when the server may accept, then until when it may ring.
        public var until: Instant
        /// Whether the invitation was sent.
        var invited = false
        /// Whether the server took it.
        public var accepted = false
        /// Whether a phone of the other side shows it.
        public var rings = false
        /// Whether it was answered before CallKit performed the start.
        var answered = false
        /// Signals that came early (race 18).
        var signals: [MediaSignal] = []
    }

    /// An answered call without media.
    public struct Connecting: Hashable, Sendable, Codable {
        /// The claim whose result is awaited; nil when the call is won.
        public var claim: Claim?
        /// When it fails.
        public var until: Instant
        /// Signals that came before the call was won.
        var signals: [MediaSignal] = []
    }

    /// An answer on its way to the server.
    public struct Claim: Hashable, Sendable, Codable {
        /// The answer action that waits; nil when it is completed already.
        public var action: ActionID?
        /// Further answers that came meanwhile, of the user and of the app; they come out like the first.
        public internal(set) var others: [ActionID] = []
    }

    /// A call in which both sides can hear each other.
    public struct Talk: Hashable, Sendable, Codable {
        /// Whether media stopped arriving (R93).
        public var interrupted = false
        /// Set while the call is off hold in CallKit and the audio session has not come back; only while held (P33).
        public var resume: Resume?
    }

    /// A call that waits for the audio session.
    public struct Resume: Hashable, Sendable, Codable {
        /// When CallKit is asked once more, or the call goes back on hold.
        public var until: Instant
        /// Whether CallKit was asked once more.
        public var asked = false
    }

    /// This side's camera.
    struct Camera: Hashable, Sendable, Codable {
        /// Whether the user wants it on.
        var wanted = false
        /// Which one; remembered while it is off (R115).
        var facing = CameraFacing.front
        /// Whether it runs.
        var runs = false
        /// What CallKit was told last of the call's video; nil when it knows the call's own.
        var reported: Bool?
    }

    /// A call's end.
    public struct End: Hashable, Sendable, Codable {
        /// Why.
        public var reason: EndReason
        /// When.
        public var at: Instant
        /// What broke, when that can be named.
        public var failure: CallFailure?
        /// The call in which it goes on (race 7).
        public var continuesAs: CallID?
    }

    /// What happens to a call.
    public enum Event: Hashable, Sendable, Codable {
        /// The call begins: an incoming one is reported, an outgoing one sent.
        case opened
        /// CallKit answered the report of an incoming call; nil is success (I1).
        case reported(CallFailure?)
        /// CallKit performs the start.
        case startPerformed(ActionID)
        /// CallKit refused the start transaction.
        case startRefused(CallFailure)
        /// CallKit performs an answer.
        case answerPerformed(ActionID)
        /// CallKit performs an end: by the user, the system or the app (E1).
        case endPerformed(ActionID)
        /// The app ends a call that CallKit cannot end: not shown yet, or its transaction was refused.
        case endedByApp(CallFailure?)
        /// CallKit performs hold or unhold.
        case holdPerformed(ActionID, Bool)
        /// CallKit performs unhold while the audio session is not active (P33).
        case resumePerformed(ActionID)
        /// CallKit performs mute or unmute.
        case mutePerformed(ActionID, Bool)
        /// CallKit performs DTMF.
        case tonesPerformed(ActionID, String)
        /// CallKit starts or ends the translation.
        case translationPerformed(ActionID, Translation?)
        /// An action ran out of time; it is failed already (T8).
        case actionTimedOut(ActionID)
        /// CallKit dropped everything (R22).
        case reset
        /// The server took the invitation.
        case inviteAccepted
        /// The server refused the invitation, for this reason.
        case inviteRefused(CallFailure, EndReason)
        /// A phone of the other side shows the call.
        case remoteRang
        /// The server says the call is answered: by this device's claim, or by the callee.
        case answered
        /// The server says the call is over.
        case remoteEnded(EndReason)
        /// A media signal of the other side came.
        case signalReceived(MediaSignal)
        /// The other side changed hold, mute or video.
        case peerUpdated(PeerUpdate)
        /// The media session has something for the other side.
        case mediaSignal(MediaSignal)
        /// The first remote media came (R94).
        case mediaArrived
        /// Media stopped (true) or came back (false).
        case mediaInterrupted(Bool)
        /// The other side's picture comes (true) or stopped.
        case remoteVideoChanged(Bool)
        /// The audio session is active again.
        case audioReturned
        /// The audio session is no longer active.
        case audioLost
        /// Foreground, lock or permissions changed.
        case surroundingsChanged(Surroundings)
        /// The app has another name for the other side (R37).
        case renamed(String)
        /// The app turns the camera on or off (R115).
        case cameraWanted(Bool)
        /// The app chooses the camera (R115).
        case cameraChosen(CameraFacing)
        /// The media session is beyond repair.
        case mediaFailed(CallFailure)
        /// Time has passed.
        case tick
    }
}

extension CallMachine.Claim {
    /// All answer actions that wait.
    var actions: [ActionID] { (action.map { [$0] } ?? []) + others }
}
