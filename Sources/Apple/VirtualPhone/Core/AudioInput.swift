// SPDX-License-Identifier: MIT

public import Foundation

/// Something that happens to the phone's sound: devices come and go, others take the session (V7, V8).
public enum AudioInput: Hashable, Sendable, Codable {
    /// Something outside of apps and calls takes the sound (V7).
    case interruptionBegan(by: AudioInterrupter)
    /// It is over.
    case interruptionEnded(shouldResume: Bool)
    /// A device was connected (V8).
    case connected(AudioDevice)
    /// A device was disconnected (V8).
    case disconnected(AudioDevice)
    /// The user chose a route with the sound button of the in-call screen (R51).
    case routeChosen(AudioRouteChoice)
    /// The user answered a call with the button of a connected device; nil is the card on top (P34).
    case answered(call: UUID?, on: AudioDevice)
    /// The user answered the question for the microphone (V9).
    case microphonePromptAnswered(Bool)
    /// The user switched an app's microphone in Settings, which ends the app (V9).
    case microphoneSwitched(bundle: String, allowed: Bool)
}

/// What takes the sound from apps (V7).
public enum AudioInterrupter: String, Hashable, Sendable, Codable {
    /// An alarm or a timer; calls go on.
    case alarm
    /// Siri listens; calls go on.
    case siri
    /// The built-in microphone was muted by hardware: sessions with input are interrupted, calls too.
    case microphoneMute
    /// Something with a higher priority than a call: calls are silenced too (S2).
    case higherPriority
}
