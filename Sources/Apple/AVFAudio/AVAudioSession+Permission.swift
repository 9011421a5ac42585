// SPDX-License-Identifier: MIT

extension AVAudioSession {
    /// Whether the app may use the microphone (V9).
    public enum RecordPermission: UInt, Sendable {
        /// The user was not asked.
        case undetermined = 1970168948
        /// The user refused: the microphone gives silence.
        case denied = 1684369017
        /// The user agreed.
        case granted = 1735552628
    }
}

extension AVAudioSession {
    /// How spoken prompts should be given.
    public enum PromptStyle: UInt, Sendable {
        /// Not at all.
        case none = 1852796517
        /// As short sounds.
        case short = 1936224884
        /// Spoken.
        case normal = 1852992876
    }
}

extension AVAudioSession {
    /// How sound is rendered.
    public enum RenderingMode: Int, Sendable {
        /// Nothing is rendered.
        case notApplicable = 0
        /// Mono or stereo.
        case monoStereo = 1
        /// Surround.
        case surround = 2
        /// Spatial.
        case spatialAudio = 3
        /// Dolby Audio.
        case dolbyAudio = 4
        /// Dolby Atmos.
        case dolbyAtmos = 5
    }
}

extension AVAudioSession {
    /// What the app adds to the microphone of another app.
    public enum MicrophoneInjectionMode: Int, Sendable {
        /// Nothing.
        case none = 0
        /// Speech.
        case spokenAudio = 1
    }
}
