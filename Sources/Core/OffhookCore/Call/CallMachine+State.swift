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
    }

    /// A call in which both sides can hear each other.
    public struct Talk: Hashable, Sendable, Codable {
        /// Whether media stopped arriving (R93).
        public var interrupted = false
    }

    /// A call's end.
    public struct End: Hashable, Sendable, Codable {
        /// Why.
        public var reason: EndReason
        /// When.
        public var at: Instant
        /// What broke, when that can be named.
        public var failure: CallFailure?
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
        /// CallKit performs mute or unmute.
        case mutePerformed(ActionID, Bool)
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
        /// The media session is beyond repair.
        case mediaFailed(CallFailure)
        /// Time has passed.
        case tick
    }
}
