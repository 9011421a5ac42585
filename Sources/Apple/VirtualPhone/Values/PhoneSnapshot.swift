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
    /// The processes that the phone ended.
    public var deaths: [CauseOfDeath]
    /// The calls of the past, newest first.
    public var recents: [RecentCall]
}
