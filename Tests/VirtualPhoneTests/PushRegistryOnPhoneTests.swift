// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// Registries and what they register for; apps of old SDKs; the dialog about an unreported push.
@Suite(.timeLimit(.minutes(1)))
struct PushRegistryOnPhoneTests {
    private static let payload = Data("{}".utf8)
    private static let voIP = "PKPushTypeVoIP"

    /// A second registry of a running app: what it hears.
    private func addRegistry(to app: RawApp, types: [String] = [voIP]) -> (UUID, Locked<[String]>) {
        let registry = UUID()
        let heard = Locked<[String]>([])
        app.process.attach(registry, queue: app.queue) { [process = app.process] event in
            heard.withLock { $0.append(RawApp.describe(event)) }
            guard case .push(_, let push) = event else { return }
            app.report(Calls.first)
            process.send(.pushCompleted(push: push.id))
            process.send(.pushHandlerReturned(push: push.id))
        }
        app.process.send(.createPushRegistry(registry: registry))
        app.process.send(.setDesiredPushTypes(registry: registry, types: types))
        return (registry, heard)
    }

    @Test("K1, R54: of two registries both get the token, and the newer one the push; without it the older one")
    func twoRegistries() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        let (registry, heard) = addRegistry(to: app)
        await bench.phone.settle()
        #expect(heard.withLock { $0 }.count == 1)
        let token = try #require(bench.phone.pushToken(for: PhoneBench.bundle))
        bench.phone.user.goHome()
        bench.probe.forgetEvents()
        bench.phone.receivePush(token: token, payload: Self.payload)
        await bench.phone.settle()
        #expect(heard.withLock { $0.last } == "push mustReport")
        #expect(!bench.probe.events.contains("push mustReport"))
        try bench.phone.user.decline()
        await bench.phone.settle()
        app.process.send(.releasePushRegistry(registry: registry))
        bench.probe.behavior.call = Calls.second
        bench.phone.receivePush(token: token, payload: Self.payload)
        await bench.phone.settle()
        #expect(heard.withLock { $0.count { $0 == "push mustReport" } } == 1)
        #expect(bench.probe.events.contains("push mustReport"))
        #expect(bench.phone.violations.isEmpty)
    }

    @Test(
        "K1: for complications and file providers the phone hands out no token, and sends no VoIP push there",
        arguments: ["PKPushTypeComplication", "PKPushTypeFileProvider"])
    func otherTypes(_ type: String) async throws {
        var behavior = RawApp.Behavior()
        behavior.hasRegistry = false
        let bench = PhoneBench(behavior, locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        let (registry, heard) = addRegistry(to: app, types: [type])
        await bench.phone.settle()
        #expect(heard.withLock { $0 }.isEmpty && bench.phone.pushToken(for: PhoneBench.bundle) == nil)
        #expect(app.process.send(.pushToken(registry: registry, type: type)) == .token(nil))
        #expect(bench.lines().contains { $0.contains("no token for pushes other than VoIP") })
        // With VoIP beside it there is one token, that for VoIP.
        app.process.send(.setDesiredPushTypes(registry: registry, types: [type, Self.voIP]))
        await bench.phone.settle()
        let token = try #require(bench.phone.pushToken(for: PhoneBench.bundle))
        #expect(app.process.send(.pushToken(registry: registry, type: type)) == .token(nil))
        #expect(app.process.send(.pushToken(registry: registry, type: Self.voIP)) == .token(token))
        #expect(heard.withLock { $0 }.count == 1 && bench.phone.violations.isEmpty)
    }

    @Test("R60: an app built with an SDK before 13 need not report; one built with 13 must", arguments: [12, 13])
    func oldSDK(_ sdk: Int) async throws {
        var behavior = RawApp.Behavior()
        behavior.reporting = .never
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        var app = PhoneBench.app(bench.probe)
        app.sdk = SystemVersion(sdk)
        bench.phone.install(app)
        let token = try await bench.register()
        bench.phone.receivePush(token: token, payload: Self.payload)
        await bench.phone.advance(by: .seconds(10))
        #expect(bench.phone.violations.map(\.rule) == (sdk < 13 ? [] : ["K3"]))
        #expect(bench.phone.deaths.contains { $0.rule == "K3" } == (sdk >= 13))
    }

    @Test(
        "K9: from iOS 26 on a development build shows a dialog about an unreported push",
        arguments: [
            (SystemVersion(26), App.APNsEnvironment.development, true),
            (SystemVersion(18), .development, false), (SystemVersion(26), .production, false),
        ])
    func dialog(_ system: SystemVersion, _ environment: App.APNsEnvironment, _ isShown: Bool) async throws {
        var behavior = RawApp.Behavior()
        behavior.reporting = .never
        let bench = PhoneBench(behavior, system: system, aps: environment)
        defer { bench.close() }
        let token = try await bench.register()
        bench.phone.receivePush(token: token, payload: Self.payload)
        await bench.phone.settle()
        #expect(bench.phone.deaths.last?.rule == "K3")
        #expect(bench.lines().contains("phone: shows a dialog about the unreported push [K9]") == isShown)
    }
}
