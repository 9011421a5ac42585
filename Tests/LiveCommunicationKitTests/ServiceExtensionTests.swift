// SPDX-License-Identifier: MIT

import Foundation
import LiveCommunicationKit
import Testing
import VirtualPhone

/// VoIP pushes that a notification service extension hands over.
@Suite(.timeLimit(.minutes(1)))
struct ServiceExtensionTests {
    private static let payload = Data(#"{"aps":{"alert":"secret","mutable-content":1},"box":"abc"}"#.utf8)
    private static let domain = "com.apple.CallKit.error.notificationserviceextension"

    /// A phone whose app is closed, with an extension that hands each notification over.
    private func bench(filtering: Bool, answers: Locked<[String]>) async throws -> ConversationBench {
        let bench = ConversationBench()
        let probe = bench.probe
        var app = App(bundleIdentifier: ConversationBench.bundle, displayName: "Conversations") { _ in
            guard let process = AppProcess.current else { return NSObject() }
            return ConversationApp(process: process, probe: probe)
        }
        app.notificationExtension = NotificationExtension(hasFilteringEntitlement: filtering) { _, handler in
            Task {
                let answer = await code { try await ConversationManager.reportNewIncomingVoIPPushPayload(["a": 1]) }
                answers.withLock { $0.append(answer ?? "handed over") }
                handler(NotificationValue(identifier: "", app: "", title: "", body: "", userInfo: Data()))
            }
            return NSObject()
        }
        bench.phone.install(app)
        _ = try await bench.register()
        return bench
    }

    @Test("K12, L3: an extension hands a push over; the app is launched for it and reports a conversation")
    func handsOver() async throws {
        let answers = Locked<[String]>([])
        let bench = try await bench(filtering: true, answers: answers)
        defer { bench.close() }
        bench.phone.receiveNotification(for: ConversationBench.bundle, payload: Self.payload)
        try await bench.phone.wait(for: { !$0.calls.isEmpty })
        try await bench.phone.wait(for: { _ in !answers.withLock { $0.isEmpty } })
        #expect(answers.withLock { $0 } == ["handed over"])
        #expect(bench.phone.violations == [])
    }

    @Test("K12: without the filtering entitlement it is error 2")
    func noEntitlement() async throws {
        let answers = Locked<[String]>([])
        let bench = try await bench(filtering: false, answers: answers)
        defer { bench.close() }
        bench.phone.receiveNotification(for: ConversationBench.bundle, payload: Self.payload)
        try await bench.phone.wait(for: { _ in !answers.withLock { $0.isEmpty } })
        #expect(answers.withLock { $0 } == ["\(Self.domain) 2"])
        #expect(bench.phone.violations.map(\.rule) == ["K12"])
    }

    @Test("K12: from the app itself it is error 1, and a payload that is no property list error 0")
    func notAnExtension() async throws {
        let bench = ConversationBench()
        defer { bench.close() }
        let app = try await bench.open()
        let report = { @Sendable (isGood: Bool) async -> String? in
            await code {
                try await app.inProcess {
                    let payload: [AnyHashable: Any] = isGood ? ["a": 1] : ["a": NSObject()]
                    try await ConversationManager.reportNewIncomingVoIPPushPayload(payload)
                }
            }
        }
        #expect(await report(true) == "\(Self.domain) 1")
        #expect(await report(false) == "\(Self.domain) 0")
        #expect(bench.phone.violations.map(\.rule) == ["K12"])
    }
}
