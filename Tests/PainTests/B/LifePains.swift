// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import Intents
import Offhook
import OffhookTesting
import OffhookWire
import Testing
import UIKit
import VirtualPhone

/// P46, P47, P53: calls from Recents, mainland China, and the background.
@Suite(.timeLimit(.minutes(1))) struct LifePains {
    static let bundle = "practice.app"

    // MARK: - P46

    /// A calling app whose delegate does not know of Recents.
    private final class ForgetfulDelegate: UIResponder, UIApplicationDelegate {
        private let calls: PracticeApp

        init(_ diary: Diary) {
            calls = PracticeApp(diary)
            super.init()
        }
    }

    @Test(
        "P46: a tap in Recents opens an app that handles no INStartCallIntent, and no call comes",
        arguments: [true, false])
    func redialForgotten(_ isCold: Bool) async throws {
        let (phone, diary) = (VirtualPhone(), Diary())
        defer { phone.shutDown() }
        phone.install(App(bundleIdentifier: Self.bundle, displayName: "Practice") { ForgetfulDelegate(diary) })
        try await missCall(phone, isCold: isCold)
        try phone.user.tapRecent()
        await phone.advance(by: .seconds(20))
        #expect(phone.appState(of: Self.bundle) == .foreground)
        #expect(phone.snapshot.calls.isEmpty && diary.all.last == "end")
        #expect(phone.violations.map(\.rule) == ["R123"])
    }

    /// An app on Offhook's engine that passes on who is to be called.
    private final class RedialingDelegate: UIResponder, UIApplicationDelegate {
        private let calls: CallCenter

        init(_ server: ScriptedServer, _ clock: ManualClock) {
            calls = CallCenter(
                configuration: CallCenter.Configuration(
                    serverURL: "ws://server/signal", sessionToken: { "token" }, deviceID: "device",
                    bundleIdentifier: LifePains.bundle, pushEnvironment: .development),
                media: RecordingMedia(), transport: server, clock: clock)
            super.init()
        }

        func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
            calls.start()
            Task { [calls] in
                for await intent in calls.callIntents {
                    try await calls.startCall(to: intent.handle, displayName: intent.name, video: intent.video).get()
                }
            }
            return true
        }

        func application(
            _ application: UIApplication, continue userActivity: NSUserActivity,
            restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
        ) -> Bool {
            calls.handle(userActivity)
        }
    }

    @Test("P46: an Offhook app that hands the activity over: the call starts, cold and warm", arguments: [true, false])
    func redial(_ isCold: Bool) async throws {
        let phone = VirtualPhone()
        let clock = ManualClock(now: Instant(milliseconds: Int64(phone.now.timeIntervalSince1970 * 1000)))
        let server = ScriptedServer(clock: clock)
        defer { phone.shutDown() }
        phone.install(
            App(bundleIdentifier: Self.bundle, displayName: "Practice") { RedialingDelegate(server, clock) })
        try await missCall(phone, isCold: isCold, .offhook(caller: "Alice", handle: "alice", at: phone.now))
        try phone.user.tapRecent()
        try await phone.wait { $0.calls.map(\.phase) == [.started] }
        #expect(phone.screen.foregroundApp == Self.bundle)
        #expect(
            server.heard.contains { if case .invite(_, Handle(value: "alice"), false) = $0 { true } else { false } })
        #expect(phone.violations.isEmpty, "\(phone.violations)")
    }

    /// A call in Recents; the app runs in the background, or is closed.
    private func missCall(_ phone: VirtualPhone, isCold: Bool, _ push: PushBody = [:]) async throws {
        phone.open(Self.bundle)
        await phone.settle()
        phone.user.goHome()
        phone.push(to: Self.bundle, push)
        try await phone.wait { !$0.screen.incoming.isEmpty }
        try phone.user.decline()
        await phone.settle()
        try await phone.wait { $0.recents.count == 1 && $0.calls.isEmpty }
        if isCold { try phone.user.close(Self.bundle) }
        await phone.settle()
    }

    // MARK: - P47

    @Test("P47: an app that makes its CallKit objects in mainland China breaks a rule with each of them")
    func china() async throws {
        let practice = Practice { PracticeApp($0) }
        defer { practice.phone.shutDown() }
        practice.phone.setRegion("CN")
        await practice.open()
        #expect(practice.brokenRules == ["R132", "R132"])
        #expect(
            Set(practice.phone.violations.map(\.what)) == [
                "a CXProvider was created in the region CN", "a PKPushRegistry was created in the region CN",
            ])
    }

    @Test("P47: in mainland China a call center makes no CallKit object, and its calls go on in the app")
    func chinaCall() async throws {
        let lab = PhoneLab(seed: 1)
        defer { lab.shutDown() }
        lab.phone("bob").setRegion("CN")
        let alice = try await lab.join("alice")
        let bob = try await lab.join("bob") { $0.callKit = .off }
        bob.phone.open(bob.bundle)
        await lab.advance(by: .seconds(1))
        await alice.call("bob")
        await lab.advance(by: .seconds(1))
        let calls = try #require(bob.calls)
        #expect(calls.currentCalls.map(\.state) == [.incoming] && !calls.capabilities.nativeCalling)
        let call = try #require(calls.currentCalls.first?.id)
        Task { await calls.answer(call) }
        while calls.currentCalls.first?.state == .incoming { await lab.settle() }
        await lab.advance(by: .seconds(2))
        for user in [alice, bob] { #expect(user.calls?.currentCalls.map(\.state) == [.active]) }
        #expect(bob.phone.pushToken(for: bob.bundle) == nil && bob.phone.snapshot.calls.isEmpty)
        try alice.phone.user.hangUp()
        await lab.advance(by: .seconds(2))
        #expect(calls.currentCalls.isEmpty)
        #expect(lab.violations.isEmpty, "\(lab.violations)")
    }

    // MARK: - P53

    /// Saves energy: its connection to the server, which carries the voice too, is closed in the background.
    private final class SavingDelegate: UIResponder, UIApplicationDelegate {
        private let calls: PracticeApp
        private let diary: Diary

        init(_ diary: Diary) {
            calls = PracticeApp(diary)
            self.diary = diary
            super.init()
        }

        func applicationDidEnterBackground(_ application: UIApplication) {
            diary.note("socket closed")
            calls.voice.stop()
        }
    }

    @Test("P53: an app that closes its socket in the background: the phone is locked, and the call goes on in silence")
    func socketClosed() async throws {
        let (phone, diary) = (VirtualPhone(), Diary())
        defer { phone.shutDown() }
        phone.install(App(bundleIdentifier: Self.bundle, displayName: "Practice") { SavingDelegate(diary) })
        phone.open(Self.bundle)
        await phone.settle()
        phone.push(to: Self.bundle, [:])
        await phone.settle()
        try phone.user.answer()
        await phone.advance(by: .seconds(10))
        #expect(phone.audioSession(of: Self.bundle)?.isRunning == true)
        phone.user.lock()
        await phone.advance(by: .seconds(300))
        #expect(diary.all == ["answer", "didActivate", "voice runs", "socket closed"])
        // The phone would have let it run: nothing asked for the end of the connection.
        #expect(phone.appState(of: Self.bundle) == .background && phone.snapshot.isCallAudioActive)
        #expect(phone.screen.inCall.first?.status == .timer)
        #expect(phone.audioSession(of: Self.bundle)?.isRunning == false)
        #expect(phone.audit().map(\.rule) == ["E2"])
    }
}
