// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// What the user and the phone allow the app to do with sound.
open class AVAudioApplication: NSObject {
    /// Whether the app may use the microphone (V9).
    public enum recordPermission: Int, Sendable {
        /// The user was not asked.
        case undetermined = 1_970_168_948
        /// The user refused: the microphone gives silence.
        case denied = 1_684_369_017
        /// The user agreed.
        case granted = 1_735_552_628
    }

    /// Whether the app may add speech to the microphone of another app.
    public enum MicrophoneInjectionPermission: Int, Sendable {
        /// The user switched it off for all apps.
        case serviceDisabled = 1_936_876_659
        /// The user was not asked.
        case undetermined = 1_970_168_948
        /// The user refused.
        case denied = 1_684_369_017
        /// The user agreed.
        case granted = 1_735_552_628
    }

    /// The input was muted, or is no longer (V11).
    public static let inputMuteStateChangeNotification: NSNotification.Name = .init(
        "AVAudioApplicationInputMuteStateChangeNotification")
    /// Whether the input is muted, a `Bool` (V11).
    public static let muteStateKey: String = "AVAudioApplicationMuteStateKey"

    private static let applications = Locked<[UUID: AVAudioApplication]>([:])

    private let process: AppProcess
    private let muted = Locked(false)

    init(process: AppProcess) {
        self.process = process
    }

    /// The running app.
    ///
    /// - Precondition: A phone runs the app.
    open class var shared: AVAudioApplication {
        let process = AppProcess.required(for: "AVAudioApplication")
        return applications.withLock { applications in
            if let application = applications[process.id] { return application }
            applications = applications.filter { $0.value.process.isRunning }
            let application = AVAudioApplication(process: process)
            applications[process.id] = application
            return application
        }
    }

    /// Mutes all input of the app, or ends that; observers are told (V11).
    open func setInputMuted(_ muted: Bool) throws {
        let changed = self.muted.withLock { current in
            defer { current = muted }
            return current != muted
        }
        guard changed else { return }
        NotificationCenter.default.post(
            name: AVAudioApplication.inputMuteStateChangeNotification, object: self,
            userInfo: [AVAudioApplication.muteStateKey: muted])
    }

    /// Whether all input of the app is muted.
    open var isInputMuted: Bool { muted.withLock { $0 } }

    /// Whether the app may use the microphone: the virtual phone's user has agreed (V9).
    open var recordPermission: AVAudioApplication.recordPermission { .granted }

    /// Asks the user for the microphone; the virtual phone's user has agreed, so the answer comes at once (V9).
    open class func requestRecordPermission(completionHandler response: @escaping @Sendable (Bool) -> Void) {
        response(true)
    }

    /// Asks the user for the microphone.
    ///
    /// - Returns: Whether the user agreed: the virtual phone's user has (V9).
    open class func requestRecordPermission() async -> Bool { true }

    /// Whether the app may add speech to the microphone of another app: the virtual phone has no such service.
    open var microphoneInjectionPermission: AVAudioApplication.MicrophoneInjectionPermission { .serviceDisabled }

    /// Asks to add speech to the microphone of another app; the virtual phone has no such service.
    open class func requestMicrophoneInjectionPermission(
        completionHandler response: @escaping @Sendable (AVAudioApplication.MicrophoneInjectionPermission) -> Void
    ) {
        response(.serviceDisabled)
    }

    /// Asks to add speech to the microphone of another app.
    ///
    /// - Returns: ``MicrophoneInjectionPermission/serviceDisabled``: the virtual phone has no such service.
    open class func requestMicrophoneInjectionPermission() async -> AVAudioApplication.MicrophoneInjectionPermission {
        .serviceDisabled
    }
}

// The process is Sendable, the mute state behind its lock.
extension AVAudioApplication: @unchecked Sendable {}
