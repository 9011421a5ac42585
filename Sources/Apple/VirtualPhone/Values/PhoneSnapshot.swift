// SPDX-License-Identifier: MIT

public import Foundation

/// The phone at one moment.
public struct PhoneSnapshot: Hashable, Sendable {
    /// The phone's time.
    public var now: Date
    /// What the user sees.
    public var screen: Screen
    /// The live calls, oldest first.
    public var calls: [PhoneCall]
    /// The state of every installed app.
    public var apps: [String: AppState]
    /// The apps that have a push token, with it.
    public var pushTokens: [String: Data]
    /// Whether the call session is active: between didActivate and didDeactivate.
    public var isCallAudioActive: Bool
    /// What happened.
    public var timeline: Timeline
    /// The broken rules.
    public var violations: [Violation]
    /// What is likely a mistake and breaks nothing on an iPhone at once.
    public var warnings: [Violation]
    /// The processes that the phone ended.
    public var deaths: [CauseOfDeath]
    /// Whether the phone was unlocked since it was started, so that files and most keychain items can be read (R78).
    public var wasUnlocked: Bool
    /// Whether airplane mode is on.
    public var isInAirplaneMode: Bool
    /// The region, as ISO 3166 (R132).
    public var region: String
    /// The calls of the past, newest first.
    public var recents: [RecentCall]
}
