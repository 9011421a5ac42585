// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import PushKit
import Testing
import VirtualPhone

/// An app as many are written: provider and registry on the main queue; where it reports is the only difference.
private final class PushApp: NSObject, PKPushRegistryDelegate, CXProviderDelegate {
    private let provider = CXProvider(configuration: CXProviderConfiguration())
    private let registry = PKPushRegistry(queue: .main)
    private let reportsInTask: Bool

    init(reportsInTask: Bool) {
        self.reportsInTask = reportsInTask
        super.init()
        provider.setDelegate(self, queue: nil)
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }

    func providerDidReset(_ provider: CXProvider) {}

    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {}

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    ) {
        let handle = payload.dictionaryPayload["handle"] as? String ?? "Unknown"
        if reportsInTask {
            Task {
                try? await report(handle)
                completion()
            }
        } else {
            let update = CXCallUpdate()
            update.remoteHandle = CXHandle(type: .phoneNumber, value: handle)
            provider.reportNewIncomingCall(with: UUID(), update: update) { _ in completion() }
        }
    }

    private func report(_ handle: String) async throws {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .phoneNumber, value: handle)
        try await provider.reportNewIncomingCall(with: UUID(), update: update)
    }
}

// Set once, before any callback.
extension PushApp: @unchecked Sendable {}

@Suite struct LateReportTests {
    private func push(reportsInTask: Bool, system: SystemVersion) async throws -> VirtualPhone {
        let phone = VirtualPhone(VirtualPhone.Configuration(system: system))
        phone.install(
            App(bundleIdentifier: "org.example.push", displayName: "Push") { _ in PushApp(reportsInTask: reportsInTask)
            })
        phone.open("org.example.push")
        try await phone.wait { $0.pushTokens["org.example.push"] != nil }
        phone.user.goHome()
        let token = try #require(phone.pushToken(for: "org.example.push"))
        phone.receivePush(token: token, payload: Data(#"{"aps":{},"handle":"+14155550100"}"#.utf8))
        try await phone.wait { !$0.deaths.isEmpty || !$0.screen.incoming.isEmpty }
        await phone.settle()
        return phone
    }

    @Test(
        "K3: an app in the background that reports from a Task is killed, and the message names the fix",
        arguments: [SystemVersion(18), SystemVersion(26, 4)])
    func reportFromTask(system: SystemVersion) async throws {
        let phone = try await push(reportsInTask: true, system: system)
        let death = try #require(phone.deaths.first)
        #expect(death.rule == "K3")
        #expect(death.message.contains("before it returns"))
        #expect(phone.screen.incoming.isEmpty)
        #expect(phone.appState(of: "org.example.push") == .notRunning)
    }

    @Test(
        "K3: the same app rings when it reports inside the callback",
        arguments: [SystemVersion(18), SystemVersion(26, 4)])
    func reportInCallback(system: SystemVersion) async throws {
        let phone = try await push(reportsInTask: false, system: system)
        #expect(phone.deaths.isEmpty)
        #expect(phone.screen.incoming.first?.callerName == "+14155550100")
        await phone.advance(by: .seconds(8))
        #expect(phone.deaths.isEmpty && phone.violations.isEmpty)
    }
}
