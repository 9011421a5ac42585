// SPDX-License-Identifier: MIT

extension AVAudioSession {
    /// Whether an interruption begins or ends (V7).
    public enum InterruptionType: UInt, Sendable {
        /// It begins; the session is inactive.
        case began = 1
        /// It ends.
        case ended = 0
    }
}

extension AVAudioSession {
    /// Why the session was interrupted (V7).
    public enum InterruptionReason: UInt, Sendable {
        /// Another session was activated.
        case `default` = 0
        /// The app was suspended; of old systems.
        case appWasSuspended = 1
        /// The microphone was muted by hardware.
        case builtInMicMuted = 2
        /// The device in use was disconnected.
        case routeDisconnected = 4
    }
}

extension AVAudioSession {
    /// Whether sound in the background should stop.
    public enum SilenceSecondaryAudioHintType: UInt, Sendable {
        /// It should stop.
        case begin = 1
        /// It may go on.
        case end = 0
    }
}

extension AVAudioSession {
    /// Who deactivated the session.
    public enum DeactivationSource: Int, Sendable {
        /// The app.
        case app = 1
        /// The phone.
        case system = 2
    }
}

extension AVAudioSession {
    /// Whether the app should go on after an interruption.
    public enum ResumptionRecommendation: Int, Sendable {
        /// It should not.
        case shouldNotResume = 0
        /// It may.
        case shouldResume = 1
    }
}
