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
    /// The `com.apple.security.application-groups` entitlement: folders shared with the app's extensions.
    public var appGroups: Set<String>
    /// The Info.plist's NSMicrophoneUsageDescription; an app without it is ended when it uses the microphone (V9).
    public var microphoneUsageDescription: String? = "Calls need the microphone."
    /// When the files of the app's container can be read (R78).
    public var dataProtection: DataProtection = .untilFirstUnlock
    /// The app's notification service extension (K12).
    public var notificationExtension: NotificationExtension?
    /// Whether the app has `com.apple.developer.pushkit.unrestricted-voip`, which iOS 26's SDK made useless (K13).
    public var hasUnrestrictedVoIPEntitlement = false
    /// The SDK the app was built with; pushes need not be reported by apps of SDKs before 13 (R60).
    public var sdk = SystemVersion(26)
    /// The app's Call Directory extensions (D1).
    public var callDirectoryExtensions: [CallDirectoryExtension] = []
    /// The app's main function: runs on the main queue as the app's process.
    ///
    /// The returned object is the root of the process; the phone retains it until the process dies.
    public var launch: @Sendable (LaunchReason) -> AnyObject

    /// Describes an app; the defaults are those of a calling app that is set up well.
    public init(
        bundleIdentifier: String, displayName: String, backgroundModes: Set<BackgroundMode> = [.voip, .audio],
        apsEnvironment: APNsEnvironment? = .development, appGroups: Set<String> = [],
        callDirectoryExtensions: [CallDirectoryExtension] = [],
        launch: @escaping @Sendable (LaunchReason) -> AnyObject
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.displayName = displayName
        self.backgroundModes = backgroundModes
        self.apsEnvironment = apsEnvironment
        self.appGroups = appGroups
        self.callDirectoryExtensions = callDirectoryExtensions
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

/// When an app's files can be read; its default data protection.
public enum DataProtection: String, Hashable, Sendable, Codable {
    /// Always.
    case none
    /// From the first unlock after a start on: iOS's default (R78).
    case untilFirstUnlock
    /// While the phone is unlocked.
    case complete
}

/// Where an app is in its life.
public enum AppState: String, Hashable, Sendable, Codable {
    /// No process.
    case notRunning
    /// In memory, and frozen: nothing is delivered to it until it is woken (K11).
    case suspended
    /// Running, not on the screen.
    case background
    /// Running, on the screen.
    case foreground
}
