// SPDX-License-Identifier: MIT

public import Foundation

extension UIApplication {
    /// Where the app is (K7).
    public enum State: Int, Sendable {
        /// On the screen, and takes taps.
        case active = 0
        /// On the screen, and takes no taps.
        case inactive = 1
        /// Not on the screen.
        case background = 2
    }

    /// Says why an app was launched.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The key's name.
        public var rawValue: String

        /// Makes a key.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// To open a URL.
        public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
        /// For a notification; a VoIP push has no key.
        public static let remoteNotification = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
        /// To go on with an activity.
        public static let userActivityDictionary = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsUserActivityDictionaryKey")
        /// The type of that activity.
        public static let userActivityType = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsUserActivityTypeKey")
    }

    /// How a URL is to be opened.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The key's name.
        public var rawValue: String

        /// Makes a key.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Only in an app that the URL belongs to.
        public static let universalLinksOnly = OpenExternalURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
    }

    /// Says how a URL came to the app.
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The key's name.
        public var rawValue: String

        /// Makes a key.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// From which app.
        public static let sourceApplication = OpenURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
        /// With what.
        public static let annotation = OpenURLOptionsKey(rawValue: "UIApplicationOpenURLOptionsAnnotationKey")
        /// Whether the file is opened where it is.
        public static let openInPlace = OpenURLOptionsKey(rawValue: "UIApplicationOpenURLOptionsOpenInPlaceKey")
    }

    /// The URL of the app's own page in Settings (R5).
    public nonisolated static let openSettingsURLString = "app-settings:"
    /// The URL of the app's notifications in Settings.
    public nonisolated static let openNotificationSettingsURLString = "app-settings:notifications"
    /// Time in the background without a limit.
    public nonisolated static let backgroundTaskNoLimit = TimeInterval.greatestFiniteMagnitude

    /// The app takes taps.
    public nonisolated static let didBecomeActiveNotification = name("UIApplicationDidBecomeActiveNotification")
    /// The app will not take taps.
    public nonisolated static let willResignActiveNotification = name("UIApplicationWillResignActiveNotification")
    /// The app left the screen.
    public nonisolated static let didEnterBackgroundNotification = name("UIApplicationDidEnterBackgroundNotification")
    /// The app gets the screen.
    public nonisolated static let willEnterForegroundNotification = name(
        "UIApplicationWillEnterForegroundNotification")
    /// The app was launched.
    public nonisolated static let didFinishLaunchingNotification = name("UIApplicationDidFinishLaunchingNotification")
    /// The process ends.
    public nonisolated static let willTerminateNotification = name("UIApplicationWillTerminateNotification")
    /// Memory is short; the phone never says so.
    public nonisolated static let didReceiveMemoryWarningNotification = name(
        "UIApplicationDidReceiveMemoryWarningNotification")
    /// The phone was unlocked (R79).
    public nonisolated static let protectedDataDidBecomeAvailableNotification = name(
        "UIApplicationProtectedDataDidBecomeAvailable")
    /// The phone is being locked (R79).
    public nonisolated static let protectedDataWillBecomeUnavailableNotification = name(
        "UIApplicationProtectedDataWillBecomeUnavailable")

    private nonisolated static func name(_ name: String) -> NSNotification.Name {
        NSNotification.Name(name)
    }
}
