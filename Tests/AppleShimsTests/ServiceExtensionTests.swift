// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UserNotifications
import VirtualPhone

/// A notification service extension written for Apple's class.
private final class Renaming: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let content = UNMutableNotificationContent()
        content.title = "Message from \(request.content.userInfo["from"] as? String ?? "-")"
        contentHandler(content)
    }
}
private final class Hesitating: UNNotificationServiceExtension {
    private var handler: ((UNNotificationContent) -> Void)?
    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        handler = contentHandler
    }
    override func serviceExtensionTimeWillExpire() {
        let content = UNMutableNotificationContent()
        content.title = "In haste"
        handler?(content)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct ServiceExtensionTests {
    private func titles(_ principal: UNNotificationServiceExtension.Type, after time: Duration) async -> [String] {
        let phone = VirtualPhone(.init(seed: 1))
        defer { phone.shutDown() }
        var app = App(bundleIdentifier: "test.app", displayName: "Test") { _ in
            AppProcess.current?.send(.application(.notifications(.requestAuthorization(options: 4))))
            return NSObject()
        }
        app.notificationExtension = NotificationExtension(principal)
        phone.install(app)
        phone.open("test.app")
        await phone.settle()
        phone.user.goHome()
        let payload = #"{"aps":{"alert":"secret","mutable-content":1},"from":"Alice"}"#
        phone.receiveNotification(for: "test.app", payload: Data(payload.utf8))
        await phone.advance(by: time)
        #expect(phone.violations.isEmpty)
        return phone.notifications.map(\.title)
    }

    @Test("K12, R121: a UNNotificationServiceExtension changes what is shown")
    func changes() async {
        #expect(await titles(Renaming.self, after: .zero) == ["Message from Alice"])
    }

    @Test("K12: the extension is told when its time is over, and may still call its handler")
    func timeIsOver() async {
        #expect(await titles(Hesitating.self, after: .seconds(30)) == ["In haste"])
    }
}
