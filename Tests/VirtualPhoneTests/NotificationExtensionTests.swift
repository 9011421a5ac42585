// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import Testing
import VirtualPhone

/// The way of a VoIP push through a notification service extension.
@Suite(.timeLimit(.minutes(1)))
struct NotificationExtensionTests {
    private static let payload = Data(
        #"{"aps":{"alert":{"title":"Message","body":"secret"},"mutable-content":1},"box":"abc"}"#.utf8)

    private func bench(
        filtering: Bool = true,
        receive: @escaping @Sendable (NotificationValue, @escaping NotificationExtension.ContentHandler) -> AnyObject
    ) async throws -> PhoneBench {
        let bench = PhoneBench()
        var app = PhoneBench.app(bench.probe)
        app.notificationExtension = NotificationExtension(hasFilteringEntitlement: filtering, receive: receive)
        bench.phone.install(app)
        bench.phone.open(PhoneBench.bundle)
        await bench.phone.settle()
        let process = try #require(bench.probe.app).process
        let center = UUID()
        process.send(.application(.notifications(.attach(center: center, decides: false))))
        process.send(.application(.notifications(.requestAuthorization(options: 4))))
        _ = try await bench.register()
        return bench
    }

    /// Hands the payload over, then shows what the answer asks for (R121).
    private static func handOver(
        _ content: NotificationValue, _ probe: RawApp.Probe, _ handler: @escaping NotificationExtension.ContentHandler
    ) -> AnyObject {
        let box = (try? JSONSerialization.jsonObject(with: content.userInfo)) as? [String: Any]
        let payload: [AnyHashable: Any] = ["call": box?["box"] ?? "", "at": Date(timeIntervalSince1970: 1)]
        CXProvider.reportNewIncomingVoIPPushPayload(payload) { error in
            var shown = content
            probe.saw(error.map { "error \(($0 as NSError).code)" } ?? "handed over")
            shown.title = error == nil ? "" : "Missed call"
            shown.body = ""
            handler(shown)
        }
        return NSObject()
    }

    @Test("K12, R120, R121: the extension hands a push over; the app is launched, gets it, and must report a call")
    func handsOver() async throws {
        let extensionProbe = RawApp.Probe()
        let bench = try await bench { Self.handOver($0, extensionProbe, $1) }
        defer { bench.close() }
        guard case .handedToExtension = bench.phone.receiveNotification(for: PhoneBench.bundle, payload: Self.payload)
        else {
            Issue.record("no extension")
            return
        }
        try await bench.phone.wait(for: { !$0.calls.isEmpty })
        await bench.phone.settle()
        #expect(extensionProbe.events == ["handed over"])
        #expect(bench.probe.events.prefix(3).contains("push mustReport"))
        #expect(bench.phone.notifications.isEmpty)
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("K12, K3: an app that does not report what its extension handed over is terminated")
    func notReported() async throws {
        let extensionProbe = RawApp.Probe()
        let bench = try await bench { Self.handOver($0, extensionProbe, $1) }
        defer { bench.close() }
        bench.probe.behavior.reporting = .never
        bench.phone.receiveNotification(for: PhoneBench.bundle, payload: Self.payload)
        try await bench.phone.wait(for: { $0.deaths.contains { $0.rule == "K3" } })
    }

    @Test("K12, R121: without the filtering entitlement error 2, and the notification shows a missed call")
    func noEntitlement() async throws {
        let extensionProbe = RawApp.Probe()
        let bench = try await bench(filtering: false) { Self.handOver($0, extensionProbe, $1) }
        defer { bench.close() }
        bench.phone.receiveNotification(for: PhoneBench.bundle, payload: Self.payload)
        try await bench.phone.wait(for: { $0.timeline.entries.last?.text == "showed a notification" })
        #expect(extensionProbe.events == ["error 2"])
        #expect(bench.phone.notifications.map(\.title) == ["Missed call"])
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .notRunning)
        #expect(bench.phone.violations.map(\.rule) == ["K12"])
    }

    @Test("K12: called by the app itself it is error 1")
    func notAnExtension() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        let error = await withCheckedContinuation { continuation in
            app.process.run {
                CXProvider.reportNewIncomingVoIPPushPayload(["a": 1]) { continuation.resume(returning: $0) }
            }
        }
        #expect((error as? CXErrorCodeNotificationServiceExtensionError)?.code == .invalidClientProcess)
        #expect(bench.phone.violations.map(\.rule) == ["K12"])
    }

    @Test("R121: an empty content without the entitlement shows the notification as it came")
    func emptyWithoutEntitlement() async throws {
        let bench = try await bench(filtering: false) { content, handler in
            var empty = content
            empty.title = ""
            empty.body = ""
            handler(empty)
            return NSObject()
        }
        defer { bench.close() }
        bench.phone.receiveNotification(for: PhoneBench.bundle, payload: Self.payload)
        await bench.phone.settle()
        #expect(bench.phone.notifications.map(\.title) == ["Message"])
    }

    @Test("K12: an extension that is not done in 30 s is ended, and the notification is shown as it came")
    func tooSlow() async throws {
        let bench = try await bench { _, _ in NSObject() }
        defer { bench.close() }
        bench.phone.receiveNotification(for: PhoneBench.bundle, payload: Self.payload)
        await bench.phone.advance(by: .seconds(30))
        #expect(bench.phone.notifications.isEmpty)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.phone.notifications.map(\.body) == ["secret"])
        #expect(bench.phone.violations.map(\.rule) == ["K12"])
    }
}
