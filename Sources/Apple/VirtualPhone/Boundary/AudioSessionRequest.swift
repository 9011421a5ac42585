// SPDX-License-Identifier: MIT

public import Foundation

/// What an app process asks of its audio session beyond category and activation; the AVFAudio stand-in sends these.
public enum AudioSessionRequest: Hashable, Sendable, Codable {
    /// The process uses its session; ``AudioSessionEvent``s go to these two ids.
    ///
    /// As on iOS: interruptions and the media daemon's restarts to the one on the main queue, the rest to the other one.
    case attach(session: UUID, main: UUID)
    /// setCategory with a route sharing policy; raw values (V2).
    case setCategory(category: String, mode: String, policy: UInt, options: UInt)
    /// setMode; category and options stay (V2).
    case setMode(String)
    /// A wish or a mark of the session's (V6).
    case prefer(AudioPreference)
    /// AVAudioApplication.setInputMuted (V11).
    case setInputMuted(Bool)
    /// requestRecordPermission; answered by ``AudioSessionEvent/recordPermissionAnswered(_:)`` to this id (V9).
    case requestRecordPermission(request: UUID)
    /// A sound device of the app's starts or stops; `usesInput` when the microphone is part of it (R70, V9).
    case setRunning(io: UUID, running: Bool, usesInput: Bool)
}

/// What the phone tells an app's audio session; AVFAudio posts it as a notification.
public enum AudioSessionEvent: Hashable, Sendable, Codable {
    /// The media daemon ended: every audio object is dead (R53).
    case mediaServicesWereLost
    /// The media daemon restarted: every audio object is dead, and the session has its defaults (V7, R53).
    case mediaServicesWereReset
    /// The session was interrupted and is inactive; raw value of Apple's reason (V7).
    case interruptionBegan(reason: UInt)
    /// The interruption is over (V7).
    case interruptionEnded(shouldResume: Bool)
    /// The session became active; iOS 27 (V7).
    case becameActive
    /// The session became inactive, by the app or, with the interruption's reason, by the phone; iOS 27 (V7).
    case becameInactive(bySystem: Bool, reason: UInt?)
    /// Whether the app should go on; iOS 27 (V7).
    case resumptionRecommended(Bool)
    /// The route is another one; raw value of Apple's reason (V8).
    case routeChanged(reason: UInt, previous: AudioRouteValue)
    /// There are other inputs; iOS 26 (V6).
    case availableInputsChanged
    /// The app's input was muted, or is no longer (V11).
    case inputMuteChanged(Bool)
    /// The app's output was muted, or is no longer.
    case outputMuteChanged(Bool)
    /// The answer to a request for the microphone (V9).
    case recordPermissionAnswered(Bool)
}
