// SPDX-License-Identifier: MIT

/// The rules of one call on one device.
///
/// ```
///              answerPerformed                    mediaArrived         holdPerformed
///   incoming ──────────────────► connecting ────────────────► active ◄──────────────► held ─┐ resumePerformed:
///      │                          ▲    │                         │                      │ ◄─┘ waits for audio
///      │                          │    │  (claim, then media)    │                      │
///      │        answered          │    │                         │                      │
///   outgoing ─────────────────────┘    │                         │                      │
///      │                               │                         │                      │
///      └──────────────┬────────────────┴────────────┬────────────┴──────────────────────┘
///                     ▼   endPerformed, remoteEnded, mediaFailed, reset, tick past the deadline
///                   ended
/// ```
///
/// Beside the state, ``Standing`` says what CallKit knows of the call. A call off hold is silent, too, while another one
/// has the floor; the machine of the device says which.
///
/// Invariants: a call ends once; an action that an event brings is completed exactly once, at once or, for an answer that
/// waits for its claim, later; a call that CallKit knows leaves it exactly once, by a fulfilled end action, by
/// `reportEnded`, by a failed start or by a reset; media starts only after the call is won and stops exactly once.
public struct CallMachine: Hashable, Sendable, Codable, Identifiable {
    /// What the machine orders.
    public typealias Effect = PhoneEffect

    /// The call's identity.
    public let id: CallID
    /// Who started it.
    public let direction: Call.Direction
    /// Whom it is with.
    public internal(set) var details: CallDetails
    /// Where it is.
    public internal(set) var state: State
    /// What CallKit knows of it.
    public internal(set) var standing: Standing = .untold
    /// Whether this user's microphone is muted.
    public internal(set) var muted = false
    /// What the other side said of its hold, mute and video.
    public internal(set) var peer = PeerUpdate()
    /// When the call came to be on this device.
    public let createdAt: Instant
    /// When it was answered.
    public internal(set) var answeredAt: Instant?
    /// When the first remote media came (C10).
    public internal(set) var connectedAt: Instant?
    /// The calls it is grouped with, in the order of their ids (R49).
    public internal(set) var groupedWith: [CallID] = []
    /// Whether another call of the device has the floor, so that this one is silent though it is not on hold.
    public internal(set) var isWaiting = false
    /// Whether the other side's picture comes.
    public internal(set) var remoteVideo = false
    /// The languages, while the phone translates the speech (R118).
    public internal(set) var translation: Translation?
    /// This side's camera.
    var camera = Camera()
    /// What the phone is like around the app.
    var surroundings = Surroundings()
    /// How the session's hold gate was turned last.
    var isHoldGateClosed = false
    /// How the session's mute gate was turned last.
    var isMuteGateClosed = false
    /// Until when one unmute counts as the system's own (P38).
    var keepsMuteUntil: Instant?
    /// Whether CallKit has to hear of a new name once it has the call.
    var owesUpdate = false
    /// Whether this call of ours goes on in one of the other side's, which makes this side the callee (race 7).
    let joins: Bool
    let policy: CallPolicy

    /// Makes an incoming call that has not been reported yet; `opened` reports it.
    public init(_ invitation: Invitation, policy: CallPolicy = CallPolicy(), at now: Instant) {
        id = invitation.call
        direction = .incoming
        details = invitation.details
        createdAt = now
        joins = false
        self.policy = policy
        state = .incoming(Incoming(ringUntil: min(now + policy.ring, invitation.expiresAt)))
    }

    /// Makes an outgoing call that nobody knows of yet; `opened` invites the other side.
    public init(_ id: CallID, to details: CallDetails, policy: CallPolicy = CallPolicy(), at now: Instant) {
        self.id = id
        direction = .outgoing
        self.details = details
        createdAt = now
        joins = false
        self.policy = policy
        state = .outgoing(Outgoing(until: now + policy.invite))
    }

    /// Makes the call of the other side in which an outgoing call goes on (race 7); CallKit is asked to show it.
    init(_ id: CallID, insteadOf call: CallMachine, at now: Instant) {
        self.id = id
        direction = .outgoing
        details = call.details
        createdAt = call.createdAt
        joins = true
        policy = call.policy
        muted = call.muted
        surroundings = call.surroundings
        standing = .telling
        state = .outgoing(Outgoing(until: now + policy.invite, invited: true, accepted: true, answered: true))
    }

