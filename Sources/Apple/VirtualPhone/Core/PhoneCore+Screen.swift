// SPDX-License-Identifier: MIT

import Foundation

// What the user sees of calls: cards of those that ring, the in-call screens of those that go on.
extension PhoneCore {
    func card(of call: CallRecord) -> Screen.IncomingCard {
        Screen.IncomingCard(
            call: call.uuid, appName: appName(of: call), callerName: DisplayText.shown(shownName(of: call)),
            handle: call.handle, address: DisplayText.shown(call.handle?.value ?? ""),
            photo: contact(for: call.handle)?.photo, directoryLabel: label(of: call).map(DisplayText.shown),
            hasVideo: call.hasVideo, isFullScreen: isLocked, choices: choices(for: call))
    }

    /// The calls that go on, a conference as one.
    var inCallEntries: [Screen.InCall] {
        var groups: [UUID] = []
        for call in ongoingCalls where !groups.contains(call.group) { groups.append(call.group) }
        return groups.compactMap { group in inCall(of: ongoingCalls.filter { $0.group == group }) }
    }

    private func inCall(of calls: [CallRecord]) -> Screen.InCall? {
        guard let first = calls.first else { return nil }
        let start = calls.compactMap(\.connectedAt).min()
        let isOnHold = calls.allSatisfy(\.isOnHold)
        let hasVideo = calls.contains(where: \.hasVideo)
        let isInFront = processes.values.contains { $0.isForeground && $0.bundle == first.bundle }
        return Screen.InCall(
            call: first.uuid,
            members: calls.map { call in
                Screen.Member(
                    call: call.uuid, name: DisplayText.shown(shownName(of: call)), isOnHold: call.isOnHold,
                    canSeparate: canSeparate(call))
            },
            appName: appName(of: first),
            callerName: calls.map { DisplayText.shown(shownName(of: $0)) }.joined(separator: ", "),
            photo: calls.count == 1 ? contact(for: first.handle)?.photo : nil,
            status: isOnHold ? .onHold : status(of: calls.first { !$0.isOnHold } ?? first), timerStart: start,
            timer: start.map { .milliseconds(Int(max(0, now.timeIntervalSince($0)) * 1000)) },
            isMuted: calls.allSatisfy(\.isMuted), isOnHold: isOnHold, canHold: calls.allSatisfy(\.supportsHolding),
            hasVideo: hasVideo, showsVideo: hasVideo && isInFront && !isLocked,
            isTranslating: calls.contains { $0.line.translation != nil }, enabledControls: controls(of: calls))
    }

    private func controls(of calls: [CallRecord]) -> [Screen.Control] {
        guard let call = calls.first else { return [] }
        let isActive = calls.contains { !$0.isOnHold }
        let isConnected = calls.contains { $0.phase == .connected }
        let others = ongoingCalls.filter { $0.group != call.group }
        let configuration = provider(for: call)?.provider.configuration
        return Screen.Control.allCases.filter { control in
            switch control {
            case .mute, .speaker: return isActive
            case .keypad: return isActive && calls.contains(where: \.supportsDTMF)
            case .hold: return calls.allSatisfy { $0.supportsHolding || $0.isOnHold }
            case .addCall: return isActive && isConnected && others.isEmpty && calls.allSatisfy(\.supportsHolding)
            case .swap:
                return isActive && calls.allSatisfy(\.supportsHolding) && others.contains(where: \.isOnHold)
            case .merge: return isActive && mergeable(with: call) != nil
            case .separate: return isActive && calls.contains(where: canSeparate)
            case .translate: return isActive && canTranslate(call, by: configuration)
            case .end: return true
            }
        }
    }

    private func appName(of call: CallRecord) -> String {
        call.other?.appName ?? apps[call.bundle]?.app.displayName ?? ""
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
