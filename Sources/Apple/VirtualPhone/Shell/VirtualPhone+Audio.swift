// SPDX-License-Identifier: MIT

extension VirtualPhone {
    /// Connects a sound device; sessions that can use it are routed to it (V8).
    public func connect(_ device: AudioDevice) {
        handle(.audio(.connected(device)))
    }

    /// Disconnects a sound device (V8).
    ///
    /// - Throws: ``PhoneUserError/notOffered(_:)`` when it is not connected.
    public func disconnect(_ device: AudioDevice) throws(PhoneUserError) {
        try perform(.audio(.disconnected(device)))
    }

    /// The connected sound devices; the newest is last.
    public var audioDevices: [AudioDevice] {
        state.withLock { $0.core.sound.devices }
    }

    /// Takes the sound from apps, as an alarm or Siri does (V7).
    ///
    /// - Throws: ``PhoneUserError/notOffered(_:)`` while another interruption lasts.
    public func interruptAudio(by interrupter: AudioInterrupter = .alarm) throws(PhoneUserError) {
        try perform(.audio(.interruptionBegan(by: interrupter)))
    }

    /// Gives the sound back (V7).
    ///
    /// - Parameter shouldResume: Whether the apps are told that they may go on.
    /// - Throws: ``PhoneUserError/notOffered(_:)`` when nothing interrupts.
    public func endAudioInterruption(shouldResume: Bool = true) throws(PhoneUserError) {
        try perform(.audio(.interruptionEnded(shouldResume: shouldResume)))
    }

    /// An app's audio session as the phone sees it; nil when the app does not run.
    public func audioSession(of bundle: String) -> AudioSessionValue? {
        state.withLock { state in
            state.core.apps[bundle]?.process.map { state.core.audioSession(of: $0) }
        }
    }

    /// What the user said about an app's microphone (V9); nil when the app is not installed.
    public func microphonePermission(of bundle: String) -> MicrophonePermission? {
        state.withLock { $0.core.apps[bundle]?.microphone }
    }
}
