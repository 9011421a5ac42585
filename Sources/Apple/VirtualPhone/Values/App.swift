// SPDX-License-Identifier: MIT

/// An app as it is installed on a ``VirtualPhone``: what its Info.plist and entitlements say, and its main function.
public struct App: Sendable {
    /// A value of UIBackgroundModes.
    public enum BackgroundMode: String, Hashable, Sendable, Codable {
        /// `voip`: without it no call is shown (I5, R1).
        case voip
        /// `audio`: the app may play in the background (R2).
        case audio
    }

    /// The `aps-environment` entitlement (R3).
    public enum APNsEnvironment: String, Hashable, Sendable, Codable {
        /// A development build: tokens of the sandbox.
        case development
        /// A TestFlight or App Store build.
        case production
    }

    /// Names the app on the phone.
    public var bundleIdentifier: String
    /// The name under the icon and on the call screen (R21).
    public var displayName: String
    /// What the app may do in the background.
    public var backgroundModes: Set<BackgroundMode>
    /// Which APNs the app's tokens are for; nil: the entitlement is missing, so there is no token (R3).
    public var apsEnvironment: APNsEnvironment?
    /// The app's main function: runs on the main queue as the app's process.
    ///
    /// The returned object is the root of the process; the phone retains it until the process dies.
    public var launch: @Sendable (LaunchReason) -> AnyObject

    /// Describes an app; the defaults are those of a calling app that is set up well.
    public init(
        bundleIdentifier: String, displayName: String, backgroundModes: Set<BackgroundMode> = [.voip, .audio],
        apsEnvironment: APNsEnvironment? = .development, launch: @escaping @Sendable (LaunchReason) -> AnyObject
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.displayName = displayName
        self.backgroundModes = backgroundModes
        self.apsEnvironment = apsEnvironment
        self.launch = launch
    }
}

/// Why the phone starts an app.
public enum LaunchReason: String, Hashable, Sendable, Codable {
    /// The user tapped its icon; it starts in the foreground.
    case userOpened
    /// A VoIP push arrived; it starts in the background (K1).
    case push
    /// The user acted on a call that the killed app left behind; it starts in the background (E4).
    case callAction
}

/// Where an app is in its life.
public enum AppState: String, Hashable, Sendable, Codable {
    /// No process.
    case notRunning
    /// Running, not on the screen.
    case background
    /// Running, on the screen.
    case foreground
}
