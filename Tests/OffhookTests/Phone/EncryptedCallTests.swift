// SPDX-License-Identifier: MIT

import Foundation
import OffhookCore
import OffhookNet
import OffhookNotificationService
import OffhookWire
import Testing
import UserNotifications
import VirtualPhone

@testable import Offhook

/// Calls out of encrypted notifications, through a notification service extension.
@Suite(.timeLimit(.minutes(2))) struct EncryptedCallTests {
    private struct Unreadable: Error {}

    /// An extension as an app would write it; the cipher is base64.
    private final class Service: UNNotificationServiceExtension {
        private let calls: EncryptedCalls
        static let seen = Guarded<[String: [EncryptedCallError]]>([:])

        required init() {
            calls = EncryptedCalls(
                missedCall: { content in
                    let missed = UNMutableNotificationContent()
                    missed.title = "Missed call"
                    return missed
                },
                failed: { error in Service.seen.withLock { $0["\(error)", default: []].append(error) } },
                decrypt: { content in
                    guard let box = content.userInfo["box"] as? String, let data = Data(base64Encoded: box),
                        let payload = try JSONSerialization.jsonObject(with: data) as? [String: Any]
                    else { throw Unreadable() }
                    guard payload["text"] == nil else {
                        let message = UNMutableNotificationContent()
                        message.title = "Message"
                        return .message(message)
                    }
                    return .call(payload)
                })
            super.init()
        }

        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            calls.receive(request, contentHandler: contentHandler)
        }

        override func serviceExtensionTimeWillExpire() { calls.timeWillExpire() }
    }

    private func bench(filtering: Bool = true) async throws -> Bench {
        let bench = Bench(notifications: NotificationExtension(Service.self, hasFilteringEntitlement: filtering))
        bench.phone.user.setAllowsNotifications(true, of: Bench.bundle)
        await bench.open()
        _ = try await bench.app?.center.requestAuthorization(options: [.alert])
        try bench.phone.user.close(Bench.bundle)
        await bench.phone.settle()
        return bench
    }

    private func notify(_ bench: Bench, _ box: [UInt8]) throws {
        let payload: [String: Any] = [
            "aps": ["alert": "Encrypted", "mutable-content": 1], "box": Data(box).base64EncodedString(),
        ]
        _ = bench.phone.receiveNotification(
            for: Bench.bundle, payload: try JSONSerialization.data(withJSONObject: payload))
    }

    @Test("R120, R121, K12: a call is handed to the app, which is launched and rings; nothing else is shown")
    func call() async throws {
        let bench = try await bench()
        defer { bench.close() }
        try notify(bench, try PushPayload(invitation: bench.invitation()).encoded())
        await bench.until("the phone rings") { bench.phone.screen.incoming.first?.callerName == "Alice" }
        await bench.advance(by: .seconds(8))
        #expect(bench.phone.notifications.isEmpty)
        #expect(bench.app?.calls.currentCalls.map(\.id) == [Bench.call])
        bench.expectClean()
    }

    @Test("R121: a message is shown as it was decrypted") func message() async throws {
        let bench = try await bench()
        defer { bench.close() }
        try notify(bench, Array(#"{"text":"hello"}"#.utf8))
        await bench.until("the message is shown") { bench.phone.notifications.map(\.title) == ["Message"] }
        #expect(bench.phone.screen.incoming.isEmpty)
        bench.expectClean()
    }

    @Test("R121: what cannot be decrypted is a missed call") func undecryptable() async throws {
        let bench = try await bench()
        defer { bench.close() }
        try notify(bench, Array("noise".utf8))
        await bench.until("the missed call is shown") { bench.phone.notifications.map(\.title) == ["Missed call"] }
        #expect(Service.seen.withLock { $0["notDecrypted"] } != nil)
        bench.expectClean()
    }

    @Test("R120, K12: without the entitlement (error 2) the user sees a missed call") func notEntitled() async throws {
        let bench = try await bench(filtering: false)
        defer { bench.close() }
        try notify(bench, try PushPayload(invitation: bench.invitation()).encoded())
        await bench.until("the missed call is shown") { bench.phone.notifications.map(\.title) == ["Missed call"] }
        #expect(Service.seen.withLock { $0["missingFilteringEntitlement"] } != nil)
        #expect(bench.phone.screen.incoming.isEmpty)
    }

    @Test("R120, K12: outside of an extension (error 1) nothing rings") func notAnExtension() async throws {
        let bench = SystemBench()
        defer { bench.close() }
        await bench.open()
        let (titles, failures) = (Guarded<[String]>([]), Guarded<[EncryptedCallError]>([]))
        bench.app?.use { _ in
            let service = EncryptedCalls(
                missedCall: { $0 }, failed: { error in failures.withLock { $0.append(error) } },
                decrypt: { _ in .call(["a": 1]) })
            let content = UNMutableNotificationContent()
            content.title = "As it came"
            let request = UNNotificationRequest(identifier: "1", content: content, trigger: nil)
            service.receive(request) { content in titles.withLock { $0.append(content.title) } }
            service.timeWillExpire()  // whichever comes first; the handler is called once
        }
        await bench.until("the handler is called") { titles.withLock { $0 } == ["As it came"] }
        await bench.settle()
        #expect(titles.withLock { $0.count } == 1)
        #expect(failures.withLock { $0.count } == 1)
        #expect(bench.phone.screen.incoming.isEmpty)
    }
}
