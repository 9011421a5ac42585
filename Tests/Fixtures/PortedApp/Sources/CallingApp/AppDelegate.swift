// SPDX-License-Identifier: MIT

import CallKit
import Intents
import PushKit
import UIKit
import UserNotifications
import os.log

#if os(iOS)
    @main
#endif
class AppDelegate: UIResponder, UIApplicationDelegate {
    private let log = OSLog(subsystem: "com.example.calling", category: "app")
    private var pushRegistry: PKPushRegistry?
    private var backgroundTask = UIBackgroundTaskIdentifier.invalid
    let calls = CallStore()
    lazy var providerDelegate = ProviderDelegate(calls: calls)
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        os_log("launched on iOS %{public}@", log: log, type: .info, UIDevice.current.systemVersion)
        _ = providerDelegate
        let registry = PKPushRegistry(queue: .main)
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
        pushRegistry = registry
        UNUserNotificationCenter.current().delegate = self
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound]) { granted, error in
            Logger(subsystem: "com.example.calling", category: "app")
                .info("notifications: \(granted), \(error?.localizedDescription ?? "no error")")
        }
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard let handle = userActivity.startCallHandle else {
            os_log("no handle in %@", log: log, type: .error, userActivity.activityType)
            return false
        }
        providerDelegate.startCall(handle: handle, video: userActivity.isVideo)
        return true
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        guard calls.hasCalls else { return }
        backgroundTask = application.beginBackgroundTask(withName: "call") { [weak self] in
            self?.endBackgroundTask()
        }
    }

    func applicationWillEnterForeground(_ application: UIApplication) {
        endBackgroundTask()
    }

    private func endBackgroundTask() {
        guard backgroundTask != .invalid else { return }
        UIApplication.shared.endBackgroundTask(backgroundTask)
        backgroundTask = .invalid
    }
}

// MARK: - PKPushRegistryDelegate

extension AppDelegate: @preconcurrency PKPushRegistryDelegate {
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {
        let token = pushCredentials.token.map { String(format: "%02x", $0) }.joined()
        Keychain.save(token, account: "voip-token")
    }

    func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {
        Keychain.delete(account: "voip-token")
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        guard type == .voIP else { return completion() }
        let uuid = (payload.dictionaryPayload["UUID"] as? String).flatMap(UUID.init(uuidString:)) ?? UUID()
        let handle = payload.dictionaryPayload["handle"] as? String ?? "Unknown"
        let hasVideo = payload.dictionaryPayload["hasVideo"] as? Bool ?? false
        providerDelegate.reportIncomingCall(uuid: uuid, handle: handle, hasVideo: hasVideo) { _ in }
        completion()
    }
}

// MARK: - UNUserNotificationCenterDelegate

extension AppDelegate: @preconcurrency UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.banner, .sound])
    }
}

// MARK: - Recents and Siri

protocol SupportedStartCallIntent {
    var contacts: [INPerson]? { get }
}

extension INStartAudioCallIntent: SupportedStartCallIntent {}
extension INStartVideoCallIntent: SupportedStartCallIntent {}
extension INStartCallIntent: SupportedStartCallIntent {}

extension NSUserActivity {
    var startCallHandle: String? {
        guard let intent = interaction?.intent as? SupportedStartCallIntent else { return nil }
        return intent.contacts?.first?.personHandle?.value
    }

    var isVideo: Bool {
        if let intent = interaction?.intent as? INStartCallIntent { return intent.callCapability == .videoCall }
        return interaction?.intent is INStartVideoCallIntent
    }
}