    /// When to send `tick`; nil when nothing is due.
    public var deadline: Instant? {
        switch state {
        case .incoming(let incoming): incoming.ringUntil + .milliseconds(1)  // at its very end it is still valid
        case .outgoing(let outgoing): outgoing.until
        case .connecting(let connecting): connecting.until
        case .held(let talk): talk.resume?.until
        case .active, .ended: nil
        }
    }

    /// Whether the call is over.
    public var hasEnded: Bool {
        if case .ended = state { true } else { false }
    }

    /// Whether the machine has nothing more to do: the call is over and CallKit knows.
    public var isSettled: Bool {
        guard case .ended = state else { return false }
        switch standing {
        case .untold, .gone: return true
        case .telling, .told: return false
        }
    }

    /// Whether the server knows the call, as far as this device can tell.
    public var isKnownToServer: Bool {
        switch state {
        case .incoming, .connecting, .active, .held: true
        case .outgoing(let outgoing): outgoing.accepted
        case .ended: false
        }
    }

    /// Whether the call has a media session.
    public var hasMedia: Bool {
        switch state {
        case .incoming, .outgoing, .ended: false
        case .connecting(let connecting): connecting.claim == nil
        case .active, .held: true
        }
    }

    /// The call as the app sees it.
    public var snapshot: Call {
        var call = Call(id: id, direction: direction, details: details, state: .incoming, createdAt: createdAt)
        call.muted = muted
        call.peer = peer
        call.answeredAt = answeredAt
        call.connectedAt = connectedAt
        call.groupedWith = groupedWith
        call.translation = translation
        call.remoteVideo = remoteVideo
        call.isListenOnly = surroundings.mayUseMicrophone == false && hasMedia
        call.localVideo = localVideo
        if call.localVideo != .off { call.cameraFacing = camera.facing }
        switch state {
        case .incoming:
            call.state = .incoming
        case .outgoing(let outgoing):
            call.state = .outgoing
            call.remoteRinging = outgoing.rings
        case .connecting:
            call.state = .connecting
        case .active(let talk):
            call.state = isWaiting ? .held : .active
            call.interrupted = talk.interrupted
        case .held(let talk):
            call.state = .held
            call.isResuming = talk.resume != nil
            call.interrupted = talk.interrupted
        case .ended(let end):
            call.state = .ended(end.reason)
            call.endedAt = end.at
            call.failure = end.failure
            call.continuesAs = end.continuesAs
        }
        return call
    }

    /// Takes one event.
    public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        switch event {
        case .opened: open()
        case .reported(let failure): reported(failure, at: now)
        case .startPerformed(let action): performStart(action, at: now)
        case .startRefused(let failure): refuseStart(failure, at: now)
        case .answerPerformed(let action): performAnswer(action, at: now)
        case .endPerformed(let action): performEnd(action, at: now)
        case .endedByApp(let failure): endByApp(failure, at: now)
        case .holdPerformed(let action, let held): performHold(action, held)
        case .resumePerformed(let action): performResume(action, at: now)
        case .mutePerformed(let action, let muted): performMute(action, muted, at: now)
        case .tonesPerformed(let action, let tones): performTones(action, tones)
        case .translationPerformed(let action, let translation): performTranslation(action, translation)
        case .actionTimedOut(let action): timeOut(action, at: now)
        case .reset: reset(at: now)
        case .inviteAccepted: acceptInvite(at: now)
        case .inviteRefused(let failure, let reason): refuseInvite(failure, reason, at: now)
        case .remoteRang: ring()
        case .answered: takeAnswer(at: now)
        case .remoteEnded(let reason): endRemotely(reason, at: now)
        case .signalReceived(let signal): receive(signal)
        case .peerUpdated(let update): updatePeer(update)
        case .mediaSignal(let signal): sendSignal(signal)
        case .mediaArrived: mediaArrived(at: now)
        case .mediaInterrupted(let interrupted): interrupt(interrupted)
        case .remoteVideoChanged(let shows): showRemoteVideo(shows)
        case .audioReturned: takeAudio()
        case .audioLost: loseAudio(at: now)
        case .surroundingsChanged(let surroundings): settle(in: surroundings)
        case .renamed(let name): rename(name)
        case .cameraWanted(let wanted): wantCamera(wanted)
        case .cameraChosen(let facing): chooseCamera(facing)
        case .mediaFailed(let failure): failMedia(failure, at: now)
        case .tick: tick(at: now)
        }
    }
}
