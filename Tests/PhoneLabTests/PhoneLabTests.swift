// SPDX-License-Identifier: MIT

import CallKit
import Dispatch
import Foundation
import OffhookCore
import OffhookTesting
import PushKit
import Testing

/// Several phones in one virtual time.
@Suite(.timeLimit(.minutes(2))) struct PhoneLabTests {
    /// A call between two Offhook apps over a network that delays at random.
    private func offhookCall(seed: UInt64) async throws -> (String, [String]) {
        let lab = PhoneLab(seed: seed)
        defer { lab.shutDown() }
        lab.network.setPushDelay(.milliseconds(50)...(.milliseconds(900)))
        lab.network.setMessageDelay(.milliseconds(5)...(.milliseconds(80)))
        let alice = try await lab.join("alice")
        let bob = try await lab.join("bob", closed: true)
        await alice.call("bob")
        await lab.advance(by: .seconds(3))
        try #require(!bob.phone.screen.incoming.isEmpty, "\(lab.timeline)\n\(lab.server.decisions)")
        try bob.phone.user.answer()
        await lab.advance(by: .seconds(5))
        try bob.phone.user.setMuted(true)
        await lab.advance(by: .seconds(1))
        try alice.phone.user.hangUp()
        await lab.advance(by: .seconds(5))
        #expect(alice.callFailures.isEmpty)
        #expect(lab.violations.isEmpty)
        return (lab.timeline.stableText, lab.server.decisions.map(\.rawValue))
    }

    @Test("R95: two Offhook apps and the server's rules: ring, answer, talk, end, in virtual time")
    func wholeCall() async throws {
        let (timeline, decisions) = try await offhookCall(seed: 1)
        for line in ["bob    phone    call-1  call connected [A1]", "alice  phone    call-1  call connected [C2]"] {
            #expect(timeline.contains(line), "\(timeline)")
        }
        #expect(decisions == ["placed", "rang", "answered", "connected", "hungUp"])
    }

    @Test("The same seed gives the same timelines twenty times; another seed gives others")
    func deterministic() async throws {
        let (first, _) = try await offhookCall(seed: 7)
        for run in 2...20 {
            let (again, _) = try await offhookCall(seed: 7)
            try #require(again == first, "run \(run):\n\(again)\nfirst:\n\(first)")
        }
        let (other, _) = try await offhookCall(seed: 8)
        #expect(other != first)
    }

    /// Several plain apps on several phones with queues of their own, all at once.
    private func crowd(seed: UInt64) async throws -> String {
        let lab = PhoneLab(seed: seed)
        defer { lab.shutDown() }
        lab.network.setPushDelay(.milliseconds(1)...(.milliseconds(20)))
        lab.network.setPushLoss(percent: 20)
        let apps = (0..<4).map { PlainCallApp(bundle: "com.example.calls\($0 % 2)") }
        let phones = (0..<2).map { lab.phone("phone-\($0)") }
        for (index, app) in apps.enumerated() { try await lab.installAndClose(app.app, on: phones[index / 2]) }
        for round in 0..<5 {
            for (index, app) in apps.enumerated() {
                lab.push(to: phones[index / 2], app.bundle, ["caller": .string("caller \(round)")])
            }
            await lab.advance(by: .seconds(2))
            for phone in phones where !phone.screen.incoming.isEmpty { try phone.user.answer() }
            await lab.advance(by: .seconds(2))
        }
        return lab.timeline.stableText
    }

    @Test("Four apps on two phones, lost and late pushes: the same seed gives the same timeline")
    func crowdIsDeterministic() async throws {
        let first = try await crowd(seed: 3)
        #expect(first.contains("lost a push"))
        for _ in 2...20 { try #require(try await crowd(seed: 3) == first) }
    }

    @Test("A push callback that blocks until its report is completed on another queue gets its way")
    func blocking() async throws {
        let lab = PhoneLab()
        defer { lab.shutDown() }
        let phone = lab.phone("bob")
        try await lab.installAndClose(
            App(bundleIdentifier: "blocking", displayName: "Blocking") { _ in BlockingApp() }, on: phone)
        phone.push(to: "blocking", [:])
        await lab.settle()
        #expect(phone.screen.incoming.count == 1)
        #expect(phone.violations.isEmpty)
    }
}

/// Waits in the push callback for the completion of its report, on two queues: unwise, and legal.
private final class BlockingApp: NSObject, PKPushRegistryDelegate, CXProviderDelegate {
    private let provider = CXProvider(configuration: CXProviderConfiguration())
    private let registry = PKPushRegistry(queue: DispatchQueue(label: "pushes"))

    override init() {
        super.init()
        provider.setDelegate(self, queue: DispatchQueue(label: "calls"))
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }

    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {}

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        let reported = DispatchSemaphore(value: 0)
        provider.reportNewIncomingCall(with: UUID(), update: CXCallUpdate()) { _ in reported.signal() }
        reported.wait()
        completion()
    }

    func providerDidReset(_ provider: CXProvider) {}
}
