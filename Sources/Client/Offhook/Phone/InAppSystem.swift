// SPDX-License-Identifier: MIT

#if canImport(CallKit) && !os(macOS)
    import AVFAudio
    import Dispatch
    import Foundation
    import OffhookCore
    import OffhookWire
    import UserNotifications

    /// Calls without CallKit and PushKit, for where they must not be used (R132, C13, P47); bound to the engine queue.
    ///
    /// What CallKit would do is done here: requests are performed at once, the audio session is activated while a call
    /// talks (here, and only here), and a call that comes in while the app is in the background rings by a local
    /// notification. In the foreground the app's own call screen shows it.
    final class InAppSystem {
        let isNative = false
        let queue: DispatchQueue
        let audio: CallAudioSession
        let surroundings: SurroundingsObserver
        let center = UNUserNotificationCenter.current()
        var options: CallCenter.ProviderOptions
        private(set) weak var receiver: (any PhoneReceiver)?
        /// The live calls.
        var lines: [CallID: Line] = [:]
        /// What is performed and not completed yet.
        var actions: [ActionID: Action] = [:]
        private var isActive = false
        private var pushCount = 0

        /// Where a call is, as far as its sound goes.
        enum Line {
            /// It rings, or is on its way.
            case waiting
            /// It has the sound.
            case talking
            /// It is held.
            case held
        }

        /// What is performed.
        enum Action {
            /// The call begins to talk.
            case talk(CallID)
            /// The call ends.
            case end(CallID)
            /// The call is held, or goes on.
            case hold(CallID, Bool)
            /// Nothing changes for the sound.
            case other
        }

        init(_ configuration: CallCenter.Configuration, queue: DispatchQueue) {
            self.queue = queue
            options = configuration.provider
            audio = CallAudioSession(queue: queue)
            surroundings = SurroundingsObserver(queue: queue, session: audio.session)
        }

        func begin(_ receiver: any PhoneReceiver) {
            self.receiver = receiver
            audio.lost = { [weak self] in self?.loseAudio() }
            audio.regained = { [weak self] in self?.turnAudio() }
            surroundings.begin(receiver)
            audio.hasReceiver = surroundings.isPhone
            audio.begin(receiver)
        }

        func invalidate() {
            receiver = nil
            for call in lines.keys { silence(call) }
            lines = [:]
            actions = [:]
            turnAudio()
            audio.end()
            surroundings.end()
        }

        func change(_ options: CallCenter.ProviderOptions) {
            self.options = options
        }

        // MARK: - The audio session

        /// Activates the session while a call talks, and gives it back after the last one.
        func turnAudio() {
            let isWanted = lines.values.contains { if case .talking = $0 { true } else { false } }
            guard isWanted != isActive else { return }
            guard isWanted else {
                loseAudio()
                // V1: after the media has stopped, which the event above brings about.
                queue.async { [weak self, audio] in
                    guard self?.isActive != true else { return }
                    try? audio.session.setActive(false, options: .notifyOthersOnDeactivation)
                }
                return
            }
            // Refused while another app or the network's call has the sound; the end of that interruption tries again.
            guard (try? audio.session.setActive(true)) != nil else { return }
            isActive = true
            receiver?.receive(.audioActivated)
            audio.tellRoutes()
        }

        private func loseAudio() {
            guard isActive else { return }
            isActive = false
            receiver?.receive(.audioDeactivated)
        }

        // MARK: - Invitations by notification

        func receiveNotification(_ payload: [UInt8]) -> Bool {
            guard let receiver, (try? PushPayload.decode(payload)) != nil else { return false }
            pushCount += 1
            receiver.receivePush(PushID(pushCount), payload: payload, mustReport: false)
            return true
        }
    }

    // Bound to the engine queue.
    extension InAppSystem: @unchecked Sendable {}
#endif
