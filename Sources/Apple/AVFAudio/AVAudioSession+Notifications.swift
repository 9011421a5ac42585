// SPDX-License-Identifier: MIT

public import Foundation

// Keys of notifications.

/// The options of an interruption's end, a `UInt` (V7).
public let AVAudioSessionInterruptionOptionKey: String = "AVAudioSessionInterruptionOptionKey"

/// Why an interruption began, a `UInt` (V7).
public let AVAudioSessionInterruptionReasonKey: String = "AVAudioSessionInterruptionReasonKey"

/// Whether an interruption begins or ends, a `UInt` (V7).
public let AVAudioSessionInterruptionTypeKey: String = "AVAudioSessionInterruptionTypeKey"

/// Whether the app was suspended, a `Bool`; of old systems.
public let AVAudioSessionInterruptionWasSuspendedKey: String = "AVAudioSessionInterruptionWasSuspendedKey"

/// The route before the change, an ``AVAudioSessionRouteDescription`` (V8).
public let AVAudioSessionRouteChangePreviousRouteKey: String = "AVAudioSessionRouteChangePreviousRouteKey"

/// Why the route changed, a `UInt` (V8).
public let AVAudioSessionRouteChangeReasonKey: String = "AVAudioSessionRouteChangeReasonKey"

/// Whether sound in the background should stop, a `UInt`.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey: String = "AVAudioSessionSilenceSecondaryAudioHintTypeKey"

/// Whether spatial sound is on, a `Bool`.
public let AVAudioSessionSpatialAudioEnabledKey: String = "AVAudioSessionSpatialAudioEnabledKey"

/// How sound is rendered now, an `Int`.
public let AVAudioSessionRenderingModeNewRenderingModeKey: String = "AVAudioSessionRenderingModeNewRenderingModeKey"

/// Whether speech can be added to the microphone, a `Bool`.
public let AVAudioSessionMicrophoneInjectionIsAvailableKey: String = "AVAudioSessionMicrophoneInjectionIsAvailableKey"

/// The older name of ``AVAudioSession/ErrorCode/insufficientPriority``.
public var AVAudioSessionErrorInsufficientPriority: Int { AVAudioSession.ErrorCode.insufficientPriority.rawValue }

extension AVAudioSession {
    /// The session was interrupted, or an interruption ended (V7).
    public static let interruptionNotification: NSNotification.Name = .init(
        "AVAudioSessionInterruptionNotification")
    /// The route changed (V8).
    public static let routeChangeNotification: NSNotification.Name = .init(
        "AVAudioSessionRouteChangeNotification")
    /// The phone's media services stopped.
    public static let mediaServicesWereLostNotification: NSNotification.Name = .init(
        "AVAudioSessionMediaServicesWereLostNotification")
    /// The phone's media services started again.
    public static let mediaServicesWereResetNotification: NSNotification.Name = .init(
        "AVAudioSessionMediaServicesWereResetNotification")
    /// Sound in the background should stop, or may go on.
    public static let silenceSecondaryAudioHintNotification: NSNotification.Name = .init(
        "AVAudioSessionSilenceSecondaryAudioHintNotification")
    /// The session became active.
    public static let didBecomeActiveNotification: NSNotification.Name = .init(
        "AVAudioSessionDidBecomeActiveNotification")
    /// The session became inactive (V7).
    public static let didBecomeInactiveNotification: NSNotification.Name = .init(
        "AVAudioSessionDidBecomeInactiveNotification")
    /// The app may go on, or should not (V7).
    public static let resumptionRecommendationNotification: NSNotification.Name = .init(
        "AVAudioSessionResumptionRecommendationNotification")
    /// There are other inputs.
    public static let availableInputsChangeNotification: NSNotification.Name = .init(
        "AVAudioSessionAvailableInputsChangeNotification")
    /// Sound is rendered in another way.
    public static let renderingModeChangeNotification: NSNotification.Name = .init(
        "AVAudioSessionRenderingModeChangeNotification")
    /// Sound can be rendered in other ways.
    public static let renderingCapabilitiesChangeNotification: NSNotification.Name = .init(
        "AVAudioSessionRenderingCapabilitiesChangeNotification")
    /// Speech can be added to the microphone, or no longer.
    public static let microphoneInjectionCapabilitiesChangeNotification: NSNotification.Name = .init(
        "AVAudioSessionMicrophoneInjectionCapabilitiesChangeNotification")
    /// The output was muted, or is no longer.
    public static let outputMuteStateChangeNotification: NSNotification.Name = .init(
        "AVAudioSessionOutputMuteStateChangeNotification")
    /// The user wants to hear the output again.
    public static let userIntentToUnmuteOutputNotification: NSNotification.Name = .init(
        "AVAudioSessionUserIntentToUnmuteOutputNotification")
    /// Spatial sound was switched on or off.
    public static let spatialPlaybackCapabilitiesChangedNotification: NSNotification.Name = .init(
        "AVAudioSessionSpatialPlaybackCapabilitiesChangedNotification")
    /// Whether the output is muted, a `Bool`.
    public static let muteStateKey: String = "AVAudioSessionMuteStateKey"
    /// What the phone recommends, a ``ResumptionContext``.
    public static let resumptionContextKey: String = "AVAudioSessionResumptionContextKey"
    /// Why the session became inactive, a ``DeactivationContext``.
    public static let deactivationContextKey: String = "AVAudioSessionDeactivationContextKey"
}
