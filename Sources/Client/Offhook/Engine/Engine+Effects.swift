// SPDX-License-Identifier: MIT

import Foundation
import OffhookCore
import OffhookWire

extension Engine: PhoneReceiver {
    /// Takes an event and carries out its effects in order; an event born of an effect follows after them.
    func receive(_ event: PhoneMachine.Event) {
        guard phase == .running else { return }
        let line = event.logLine
        log(.debug, line.message, line.call)
        inbox.append(event)
        guard !isDraining else { return }
        isDraining = true
        while !inbox.isEmpty {
            let wasOpen = machine.window.isOpen
            let event = inbox.removeFirst()
            source = event.source
            for effect in machine.handle(event, at: clock.now) { run(effect) }
            if machine.window.isOpen != wasOpen { streams.send(.audio(open: !wasOpen)) }
        }
        isDraining = false
        arm()
    }

    func receivePush(_ push: PushID, payload: [UInt8]?, mustReport: Bool) {
        rereadStorage()
        openPushes.insert(push)
        // What comes for a user that has left does not ring (R107).
        let payload = token == nil || isLeaving ? nil : payload
        let invitation = payload.flatMap { try? PushPayload.decode($0).invitation }.map { local($0) }
        let content = invitation.map { PushContent.invitation($0) } ?? .undecodable
        receive(.pushArrived(push, content, mustReport: mustReport, spare: CallID(UUID())))
    }

    func receiveToken(_ token: String?) {
        pushToken = token
        guard self.token != nil else { return }  // registered once somebody signs in
        guard let token else {
            signals.send(.unregister)
            return
        }
        let environment: PushRegistration.Environment =
            switch configuration.pushEnvironment {
            case .development: .development
            case .production: .production
            }
        signals.send(
            .register(
                PushRegistration(token: token, environment: environment, bundle: configuration.bundleIdentifier)))
    }

    private func run(_ effect: PhoneEffect) {
        switch effect {
        case .reportIncoming(let call, let details): system?.reportIncoming(call, details)
        case .reportEnded(let call, let reason, let instant): system?.reportEnded(call, reason, at: instant)
        case .reportStartedConnecting(let call, let instant): system?.reportStartedConnecting(call, at: instant)
        case .reportConnected(let call, let instant): system?.reportConnected(call, at: instant)
        case .request(let request): system?.request(request)
        case .fulfil(let action): system?.fulfil(action)
        case .fail(let action): system?.fail(action)
        case .reportUpdated(let call, let details): system?.reportUpdated(call, details)
        case .configureAudio: configureAudio()
        case .selectRoute(let route): selectRoute(route)
        case .donate(let call, let details, let direction): system?.donate(call, details, direction)
        case .save(let point): inbox.append(.saved(point, save()))
        case .completePush(let push):
            openPushes.remove(push)
            system?.completePush(push)
        case .connectSignaling: connect()
        case .send(let call, let signal): send(signal, of: call)
        case .startMedia(let call, let offers): startMedia(call, offers: offers)
        case .deliverSignal(let call, let signal): order(call, .receive(signal))
        case .setAudioOpen(let call, let open): order(call, .setAudioOpen(open))
        case .setMediaMuted(let call, let muted): order(call, .setMuted(muted))
        case .setMediaHeld(let call, let held): order(call, .setHeld(held))
        case .playTones(let call, let tones): order(call, .playTones(tones))
        case .setCamera(let call, let camera): order(call, .setCamera(camera))
        case .setTranslation(let call, let translation): order(call, .setTranslation(translation))
        case .stopMedia(let call): desk.close(call, at: clock.now)
        case .publish(let call):
            log(.info, call.state.logName, call.id)
            record(call)
            streams.send(call, live: currentCalls)
        case .tell(let outcome, let call):
            log(.info, "invitation: \(outcome.logName)", call)
            streams.send(.invitation(outcome, call))
        case .finish(let result): finish(result)
        case .publishRoutes(let routes):
            self.routes = routes
            streams.send(.routes(routes))
        }
    }

    private func configureAudio() {
        do {
            try system?.configureAudio()
        } catch {
            let message = "The audio session did not take playAndRecord with voiceChat: \(error)"
            tellWarning(OffhookError(.mediaFailed, message, underlying: error))
        }
    }
}
