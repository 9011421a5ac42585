// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UserNotifications
import VirtualPhone

private let bundle = "org.example.notes"

/// Shows notifications over the app, and writes down taps.
private final class CenterDelegate: NSObject, UNUserNotificationCenterDelegate {
    let phoneApp: PhoneApp

    init(_ app: PhoneApp) {
        phoneApp = app
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        notification.request.content.title == "quiet" ? [] : [.banner]
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        phoneApp.tap(response)
        completionHandler()
    }
}

/// The app's state, which the test looks at.
private final class PhoneApp: Sendable {
    private let taps = Taps()

    func tap(_ response: UNNotificationResponse) {
        let number = response.notification.request.content.userInfo["number"] as? String
        taps.add("\(response.notification.request.identifier) \(number ?? "") \(response.actionIdentifier)")
    }

    var all: [String] { taps.all }
}

private final class Taps {
    private let lock = NSLock()
    private var lines: [String] = []

    func add(_ line: String) { lock.withLock { lines.append(line) } }
    var all: [String] { lock.withLock { lines } }
}

// Protected by `lock`.
extension Taps: @unchecked Sendable {}

extension AppleShimsTests {
    @Suite struct NotificationTests {
        private func phone(_ app: PhoneApp = PhoneApp(), isLocked: Bool = false) async -> VirtualPhone {
            let phone = VirtualPhone(VirtualPhone.Configuration(locked: isLocked))
            phone.install(
                App(bundleIdentifier: bundle, displayName: "Notes") { _ in
                    let delegate = CenterDelegate(app)
                    UNUserNotificationCenter.current().delegate = delegate
                    return delegate
                })
            phone.open(bundle)
            await phone.settle()
            return phone
        }

        private func add(_ identifier: String, title: String = "Missed call", after seconds: TimeInterval? = nil)
            async throws
        {
            let content = UNMutableNotificationContent()
            content.title = title
            content.body = "Ann"
            content.badge = 2
            content.userInfo = ["number": "+14155550100", "object": NSObject()]
            let trigger = seconds.map { UNTimeIntervalNotificationTrigger(timeInterval: $0, repeats: false) }
            try await UNUserNotificationCenter.current().add(
                UNNotificationRequest(identifier: identifier, content: content, trigger: trigger))
        }

        @Test("R77: the user is asked once, by the app on the screen")
        func permission() async throws {
            let phone = await phone()
            defer { phone.shutDown() }
            let process = try #require(phone.process(of: bundle))
            try await process.run { () async throws in
                let center = UNUserNotificationCenter.current()
                phone.user.goHome()
                await phone.settle()
                #expect(try await !center.requestAuthorization(options: [.alert]))
                #expect(await center.notificationSettings().authorizationStatus == .notDetermined)
                phone.open(bundle)
                await phone.settle()
                phone.user.setAllowsNotifications(false, of: bundle)
                #expect(try await !center.requestAuthorization(options: [.alert]))
                #expect(await center.notificationSettings().authorizationStatus == .denied)
                phone.user.setAllowsNotifications(true, of: bundle)
                #expect(try await center.requestAuthorization(options: [.alert]))
            }
        }

        @Test("R121: a missed call is shown at once, or when its time has come; without permission nothing is")
        func showing() async throws {
            let phone = await phone()
            defer { phone.shutDown() }
            let process = try #require(phone.process(of: bundle))
            try await process.run { () async throws in
                let center = UNUserNotificationCenter.current()
                try await add("early")
                #expect(phone.notifications.isEmpty)
                _ = try await center.requestAuthorization(options: [.alert, .badge])
                phone.user.goHome()
                await phone.settle()
                try await add("now")
                try await add("later", after: 5)
                #expect(phone.notifications.map(\.identifier) == ["now"] && phone.badge(of: bundle) == 2)
                #expect(await center.pendingNotificationRequests().map(\.identifier) == ["later"])
                await phone.advance(by: .seconds(5))
                #expect(phone.notifications.map(\.identifier) == ["now", "later"])
                center.removeDeliveredNotifications(withIdentifiers: ["now"])
                #expect(await center.deliveredNotifications().map(\.request.content.body) == ["Ann"])
                #expect(phone.notifications.map(\.identifier) == ["later"])
            }
        }

        @Test("R132: over the app on the screen its delegate decides")
        func inForeground() async throws {
            let phone = await phone()
            defer { phone.shutDown() }
            let process = try #require(phone.process(of: bundle))
            try await process.run { () async throws in
                _ = try await UNUserNotificationCenter.current().requestAuthorization(options: [.alert])
                try await add("quiet", title: "quiet")
                try await add("loud")
                try await phone.wait { _ in phone.notifications.map(\.identifier) == ["loud"] }
            }
        }

        @Test("R121: a tap opens the app, also when it does not run, and its delegate hears of it")
        func tap() async throws {
            let app = PhoneApp()
            let phone = await phone(app)
            defer { phone.shutDown() }
            let process = try #require(phone.process(of: bundle))
            try await process.run { () async throws in
                _ = try await UNUserNotificationCenter.current().requestAuthorization(options: [.alert])
                phone.user.goHome()
                await phone.settle()
                try await add("missed")
                phone.close(bundle)
                try phone.user.tapNotification("missed", of: bundle)
                await phone.settle()
                #expect(app.all == ["missed +14155550100 \(UNNotificationDefaultActionIdentifier)"])
                #expect(phone.appState(of: bundle) == .foreground && phone.notifications.isEmpty)
                #expect(throws: PhoneUserError.noNotification("missed")) {
                    try phone.user.tapNotification("missed", of: bundle)
                }
            }
        }

        @Test func contentsAreCopied() throws {
            let content = UNMutableNotificationContent()
            content.title = "a"
            let request = UNNotificationRequest(identifier: "x", content: content, trigger: nil)
            content.title = "b"
            let copy = try #require(request.content.mutableCopy() as? UNMutableNotificationContent)
            copy.title = "c"
            #expect(request.content.title == "a" && copy.title == "c")
        }
    }
}
