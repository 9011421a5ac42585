// SPDX-License-Identifier: MIT

/// The contract between Offhook and a media engine, clause by clause; docs/media-engines.md says each in full.
///
/// A call center drives one engine. `MediaConformance` of OffhookTesting checks an engine against every clause.
public enum MediaContract {
    /// The contract's version: it grows when an engine that kept the former version could break this one.
    public static let version = 1

    /// One clause; the raw value is its number in docs/media-engines.md.
    public enum Clause: String, Hashable, Sendable, Codable, CaseIterable {
        /// Every method returns at once, on any thread (R92).
        case returnsAtOnce = "M1"
        /// `close()` may come twice, and may come first (R92).
        case closesAnyTime = "M2"
        /// No event comes after `close()`.
        case quietAfterClose = "M3"
        /// Events come one at a time and in order: `connected` once, before `remoteMedia` (R92).
        case orderedEvents = "M4"
        /// No event comes from inside a method, on the caller's thread.
        case noEventInside = "M5"
        /// Audio is sent and played only while the switch is open (S1, R70).
        case audioOnlyWhileOpen = "M6"
        /// `remoteMedia` comes once, and only when media of the other side arrives (R94).
        case remoteMediaOnce = "M7"
        /// `interrupted` and `restored` alternate, beginning with `interrupted` (R93).
        case interruptionToggles = "M8"
        /// Mute sends silence and hears on; hold stops audio both ways (G6, R47).
        case muteIsNotHold = "M9"
        /// Media that stops is told and ends nothing; the engine ends and reports no calls (R93).
        case neverEndsCalls = "M10"
        /// The audio session's category and activation are never touched (S1).
        case audioSessionUntouched = "M11"
        /// Tones are played in order; an engine without tones ignores them (R50).
        case tones = "M12"
        /// The camera's picture is told to the other side; an engine without video ignores it (R114).
        case camera = "M13"
        /// While translating, mute keeps the microphone running (R119).
        case translation = "M14"
        /// Signals carry the session's generation; those of another one are ignored.
        case generations = "M15"
        /// A signal that cannot be used fails its session, once, and nothing follows.
        case failureIsLast = "M16"
        /// `prepare()` may be called again, and at the same time.
        case preparesAgain = "M17"
        /// Sessions of one engine do not disturb each other.
        case independentSessions = "M18"
    }
}
