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

    private static let applications = Locked<[ObjectIdentifier: AVAudioApplication]>([:])

    private let process: AppProcess
    private let session: AVAudioSession

    init(process: AppProcess) {
        self.process = process
        session = AVAudioSession.session(of: process)
    }

    /// The running app.
    ///
    /// - Precondition: A phone runs the app.
    open class var shared: AVAudioApplication {
        application(of: .required(for: "AVAudioApplication"))
    }

    /// The application object of a process.
    static func application(of process: AppProcess) -> AVAudioApplication {
        if let application = applications.withLock({ $0[ObjectIdentifier(process)] }) { return application }
        let made = AVAudioApplication(process: process)
        return applications.withLock { applications in
            if let application = applications[ObjectIdentifier(process)] { return application }
            applications = applications.filter { $0.value.process.isRunning }
            applications[ObjectIdentifier(process)] = made
            return made
        }
    }

    /// Mutes all input of the app, or ends that; observers are told (V11).
    open func setInputMuted(_ muted: Bool) throws {
        try session.change(.audioSession(.setInputMuted(muted)))
    }

    /// Whether all input of the app is muted (V11).
    open var isInputMuted: Bool { session.phoneState.isInputMuted }

    /// Whether the app may use the microphone (V9).
    open var recordPermission: AVAudioApplication.recordPermission {
        switch session.phoneState.permission {
        case .undetermined: return .undetermined
        case .denied: return .denied
        case .granted: return .granted
        }
    }

    /// Asks the user for the microphone; the answer comes at once when it was given before (V9).
    ///
    /// Over a locked screen there is no question, and the answer is no (R77). An app without
    /// NSMicrophoneUsageDescription is ended.
    /// - Precondition: A phone runs the app.
    open class func requestRecordPermission(completionHandler response: @escaping @Sendable (Bool) -> Void) {
        AVAudioSession.sharedInstance().requestPermission(response)
    }

    /// Asks the user for the microphone (V9); does not return when the app ends before the answer.
    ///
    /// - Returns: Whether the user agreed.
    /// - Precondition: A phone runs the app.
    open class func requestRecordPermission() async -> Bool {
        let session = AVAudioSession.sharedInstance()
        return await withUnsafeContinuation { continuation in
            session.requestPermission { continuation.resume(returning: $0) }
        }
    }

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

// The process and the session are Sendable and never change.
extension AVAudioApplication: @unchecked Sendable {}
