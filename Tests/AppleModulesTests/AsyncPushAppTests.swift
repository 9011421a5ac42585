// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import PushKit
import Testing
import VirtualPhone

/// Reports the call in the async form of the push method, without waiting for anything first.
private final class AsyncPushApp: NSObject, PKPushRegistryDelegate, CXProviderDelegate {
    let registry = PKPushRegistry(queue: nil)
    let provider = CXProvider(configuration: CXProviderConfiguration())

    override init() {
        super.init()
        provider.setDelegate(self, queue: nil)
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }

    func providerDidReset(_ provider: CXProvider) {}
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {}
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload, metadata: PKVoIPPushMetadata
    ) async {
        try? await provider.reportNewIncomingCall(with: UUID(), update: CXCallUpdate())
    }
}

/// Reports the call in a task that the push method starts.
private final class TaskPushApp: NSObject, PKPushRegistryDelegate, CXProviderDelegate, @unchecked Sendable {
    let registry = PKPushRegistry(queue: nil)
    let provider = CXProvider(configuration: CXProviderConfiguration())

    override init() {
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
        Task {
            try? await self.provider.reportNewIncomingCall(with: UUID(), update: CXCallUpdate())
            completion()
        }
    }
}

@Suite struct AsyncPushAppTests {
    private func killingRules(_ launch: @escaping @Sendable () -> AnyObject) async throws -> [String] {
        let phone = VirtualPhone(.init(system: SystemVersion(26, 4)))
        defer { phone.shutDown() }
        let bundle = "com.example.async"
        phone.install(App(bundleIdentifier: bundle, displayName: "Async") { _ in launch() })
        phone.open(bundle)
        await phone.settle()
        phone.user.goHome()
        let token = try #require(phone.pushToken(for: bundle))
        _ = phone.receivePush(token: token, payload: Data("{}".utf8))
        await phone.settle()
        return phone.deaths.compactMap(\.rule)
    }

    @Test("K3: an app that reports in an async push method is killed, each time")
    func asyncReportsAreLate() async throws {
        for _ in 1...20 {
            #expect(try await killingRules { AsyncPushApp() } == ["K3"])
        }
    }

    @Test("K3: an app that reports in a task of its push method is killed, each time")
    func taskReportsAreLate() async throws {
        for _ in 1...100 {
            #expect(try await killingRules { TaskPushApp() } == ["K3"])
        }
    }

    @Test("K3: a report that comes while the return is being told does not overtake it")
    func returnIsToldBeforeTheReport() {
        let lines = Locked<[String]>([])
        let callback = Locked<CallbackReturn?>(nil)
        let made = CallbackReturn(isAsync: false) {
            // Before the phone hears of it, another thread of the app wants to report.
            if let callback = callback.withLock({ $0.take() }) {
                callback.happen()
                lines.withLock { $0.append("reported") }
            }
            lines.withLock { $0.append("told") }
        }
        callback.withLock { $0 = made }
        made.happen()
        made.happen()
        #expect(lines.withLock { $0 } == ["told", "reported", "told"])
    }
}
