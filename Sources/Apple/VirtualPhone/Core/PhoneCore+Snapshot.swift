// SPDX-License-Identifier: MIT

import Foundation

extension PhoneCore {
    /// What the user sees.
    public var screen: Screen {
        Screen(
            isLocked: isLocked, incoming: ringingCalls.map(card), inCall: ongoingCalls.map(inCall),
            foregroundApp: processes.values.first(where: \.isForeground)?.bundle,
            showsCallIndicator: !calls.isEmpty, isSilenced: calls.contains(where: \.isSilenced))
    }

    /// The phone at this moment.
    public var snapshot: PhoneSnapshot {
        PhoneSnapshot(
            now: now, screen: screen, calls: calls.map(\.publicValue), apps: apps.mapValues(state),
            pushTokens: apps.compactMapValues(\.token), isCallAudioActive: audio.active != nil, timeline: timeline,
            violations: violations, deaths: deaths, recents: recents)
    }

    private func state(of record: AppRecord) -> AppState {
        guard let process = record.process.flatMap({ processes[$0] }) else { return .notRunning }
        return process.isForeground ? .foreground : .background
    }

    private func card(of call: CallRecord) -> Screen.IncomingCard {
        Screen.IncomingCard(
            call: call.uuid, appName: apps[call.bundle]?.app.displayName ?? "", callerName: shownName(of: call),
            handle: call.handle, hasVideo: call.hasVideo, isFullScreen: isLocked, choices: choices(for: call))
    }

    private func inCall(of call: CallRecord) -> Screen.InCall {
        Screen.InCall(
            call: call.uuid, appName: apps[call.bundle]?.app.displayName ?? "", callerName: shownName(of: call),
            status: status(of: call), timerStart: call.connectedAt, isMuted: call.isMuted, isOnHold: call.isOnHold,
            canHold: call.supportsHolding, hasVideo: call.hasVideo)
    }

    private func status(of call: CallRecord) -> Screen.InCall.Status {
        if call.isOnHold { return .onHold }
        switch call.phase {
        case .ringing: return .calling
        case .answering: return .connecting
        case .dialing, .started: return call.hasStartedConnecting ? .connecting : .calling
        case .connected: return .timer
        }
    }
}

extension CallRecord {
    var publicValue: PhoneCall {
        PhoneCall(
            uuid: uuid, app: bundle, isOutgoing: isOutgoing, handle: handle, localizedCallerName: name,
            hasVideo: hasVideo, phase: phase, isEnding: isEnding, isOnHold: isOnHold, isMuted: isMuted,
            createdAt: createdAt, connectedAt: connectedAt)
    }
}
