// SPDX-License-Identifier: MIT

#if canImport(CallKit) && !os(macOS)
    import AVFAudio
    import Dispatch
    import Foundation
    import OffhookCore

    /// The app's audio session as calls use it: category, routes and what happens to it; bound to the engine queue.
    ///
    /// The session is configured here and never activated: that is CallKit's (S1, R71). A route never changes the
    /// category (R52).
    final class CallAudioSession {
        let session = AVAudioSession.sharedInstance()
        private let queue: DispatchQueue
        private weak var receiver: (any PhoneReceiver)?
        private var observers: [any NSObjectProtocol] = []
        private var told: AudioRoutes?
        /// Whether the device has a receiver at the ear.
        var hasReceiver = true
        /// Called when the session is no longer active because somebody else took the sound, or it was reset.
        var lost: (() -> Void)?
        /// Called when the session may be active again.
        var regained: (() -> Void)?

        init(queue: DispatchQueue) {
            self.queue = queue
        }

        func begin(_ receiver: any PhoneReceiver) {
            self.receiver = receiver
            observe(AVAudioSession.routeChangeNotification) { audio, _ in audio.tellRoutes() }
            observe(AVAudioSession.interruptionNotification) { audio, note in audio.tellInterruption(note) }
            observe(AVAudioSession.mediaServicesWereResetNotification) { audio, _ in audio.tellReset() }
            #if !canImport(Darwin) || compiler(>=6.2)
                if #available(iOS 26.0, *) {
                    observe(AVAudioSession.availableInputsChangeNotification) { audio, _ in audio.tellRoutes() }
                }
            #endif
        }

        func end() {
            receiver = nil
            for observer in observers { NotificationCenter.default.removeObserver(observer) }
            observers = []
        }

        /// R69: a call's category and mode; the mode brings Bluetooth headsets with it (V2).
        func configure() throws {
            try session.setCategory(.playAndRecord, mode: .voiceChat, options: [])
        }

        // MARK: - What happens to the session

        /// What a notification says, as far as it is needed.
        private struct Note: Sendable {
            var type: UInt?
            var reason: UInt?

            init(_ notification: Notification) {
                type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
                reason = notification.userInfo?[AVAudioSessionInterruptionReasonKey] as? UInt
            }
        }

        /// The notifications come on threads of the system's own, and are taken on the engine queue in their order.
        private func observe(
            _ name: NSNotification.Name, _ take: @escaping @Sendable (CallAudioSession, Note) -> Void
        ) {
            observers.append(
                NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) {
                    [weak self, queue] notification in
                    let note = Note(notification)
                    queue.async { [weak self] in
                        if let self { take(self, note) }
                    }
                })
        }

        /// Tells the routes if they are not what was told last.
        func tellRoutes() {
            let routes = currentRoutes
            guard routes != told, let receiver else { return }
            told = routes
            receiver.receive(.routesChanged(routes))
        }

        private func tellInterruption(_ note: Note) {
            // 1: the session was taken while the app was suspended; no end follows (V7).
            guard let type = note.type, note.reason != 1 else { return }
            let began = type == AVAudioSession.InterruptionType.began.rawValue
            if began { lost?() }
            receiver?.receive(.audioInterrupted(began))
            if !began { regained?() }
        }

        /// R53: the session has its defaults again.
        private func tellReset() {
            told = nil
            lost?()
            receiver?.receive(.mediaServicesReset)
            regained?()
        }
    }

    // Bound to the engine queue; the notification centre's blocks only hand over to it.
    extension CallAudioSession: @unchecked Sendable {}
#endif
