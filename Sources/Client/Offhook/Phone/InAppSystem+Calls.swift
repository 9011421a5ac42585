// SPDX-License-Identifier: MIT

#if canImport(CallKit) && !os(macOS)
    import Foundation
    import OffhookCore
    import UserNotifications

    extension InAppSystem: PhoneSystem {
        // MARK: - Reports

        func reportIncoming(_ call: CallID, _ details: CallDetails) {
            lines[call] = .waiting
            if !surroundings.isForeground { ring(call, details) }
            receiver?.receive(.reportCompleted(call, nil))
        }

        func reportEnded(_ call: CallID, _ reason: EndReason, at instant: Instant) {
            finish(call)
        }

        // Nothing shows these but the app's own screen, which has them from the call's snapshots.
        func reportStartedConnecting(_ call: CallID, at instant: Instant) {}
        func reportConnected(_ call: CallID, at instant: Instant) {}
        func reportUpdated(_ call: CallID, _ details: CallDetails) {}

        // MARK: - Requests

        /// Performs a request at once, as CallKit does after its own checks.
        func request(_ request: CallRequest) {
            if case .setTranslation = request {
                let failure = CallFailure(.unsupported, "Only CallKit translates calls.")
                receiver?.receive(.requestCompleted(request, failure))
                return
            }
            receiver?.receive(.requestCompleted(request, nil))
            switch request {
            case .start(let call, _):
                lines[call] = .waiting
                receiver?.receive(.startPerformed(take(.talk(call)), call))
            case .answer(let call): answer(call)
            case .end(let call): end(call)
            case .setHeld(let call, let held): hold(call, held)
            case .setMuted(let call, let muted): receiver?.receive(.mutePerformed(take(.other), call, muted))
            case .setGroup(let call, let other):
                receiver?.receive(.groupPerformed(take(.other), call, with: other))
            case .playTones(let call, let tones):
                receiver?.receive(.tonesPerformed(take(.other), call, tones))
            case .setTranslation: break
            case .holdAndAnswer(let held, let answered):
                hold(held, true)
                answer(answered)
            case .endAndAnswer(let ended, let answered):
                end(ended)
                answer(answered)
            case .swap(let held, let resumed):
                hold(held, true)
                hold(resumed, false)
            }
        }

        private func answer(_ call: CallID) {
            silence(call)
            receiver?.receive(.answerPerformed(take(.talk(call)), call))
        }

        private func end(_ call: CallID) {
            receiver?.receive(.endPerformed(take(.end(call)), call))
        }

        private func hold(_ call: CallID, _ held: Bool) {
            receiver?.receive(.holdPerformed(take(.hold(call, held)), call, held))
        }

        private func take(_ action: Action) -> ActionID {
            let id = ActionID(UUID())
            actions[id] = action
            return id
        }

        func fulfil(_ action: ActionID) {
            switch actions.removeValue(forKey: action) {
            case .talk(let call): set(call, .talking)
            case .hold(let call, let held): set(call, held ? .held : .talking)
            case .end(let call): finish(call)
            case .other, nil: break
            }
        }

        /// A start or an answer that fails ends its call, as in CallKit (A4).
        func fail(_ action: ActionID) {
            switch actions.removeValue(forKey: action) {
            case .talk(let call): finish(call)
            case .end, .hold, .other, nil: break
            }
        }

        private func set(_ call: CallID, _ line: Line) {
            guard lines[call] != nil else { return }
            lines[call] = line
            turnAudio()
        }

        private func finish(_ call: CallID) {
            guard lines.removeValue(forKey: call) != nil else { return }
            silence(call)
            turnAudio()
        }

        // MARK: - Ringing

        private func ring(_ call: CallID, _ details: CallDetails) {
            let content = UNMutableNotificationContent()
            content.title = details == PushLedger.unknownCaller ? options.unknownCaller : details.title
            content.body = options.incomingCallText
            content.categoryIdentifier = CallCenter.incomingCallCategory
            content.userInfo = [CallCenter.notificationCallKey: call.description]
            content.sound =
                options.ringtoneSound.map { UNNotificationSound(named: UNNotificationSoundName($0)) } ?? .default
            center.add(
                UNNotificationRequest(identifier: call.description, content: content, trigger: nil),
                withCompletionHandler: nil)
        }

        /// Takes the call's notification back.
        func silence(_ call: CallID) {
            center.removeDeliveredNotifications(withIdentifiers: [call.description])
        }

        // MARK: - The rest

        func configureAudio() throws {
            try audio.configure()
        }

        func selectRoute(_ route: AudioRoute.ID) throws {
            try audio.select(route)
        }

        func donate(_ call: CallID, _ details: CallDetails, _ direction: Call.Direction) {
            Donation(call, details, direction).donate()
        }

        /// The invitation came over the socket or by a notification: nothing waits for it.
        func completePush(_ push: PushID) {}

        /// Asks for notifications too: they ring here (R77).
        func requestPermissions(video: Bool, _ done: @escaping @Sendable (CallPermissions) -> Void) {
            center.requestAuthorization(options: [.alert, .sound]) { [surroundings, queue] _, _ in
                queue.async { surroundings.requestPermissions(video: video, done) }
            }
        }
    }

    extension CallDetails {
        fileprivate var title: String { displayName ?? handle.value }
    }
#endif
