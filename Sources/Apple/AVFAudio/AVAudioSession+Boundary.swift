// SPDX-License-Identifier: MIT

import Foundation
import VirtualPhone

extension AVAudioSession {
    /// The session as the phone sees it; its defaults in a dead process.
    var phoneState: AudioSessionValue {
        guard case .audioSession(let state) = process.send(.readAudioSession) else { return AudioSessionValue() }
        return state
    }

    /// Asks the phone for a change.
    func change(_ request: AppRequest) throws {
        if case .failure(let error) = process.send(request) { throw error.audioError }
    }

    /// Asks the phone to keep a wish, and to follow it where it can (V6).
    func prefer(_ preference: AudioPreference) throws {
        try change(.audioSession(.prefer(preference)))
    }

    /// From here on the phone's events become notifications.
    func attach() {
        let (session, main) = (UUID.fresh(), UUID.fresh())
        process.attach(session, queue: events) { [weak self] in self?.receive($0) }
        process.attach(main, queue: .main) { [weak self] in self?.receive($0) }
        process.send(.audioSession(.attach(session: session, main: main)))
    }

    private func receive(_ event: PhoneEvent) {
        guard case .audioSession(_, let event) = event else { return }
        for (name, userInfo) in notifications(for: event) { post(name, userInfo) }
    }

    /// Asks the user for the microphone; the handler is called once, on a queue of the session's (V9).
    func requestPermission(_ handler: @escaping @Sendable (Bool) -> Void) {
        let request = UUID.fresh()
        process.attach(request, queue: events) { [process] event in
            process.detach(request)
            if case .audioSession(_, .recordPermissionAnswered(let granted)) = event { handler(granted) }
        }
        process.send(.audioSession(.requestRecordPermission(request: request)))
    }

    private func post(_ name: NSNotification.Name, _ userInfo: [AnyHashable: Any]?) {
        let isOfApplication = name == AVAudioApplication.inputMuteStateChangeNotification
        NotificationCenter.default.post(
            name: name, object: isOfApplication ? AVAudioApplication.application(of: process) : self,
            userInfo: userInfo)
    }

    /// What observers are told (V7, V8, V11, R53).
    private func notifications(
        for event: AudioSessionEvent
    ) -> [(NSNotification.Name, [AnyHashable: Any]?)] {
        switch event {
        case .mediaServicesWereLost: return [(AVAudioSession.mediaServicesWereLostNotification, nil)]
        case .mediaServicesWereReset: return [(AVAudioSession.mediaServicesWereResetNotification, nil)]
        case .interruptionBegan(let reason):
            let userInfo: [AnyHashable: Any] = [
                AVAudioSessionInterruptionTypeKey: InterruptionType.began.rawValue,
                AVAudioSessionInterruptionReasonKey: reason,
            ]
            return [(AVAudioSession.interruptionNotification, userInfo)]
        case .interruptionEnded(let shouldResume):
            let options: InterruptionOptions = shouldResume ? .shouldResume : []
            let userInfo: [AnyHashable: Any] = [
                AVAudioSessionInterruptionTypeKey: InterruptionType.ended.rawValue,
                AVAudioSessionInterruptionOptionKey: options.rawValue,
            ]
            return [(AVAudioSession.interruptionNotification, userInfo)]
        case .becameActive: return [(AVAudioSession.didBecomeActiveNotification, nil)]
        case .becameInactive(let bySystem, let reason):
            let interruption = reason.map { InterruptionContext(reason: .init(rawValue: $0) ?? .default) }
            let context = DeactivationContext(source: bySystem ? .system : .app, interruption: interruption)
            return [(AVAudioSession.didBecomeInactiveNotification, [AVAudioSession.deactivationContextKey: context])]
        case .resumptionRecommended(let shouldResume):
            let context = ResumptionContext(recommendation: shouldResume ? .shouldResume : .shouldNotResume)
            return [
                (AVAudioSession.resumptionRecommendationNotification, [AVAudioSession.resumptionContextKey: context])
            ]
        case .routeChanged(let reason, let previous):
            let userInfo: [AnyHashable: Any] = [
                AVAudioSessionRouteChangeReasonKey: reason,
                AVAudioSessionRouteChangePreviousRouteKey: AVAudioSessionRouteDescription(previous),
            ]
            return [(AVAudioSession.routeChangeNotification, userInfo)]
        case .availableInputsChanged: return [(AVAudioSession.availableInputsChangeNotification, nil)]
        case .inputMuteChanged(let muted):
            let userInfo = [AVAudioApplication.muteStateKey: muted]
            return [(AVAudioApplication.inputMuteStateChangeNotification, userInfo)]
        case .outputMuteChanged(let muted):
            return [(AVAudioSession.outputMuteStateChangeNotification, [AVAudioSession.muteStateKey: muted])]
        case .recordPermissionAnswered: return []
        }
    }
}

extension AVAudioSession.ErrorCode {
    /// The error that Apple's session throws for this code.
    var error: NSError {
        NSError(domain: NSOSStatusErrorDomain, code: rawValue)
    }
}

extension PhoneError {
    var audioError: NSError {
        NSError(domain: domain, code: code)
    }
}
