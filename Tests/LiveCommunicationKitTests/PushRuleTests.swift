// SPDX-License-Identifier: MIT

import Foundation
import LiveCommunicationKit
import PushKit
import Testing
import VirtualPhone

/// Which forms of a report in a push method are in time.
@Suite(.timeLimit(.minutes(1)))
struct PushRuleTests {
    private func rules(_ form: AppProbe.PushForm, doNotDisturb: Bool = false) async throws -> [String] {
        var state = AppProbe.State()
        state.pushForm = form
        let bench = ConversationBench(state)
        defer { bench.close() }
        let token = try await bench.register()
        if doNotDisturb { bench.phone.user.setDoNotDisturb(true) }
        bench.phone.receivePush(token: token, payload: Data("{}".utf8))
        await bench.phone.settle()
        await bench.phone.advance(by: .seconds(10))
        return bench.phone.deaths.compactMap(\.rule)
    }

    @Test("L3, K3: a task that starts at once reports before the push method returns, each time")
    func immediateTask() async throws {
        for _ in 1...20 { #expect(try await rules(.immediateTask) == []) }
    }

    @Test("L3, K3: an ordinary task of the push method reports too late, each time")
    func ordinaryTask() async throws {
        for _ in 1...20 { #expect(try await rules(.task) == ["K3"]) }
    }

    @Test("L3, K3: an app that reports no conversation is killed")
    func noReport() async throws {
        #expect(try await rules(.none) == ["K3"])
    }

    @Test("L3, K6: a report that Do Not Disturb refuses counts")
    func refused() async throws {
        #expect(try await rules(.immediateTask, doNotDisturb: true) == [])
    }

    private func asyncRules(waitsFirst: Bool, system: SystemVersion) async throws -> [String] {
        let phone = VirtualPhone(.init(system: system))
        defer { phone.shutDown() }
        let bundle = "com.example.async"
        phone.install(App(bundleIdentifier: bundle, displayName: "Async") { _ in AsyncApp(waitsFirst: waitsFirst) })
        phone.open(bundle)
        await phone.settle()
        phone.user.goHome()
        let token = try #require(phone.pushToken(for: bundle))
        phone.receivePush(token: token, payload: Data("{}".utf8))
        await phone.settle()
        return phone.deaths.compactMap(\.rule)
    }

    @Test(
        "L3, K3: an async push method that reports before it waits for anything is in time, each time",
        arguments: [SystemVersion(26, 4), SystemVersion(18, 0)])
    func asyncMethod(system: SystemVersion) async throws {
        for _ in 1...20 { #expect(try await asyncRules(waitsFirst: false, system: system) == []) }
    }

    @Test(
        "L3, K3: an async push method that waits for something before it reports is too late, each time",
        arguments: [SystemVersion(26, 4), SystemVersion(18, 0)])
    func asyncMethodThatWaits(system: SystemVersion) async throws {
        for _ in 1...20 { #expect(try await asyncRules(waitsFirst: true, system: system) == ["K3"]) }
    }
}

/// Reports in the async form of the push methods, as Apple's sample does.
private final class AsyncApp: NSObject, PKPushRegistryDelegate {
    let registry = PKPushRegistry(queue: nil)
    let manager = ConversationManager(configuration: ConversationApp.configuration)
    let waitsFirst: Bool

    init(waitsFirst: Bool) {
        self.waitsFirst = waitsFirst
        super.init()
        manager.delegate = delegate
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }

    private let delegate = SilentDelegate()

    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {}

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload, metadata: PKVoIPPushMetadata
    ) async {
        await report()
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType
    ) async {
        await report()
    }

    private func report() async {
        // The registry's queue is the main queue, which runs the push method until it waits.
        if waitsFirst { await withCheckedContinuation { wait in DispatchQueue.main.async { wait.resume() } } }
        try? await manager.reportNewIncomingConversation(uuid: UUID(), update: Calls.update)
    }
}

/// Implements everything and does nothing.
final class SilentDelegate: ConversationManagerDelegate, Sendable {
    func conversationManagerDidBegin(_ manager: ConversationManager) {}
    func conversationManagerDidReset(_ manager: ConversationManager) {}
    func conversationManager(_ manager: ConversationManager, conversationChanged conversation: Conversation) {}
    func conversationManager(_ manager: ConversationManager, perform action: ConversationAction) {}
    func conversationManager(_ manager: ConversationManager, timedOutPerforming action: ConversationAction) {}
    func conversationManager(_ manager: ConversationManager, didActivate audioSession: AVAudioSession) {}
    func conversationManager(_ manager: ConversationManager, didDeactivate audioSession: AVAudioSession) {}
}
