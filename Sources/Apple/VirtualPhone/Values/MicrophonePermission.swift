// SPDX-License-Identifier: MIT

/// Whether the user lets an app use the microphone (V9).
public enum MicrophonePermission: String, Hashable, Sendable, Codable {
    /// The user was not asked: the microphone gives silence.
    case undetermined
    /// The user refused: the microphone gives silence.
    case denied
    /// The user agreed.
    case granted
}

/// The question whether an app may use the microphone, on the screen (V9).
public struct MicrophonePrompt: Hashable, Sendable, Codable {
    /// The bundle identifier of the app that asks.
    public var app: String
    /// The name of the app.
    public var appName: String
    /// Why it asks: its NSMicrophoneUsageDescription.
    public var usage: String
}

/// What comes out of an app's microphone now (V9, V11).
public enum MicrophoneState: String, Hashable, Sendable, Codable {
    /// The category has no input, or the session is not active.
    case off
    /// Sound.
    case sound
    /// Silence: the user has not allowed it (V9).
    case silentWithoutPermission
    /// Silence: the app had activated its session before the call, so that the call has none: one-way audio (DTS4).
    case silentInOwnSession
    /// Silence: the app muted its input (V11).
    case silentMuted
}
