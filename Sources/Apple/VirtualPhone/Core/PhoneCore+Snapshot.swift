// SPDX-License-Identifier: MIT

import Foundation

extension PhoneCore {
    /// What the user sees.
    public var screen: Screen {
        Screen(
            isLocked: isLocked, incoming: ringingCalls.map(card), inCall: inCallEntries,
            foregroundApp: processes.values.first(where: \.isForeground)?.bundle,
            showsCallIndicator: !calls.isEmpty, isSilenced: calls.contains(where: \.isSilenced),
            microphonePrompt: microphonePrompt, audioRoutes: audioRouteChoices)
    }

    /// The phone at this moment.
    public var snapshot: PhoneSnapshot {
        PhoneSnapshot(
            now: now, screen: screen, calls: calls.map(\.publicValue), apps: apps.mapValues(state),
            pushTokens: apps.compactMapValues(\.token), isCallAudioActive: audio.active != nil, timeline: timeline,
            violations: violations, warnings: warnings, deaths: deaths,
            wasUnlocked: device.wasUnlocked, isInAirplaneMode: device.isInAirplaneMode, region: device.region,
            recents: recents)
    }

    private func state(of record: AppRecord) -> AppState {
        guard let process = record.process.flatMap({ processes[$0] }) else { return .notRunning }
        if process.isSuspended { return .suspended }
        return process.isForeground ? .foreground : .background
    }
}

extension CallRecord {
    var publicValue: PhoneCall {
        PhoneCall(
            uuid: uuid, app: bundle, isOutgoing: isOutgoing, handle: handle, localizedCallerName: name,
            hasVideo: hasVideo, phase: phase, isEnding: isEnding, isOnHold: isOnHold, isMuted: isMuted,
            createdAt: createdAt, connectedAt: connectedAt, group: group, other: other,
            isTranslating: line.translation != nil)
    }
}
