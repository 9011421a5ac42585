// SPDX-License-Identifier: MIT

public import Foundation
public import Intents

/// Takes what the phone tells the app; every method is optional.
///
/// Linux has no optional methods: each has a default that does nothing. A misspelt method is therefore never called,
/// as on iOS.
@preconcurrency @MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
    /// The app's window; the phone shows none.
    var window: UIWindow? { get set }

    // The app's life
    /// The launch begins.
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// The app was launched: here it makes its provider and its push registry (K1, P1, R8).
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// The app takes taps.
    func applicationDidBecomeActive(_ application: UIApplication)
    /// The app will not take taps.
    func applicationWillResignActive(_ application: UIApplication)
    /// The app left the screen.
    func applicationDidEnterBackground(_ application: UIApplication)
    /// The app gets the screen.
    func applicationWillEnterForeground(_ application: UIApplication)
    /// The process ends while it runs.
    func applicationWillTerminate(_ application: UIApplication)
    /// Memory is short; the phone never says so.
    func applicationDidReceiveMemoryWarning(_ application: UIApplication)
    /// The phone is being locked (R79).
    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication)
    /// The phone was unlocked (R79).
    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication)

    // Activities and URLs
    /// An activity is coming.
    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool
    /// The user goes on with an activity, such as a call from Recents (R123, P46).
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool
    /// An activity did not come.
    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)
    /// The app is to open a URL; the phone sends none.
    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool
    /// Finds who handles an intent in the app; the phone sends none.
    func application(_ application: UIApplication, handlerFor intent: INIntent) -> Any?

    // Notifications
    /// The token for ordinary notifications.
    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
    /// There is no token (R3).
    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)
    /// A notification for the app's code arrived.
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void)

    // Scenes; the phone has none
    /// How a new scene is made.
    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration
    /// The user closed scenes.
    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)
    /// Which ways of holding the phone are supported.
    func application(
        _ application: UIApplication, supportedInterfaceOrientationsFor window: UIWindow?
    ) -> UIInterfaceOrientationMask
}
