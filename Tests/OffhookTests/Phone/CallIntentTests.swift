// SPDX-License-Identifier: MIT

import Foundation
import Intents
import OffhookCore
import OffhookNet
import OffhookTesting
import Testing
import UIKit
import VirtualPhone

@testable import Offhook

/// Wishes to call from Recents, contacts and Siri, and calls told to the system.
@Suite(.timeLimit(.minutes(2))) struct CallIntentTests {
    private func person(_ value: String?, _ type: INPersonHandleType = .unknown, name: String? = nil) -> INPerson {
        INPerson(
            personHandle: INPersonHandle(value: value, type: type), nameComponents: nil, displayName: name, image: nil,
            contactIdentifier: nil, customIdentifier: nil)
    }

    private func read(_ intent: INIntent) -> CallIntent? {
        CallIntent(intent, receivedAt: Instant(milliseconds: 5))
    }

    private func start(_ people: [INPerson]?, video: Bool = false) -> INStartCallIntent {
        INStartCallIntent(
            callRecordFilter: nil, callRecordToCallBack: nil, audioRoute: .unknown, destinationType: .normal,
            contacts: people, callCapability: video ? .videoCall : .audioCall)
    }

    @Test("R123: whom, by which kind of address, under which name, with video or not") func intents() {
        #expect(
            read(start([person("alice", name: "Alice")], video: true))
                == CallIntent(
                    handle: Handle(value: "alice"), name: "Alice", video: true, receivedAt: Instant(milliseconds: 5)))
        #expect(read(start([person("+12025550123", .phoneNumber)]))?.handle.kind == .phoneNumber)
        #expect(read(start([person("a@b.c", .emailAddress)]))?.handle.kind == .emailAddress)
        #expect(read(start([person("alice")]))?.name == nil)
        #expect(read(INStartVideoCallIntent(contacts: [person("alice")]))?.video == true)
        #expect(read(INStartAudioCallIntent(contacts: [person("alice")]))?.video == false)
    }

    @Test("R123: without an address, or with one that is too long, nobody is called") func nobody() {
        #expect(read(start(nil)) == nil)
        #expect(read(start([])) == nil)
        #expect(read(start([person(nil)])) == nil)
        #expect(read(start([person("")])) == nil)
        #expect(read(start([person(String(repeating: "x", count: 257))])) == nil)
        #expect(read(INIntent()) == nil)
    }

    private func wish(_ name: String, at seconds: Int) -> CallIntent {
        CallIntent(handle: Handle(value: name), receivedAt: Instant(milliseconds: Int64(seconds) * 1000))
    }

    @Test("R124: the latest wish is held for 60 s", arguments: [59, 60, 61]) func held(_ seconds: Int) {
        var box = CallIntentBox()
        box.put(wish("alice", at: 0))
        box.put(wish("bob", at: 0))
        let got = Guarded<[CallIntent?]>([])
        _ = box.take(at: Instant(milliseconds: Int64(seconds) * 1000)) { wish in got.withLock { $0.append(wish) } }
        #expect(got.withLock { $0 } == (seconds <= 60 ? [wish("bob", at: 0)] : []))
        box.put(wish("carol", at: 70))
        #expect(got.withLock { $0.count } == 1)
    }

    @Test("R124: one consumer; a second takes over from the first") func oneConsumer() {
        var box = CallIntentBox()
        let got = Guarded<[String]>([])
        let first = box.take(at: Instant(milliseconds: 0)) { wish in
            got.withLock { $0.append("first \(wish?.handle.value ?? "-")") }
        }
        let second = box.take(at: Instant(milliseconds: 0)) { wish in
            got.withLock { $0.append("second \(wish?.handle.value ?? "-")") }
        }
        box.cancel(first)
        #expect(got.withLock { $0 } == ["first -"])
        box.put(wish("alice", at: 0))
        box.cancel(second)
        #expect(got.withLock { $0 } == ["first -", "second alice"])
        box.put(wish("bob", at: 0))
        box.close()
        _ = box.take(at: Instant(milliseconds: 0)) { _ in Issue.record("nothing was held") }
    }

    // MARK: - On the phone

    /// An app that hands its activities to the call center, and listens when it is told to.
    @MainActor private final class Delegate: NSObject, UIApplicationDelegate {
        let calls: CallCenter

        init(_ calls: CallCenter) {
            self.calls = calls
        }

        func application(
            _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
            calls.start()
            return true
        }

        func application(
            _ application: UIApplication, continue userActivity: NSUserActivity,
            restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
        ) -> Bool {
            calls.handle(userActivity)
        }
    }

    @Test("R123, R124, P46: a tap on a contact's card reaches an app that did not run", arguments: [59, 61])
    func coldLaunch(_ seconds: Int) async throws {
        let phone = VirtualPhone(VirtualPhone.Configuration())
        defer { phone.shutDown() }
        let clock = ManualClock(now: Instant(phone.now))
        let server = ScriptedServer(clock: clock)
        let launched = Guarded<[CallCenter]>([])
        phone.install(
            App(
                bundleIdentifier: Bench.bundle, displayName: "Calls",
                delegate: {
                    let calls = CallCenter(
                        configuration: CallCenter.Configuration(
                            serverURL: "ws://server/signal", sessionToken: { "token" }, deviceID: "device",
                            bundleIdentifier: Bench.bundle),
                        media: RecordingMedia(), transport: server, clock: clock)
                    launched.withLock { $0.append(calls) }
                    return Delegate(calls)
                }))
        try phone.user.callFromContacts(
            HandleValue(type: 1, value: "alice"), with: Bench.bundle, isVideo: true)
        while launched.withLock({ $0.isEmpty }) { await phone.settle() }
        for _ in 0..<8 {
            await phone.settle()
            await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        }
        let calls = try #require(launched.withLock { $0.first })
        let asked = clock.now
        clock.move(to: asked + .seconds(seconds))
        let listener = Task {
            var wishes: [CallIntent] = []
            for await wish in calls.callIntents { wishes.append(wish) }
            return wishes
        }
        // The stream ends with the call center; what was held comes first.
        while await calls.isListenedTo == false { await Task.yield() }
        calls.stop()
        let wishes = await listener.value
        #expect(
            wishes
                == (seconds < 60
                    ? [CallIntent(handle: Handle(value: "alice"), video: true, receivedAt: asked)] : []))
    }

    @Test("R125: a call is told to the system with its direction and its address") func donation() async throws {
        let bench = SystemBench()
        defer { bench.close() }
        await bench.open()
        let details = CallDetails(handle: Handle(kind: .phoneNumber, value: "+12025550123"), displayName: "Alice")
        bench.app?.use {
            $0.donate(SystemBench.call, details, .incoming)
            $0.donate(SystemBench.other, details, .outgoing)
        }
        #expect(
            bench.phone.donations(of: SystemBench.bundle) == [
                DonationValue(intent: "INStartCallIntent", direction: 2, handles: ["+12025550123"]),
                DonationValue(intent: "INStartCallIntent", direction: 1, handles: ["+12025550123"]),
            ])
    }
}

extension CallCenter {
    /// Whether a consumer waits for a wish, or took one and came back.
    fileprivate var isListenedTo: Bool {
        get async {
            await withCheckedContinuation { done in
                engine.queue.async { done.resume(returning: self.engine.intents.isAwaited) }
            }
        }
    }
}
