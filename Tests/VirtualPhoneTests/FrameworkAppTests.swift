// SPDX-License-Identifier: MIT

import AVFAudio
import CallKit
import Foundation
import PushKit
import Testing
import VirtualPhone

/// The phone with an app that is written against Apple's frameworks, as an iOS app is.
@Suite(.timeLimit(.minutes(1)))
struct FrameworkAppTests {
    private func phone(reportsInTask: Bool) -> VirtualPhone {
        let phone = VirtualPhone(.init(locked: true, seed: 3))
        phone.install(
            App(bundleIdentifier: "framework.app", displayName: "Framework") { _ in
                FrameworkApp(reportsInTask: reportsInTask)
            })
        return phone
    }

    private func register(_ phone: VirtualPhone) async throws -> Data {
        phone.open("framework.app")
        await phone.settle()
        try phone.user.close("framework.app")
        phone.user.lock()
        return try #require(phone.pushToken(for: "framework.app"))
    }

    @Test("Push, launch, ring, answer on the lock screen, audio, hang up: no violation")
    func wholeCall() async throws {
        let phone = phone(reportsInTask: false)
        defer { phone.shutDown() }
        let token = try await register(phone)
        phone.receivePush(token: token, payload: Data(#"{"caller":"Alice"}"#.utf8))
        await phone.settle()
        #expect(phone.screen.incoming.first?.callerName == "Alice")
        try phone.user.answer()
        await phone.advance(by: .seconds(1))
        #expect(phone.screen.inCall.first?.status == .timer)
        #expect(phone.snapshot.isCallAudioActive)
        await phone.advance(by: .seconds(10))
        try phone.user.hangUp()
        await phone.advance(by: .seconds(60))
        #expect(phone.screen.isHome)
        #expect(phone.recents.map(\.outcome) == [.answered])
        #expect(phone.violations == [])
    }

    @Test("K3: an app that reports from a Task is terminated")
    func reportInTask() async throws {
        let phone = phone(reportsInTask: true)
        defer { phone.shutDown() }
        let token = try await register(phone)
        phone.receivePush(token: token, payload: Data(#"{"caller":"Alice"}"#.utf8))
        await phone.settle()
        #expect(phone.deaths.last?.rule == "K3")
        #expect(phone.screen.incoming.isEmpty)
    }
}

/// A calling app of the shape that most apps have: one object, everything on the main queue.
private final class FrameworkApp: NSObject, CXProviderDelegate, PKPushRegistryDelegate, @unchecked Sendable {
    private let provider: CXProvider
    private let registry: PKPushRegistry
    private let reportsInTask: Bool

    init(reportsInTask: Bool) {
        self.reportsInTask = reportsInTask
        provider = CXProvider(configuration: CXProviderConfiguration())
        registry = PKPushRegistry(queue: nil)
        super.init()
        provider.setDelegate(self, queue: nil)
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }

    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {}

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        let update = CXCallUpdate()
        update.localizedCallerName = payload.dictionaryPayload["caller"] as? String
        if reportsInTask {
            Task { try await self.provider.reportNewIncomingCall(with: UUID(), update: update) }
            completion()
        } else {
            report(update, completion: completion)
        }
    }

    private func report(_ update: CXCallUpdate, completion: @escaping () -> Void) {
        provider.reportNewIncomingCall(with: UUID(), update: update) { _ in }
        completion()
    }

    func providerDidReset(_ provider: CXProvider) {}
    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { action.fulfill() }
    func provider(_ provider: CXProvider, perform action: CXEndCallAction) { action.fulfill() }
}
