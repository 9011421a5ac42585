// SPDX-License-Identifier: MIT

import OffhookCore

extension Engine {
    /// Writes a line to the app's log, if it has one.
    func log(_ level: LogEntry.Level, _ message: @autoclosure () -> String, _ call: CallID? = nil) {
        guard let log = configuration.log else { return }
        log(LogEntry(at: clock.now, level: level, message: message(), call: call))
    }

    /// Tells the app that something is wrong; the log gets the code alone, as the message may be the server's.
    func tellWarning(_ error: OffhookError) {
        log(.warning, error.code.rawValue)
        streams.send(.warning(error))
    }
}

extension PhoneMachine.Event {
    /// What happened, without names, handles, tokens, payloads and media descriptions (R12).
    var logLine: (message: String, call: CallID?) {
        switch self {
        case .pushArrived(let push, let content, let mustReport, _):
            ("push \(push.number) came, \(mustReport ? "must" : "may") be reported", content.call)
        case .reportCompleted(let call, let failure): ("report: \(outcome(failure))", call)
        case .startPerformed(_, let call): ("CallKit performs start", call)
        case .answerPerformed(_, let call): ("CallKit performs answer", call)
        case .endPerformed(_, let call): ("CallKit performs end", call)
        case .holdPerformed(_, let call, let held): ("CallKit performs \(held ? "hold" : "unhold")", call)
        case .mutePerformed(_, let call, let muted): ("CallKit performs \(muted ? "mute" : "unmute")", call)
        case .groupPerformed(_, let call, let other): ("CallKit performs \(other == nil ? "ungroup" : "group")", call)
        case .tonesPerformed(_, let call, _): ("CallKit performs tones", call)
        case .translationPerformed(_, let call, let translation):
            ("CallKit performs translation \(translation == nil ? "off" : "on")", call)
        case .otherPerformed: ("CallKit performs something else", nil)
        case .actionTimedOut: ("an action timed out", nil)
        case .requestCompleted(let request, let failure): ("transaction: \(outcome(failure))", request.call)
        case .audioActivated: ("audio session activated", nil)
        case .audioDeactivated: ("audio session deactivated", nil)
        case .providerReset: ("provider reset", nil)
        case .otherCalls(let count): ("\(count) calls of others", nil)
        case .routesChanged(let routes): ("\(routes.available.count) audio routes", nil)
        case .audioInterrupted(let interrupted): ("audio interruption \(interrupted ? "began" : "ended")", nil)
        case .mediaServicesReset: ("media services reset", nil)
        case .surroundingsChanged(let now):
            ("\(now.isForeground ? "foreground" : "background"), \(now.isUnlocked ? "unlocked" : "locked")", nil)
        case .invited(let invitation): ("the server invites", invitation.call)
        case .server(let call, let news): ("the server: \(news.logName)", call)
        case .delivered(let call, let signal): ("the server took \(signal.logName)", call)
        case .media(let call, let news): ("media: \(news.logName)", call)
        case .launched: ("launched", nil)
        case .saved(_, let failure): ("save: \(outcome(failure))", nil)
        case .command(_, let command, _): ("command \(command.logName)", command.call)
        case .tick: ("tick", nil)
        }
    }

    private func outcome(_ failure: CallFailure?) -> String { failure?.code.rawValue ?? "done" }
}

extension PushContent {
    /// The call it invites to; nil when it cannot be read.
    fileprivate var call: CallID? {
        switch self {
        case .invitation(let invitation): invitation.call
        case .undecodable: nil
        }
    }
}

extension PhoneMachine.ServerNews {
    fileprivate var logName: String {
        switch self {
        case .inviteAccepted: "invitation taken"
        case .inviteRefused(let failure, _): "invitation refused, \(failure.code.rawValue)"
        case .ringing: "rings there"
        case .answered: "answered"
        case .ended(let reason): "ended, \(reason.rawValue)"
        case .joined: "joined with the other side's call"
        case .media(let signal): "media \(signal.kind.rawValue)"
        case .update: "update"
        }
    }
}

extension PhoneMachine.MediaNews {
    fileprivate var logName: String {
        switch self {
        case .signal(let signal): "sends \(signal.kind.rawValue)"
        case .arrived: "arrived"
        case .interrupted(let interrupted): interrupted ? "interrupted" : "restored"
        case .remoteVideo(let shows): "remote picture \(shows ? "on" : "off")"
        case .failed(let failure): "failed, \(failure.code.rawValue)"
        }
    }
}

extension CallSignal {
    /// The signal's name alone.
    fileprivate var logName: String {
        switch self {
        case .invite: "invite"
        case .ringing: "ringing"
        case .answer: "answer"
        case .decline: "decline"
        case .busy: "busy"
        case .cancel: "cancel"
        case .hangup: "hangup"
        case .media: "media"
        case .connected: "connected"
        case .update: "update"
        }
    }
}

extension PhoneMachine.Command {
    /// The command's name alone.
    fileprivate var logName: String {
        switch self {
        case .start: "start"
        case .answer: "answer"
        case .end: "end"
        case .setHeld(_, let held): held ? "hold" : "unhold"
        case .setMuted(_, let muted): muted ? "mute" : "unmute"
        case .setGroup(_, let other): other == nil ? "split" : "merge"
        case .playTones: "tones"
        case .setRoute: "route"
        case .setDisplayName: "display name"
        case .setCamera(_, let on): "camera \(on ? "on" : "off")"
        case .switchCamera: "switch camera"
        case .setTranslation(_, let translation): "translation \(translation == nil ? "off" : "on")"
        }
    }
}

extension InvitationOutcome {
    /// The outcome's name.
    var logName: String {
        switch self {
        case .accepted: "accepted"
        case .duplicate: "duplicate"
        case .ended(let reason): "ended, \(reason.rawValue)"
        case .expired: "expired"
        case .busy: "busy"
        case .undecodable: "undecodable"
        }
    }
}

extension Call.State {
    /// The state's name.
    var logName: String {
        switch self {
        case .incoming: "incoming"
        case .outgoing: "outgoing"
        case .connecting: "connecting"
        case .active: "active"
        case .held: "held"
        case .ended(let reason): "ended, \(reason.rawValue)"
        }
    }
}
