// SPDX-License-Identifier: MIT

#if canImport(CallKit) && !os(macOS)
    import AVFAudio
    import AVFoundation
    import Dispatch
    import Foundation
    import OffhookCore
    import UIKit

    /// Watches the phone around the app: foreground, lock and permissions (R5, R6, R76, R116); bound to the engine queue.
    ///
    /// UIKit is asked on the main thread and its notifications come there; each is handed to the engine queue.
    final class SurroundingsObserver {
        private let queue: DispatchQueue
        private let session: AVAudioSession
        private weak var receiver: (any PhoneReceiver)?
        private var observers: [any NSObjectProtocol] = []
        private var current = Surroundings()
        /// Whether the app is on the screen.
        var isForeground: Bool { current.isForeground }
        /// Whether the device is a phone, with a receiver at the ear.
        private(set) var isPhone = true

        /// Makes an observer; on the main thread it knows the surroundings from the beginning, else a little later.
        init(queue: DispatchQueue, session: AVAudioSession) {
            self.queue = queue
            self.session = session
            if SurroundingsObserver.isOnMain {
                take(MainActor.assumeIsolated { SurroundingsObserver.look() })
            } else {
                // Elsewhere the main queue says nothing of the process that is meant.
                #if canImport(Darwin)
                    DispatchQueue.main.async { [weak self] in
                        let seen = MainActor.assumeIsolated { SurroundingsObserver.look() }
                        queue.async { [weak self] in self?.change { $0.take(seen) } }
                    }
                #endif
            }
        }

        func begin(_ receiver: any PhoneReceiver) {
            self.receiver = receiver
            observe(UIApplication.didBecomeActiveNotification) { $0.current.isForeground = true }
            observe(UIApplication.didEnterBackgroundNotification) { $0.current.isForeground = false }
            observe(UIApplication.protectedDataWillBecomeUnavailableNotification) { $0.current.isUnlocked = false }
            observe(UIApplication.protectedDataDidBecomeAvailableNotification) {
                $0.current.isUnlocked = true
                $0.receiver?.receiveUnlocked()
            }
            readPermissions()
            receiver.receive(.surroundingsChanged(current))
        }

        func end() {
            receiver = nil
            for observer in observers { NotificationCenter.default.removeObserver(observer) }
            observers = []
        }

        // MARK: - Foreground and lock

        /// What UIKit says at one moment.
        private struct Sight: Sendable {
            var isForeground: Bool
            var isUnlocked: Bool
            var isPhone: Bool
        }

        /// Set on the main queue, which need not be served by the main thread everywhere.
        private static let mainKey: DispatchSpecificKey<Bool> = {
            let key = DispatchSpecificKey<Bool>()
            DispatchQueue.main.setSpecific(key: key, value: true)
            return key
        }()

        private static var isOnMain: Bool {
            Thread.isMainThread || DispatchQueue.getSpecific(key: mainKey) == true
        }

        @MainActor private static func look() -> Sight {
            let application = UIApplication.shared
            return Sight(
                isForeground: application.applicationState != .background,
                isUnlocked: application.isProtectedDataAvailable,
                isPhone: UIDevice.current.userInterfaceIdiom == .phone)
        }

        private func take(_ sight: Sight) {
            current.isForeground = sight.isForeground
            current.isUnlocked = sight.isUnlocked
            isPhone = sight.isPhone
        }

        private func observe(_ name: NSNotification.Name, _ body: @escaping @Sendable (SurroundingsObserver) -> Void) {
            observers.append(
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
                    [weak self, queue] _ in
                    queue.async { [weak self] in self?.change(body) }
                })
        }

        /// Changes what is known and tells it if it became something else; permissions may have changed in Settings.
        private func change(_ body: (SurroundingsObserver) -> Void) {
            let before = current
            body(self)
            readPermissions()
            if current != before { receiver?.receive(.surroundingsChanged(current)) }
        }

        // MARK: - Permissions

        private func readPermissions() {
            let permissions = self.permissions
            current.mayUseMicrophone = permissions.microphone.isAllowed
            current.mayUseCamera = permissions.camera.isAllowed
        }

        /// What the user allows now.
        var permissions: CallPermissions {
            var microphone = PermissionStatus(session.recordPermission)
            // Only AVFoundation tells a refusal from a device on which nobody may decide.
            if microphone == .denied, AVCaptureDevice.authorizationStatus(for: .audio) == .restricted {
                microphone = .restricted
            }
            return CallPermissions(
                microphone: microphone, camera: PermissionStatus(AVCaptureDevice.authorizationStatus(for: .video)))
        }

        /// Asks for what was not decided yet, one after the other; answers on the engine queue.
        func requestPermissions(video: Bool, _ done: @escaping @Sendable (CallPermissions) -> Void) {
            let finish: @Sendable (Bool) -> Void = { [weak self, queue] _ in
                queue.async { [weak self] in
                    guard let self else { return done(CallPermissions()) }
                    change { _ in }
                    done(permissions)
                }
            }
            let askForCamera: @Sendable (Bool) -> Void = { _ in
                guard video, AVCaptureDevice.authorizationStatus(for: .video) == .notDetermined else {
                    return finish(true)
                }
                AVCaptureDevice.requestAccess(for: .video, completionHandler: finish)
            }
            guard permissions.microphone == .notDetermined else { return askForCamera(true) }
            session.requestRecordPermission(askForCamera)
        }
    }

    // Bound to the engine queue; the notification centre's blocks only hand over to it.
    extension SurroundingsObserver: @unchecked Sendable {}
#endif
