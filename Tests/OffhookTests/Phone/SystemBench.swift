// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import OffhookCore
import OffhookNet
import Testing
import VirtualPhone

@testable import Offhook

/// A virtual phone with an app that is nothing but Offhook's adapter to the frameworks, and what the adapter said.
///
/// No call rules are here: actions are fulfilled at once unless the test wants otherwise.
final class SystemBench: Sendable {
    /// What the adapter said.
    enum Word: Hashable, Sendable {
        case event(PhoneMachine.Event)
        case push(PushID, payload: [UInt8]?, mustReport: Bool)
        case token(String?)
        case unlocked
    }

    /// The app: the adapter and its queue.
    final class Client: PhoneReceiver {
        let queue = DispatchQueue(label: "test.engine")
        let words = Guarded<[Word]>([])
        let fulfils = Guarded(true)
        private var system: (any PhoneSystem)?

        init(_ configuration: CallCenter.Configuration) {
            system = Engine.phone(configuration, queue)
            queue.sync { system?.begin(self) }
        }

        /// Runs something with the adapter on its queue.
        @discardableResult
        func use<Result>(_ body: (any PhoneSystem) throws -> Result) rethrows -> Result? {
            try queue.sync { try system.map(body) }
        }

        private func say(_ word: Word) {
            words.withLock { $0.append(word) }
        }

        func receive(_ event: PhoneMachine.Event) {
            say(.event(event))
            guard let action = event.action, fulfils.withLock({ $0 }) else { return }
            if case .startPerformed(_, let call) = event {
                system?.reportStartedConnecting(call, at: Instant(milliseconds: 0))
            }
            system?.fulfil(action)
        }

        func receivePush(_ push: PushID, payload: [UInt8]?, mustReport: Bool) {
            say(.push(push, payload: payload, mustReport: mustReport))
            system?.reportIncoming(SystemBench.call, CallDetails(handle: Handle(value: "alice")))
            system?.completePush(push)
            system?.completePush(push)  // R57: no second call comes of it
        }

        func receiveToken(_ token: String?) { say(.token(token)) }
        func receiveUnlocked() { say(.unlocked) }
    }

    static let bundle = "org.example.calls"
    static let call = CallID(high: 1, low: 1)
    static let other = CallID(high: 2, low: 2)
    let phone: VirtualPhone
    private let apps = Guarded<[Client]>([])

    init(
        system: SystemVersion = SystemVersion(26, 4), locked: Bool = false, canPlayTones: Bool = true,
        microphone: MicrophonePermission = .granted,
        configure: @escaping @Sendable (inout CallCenter.Configuration) -> Void = { _ in }
    ) {
        var settings = PhoneSettings()
        settings.microphonePermissionAtFirst = microphone
        phone = VirtualPhone(VirtualPhone.Configuration(system: system, settings: settings, locked: locked))
        let apps = apps
        phone.install(
            App(bundleIdentifier: SystemBench.bundle, displayName: "Calls") { _ in
                var configuration = CallCenter.Configuration(
                    serverURL: "ws://server/signal", sessionToken: { "token" }, deviceID: "device",
                    bundleIdentifier: SystemBench.bundle)
                configuration.provider.maximumCallGroups = 2
                configuration.provider.maximumCallsPerCallGroup = 5
                configuration.provider.supportsAudioTranslation = true
                configure(&configuration)
                let media = MediaCapabilities(video: true, dtmf: canPlayTones)
                let app = Client(configuration.completed(for: media))
                apps.withLock { $0.append(app) }
                return app
            })
    }

    var app: Client? { apps.withLock { $0.last } }
    var words: [Word] { app?.words.withLock { $0 } ?? [] }
    var events: [PhoneMachine.Event] {
        words.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }

    func open() async {
        phone.open(SystemBench.bundle)
        await until("the app runs") { self.app != nil }
        await settle()
    }

    func settle() async {
        for _ in 0..<4 {
            await phone.settle()
            await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
            app?.use { _ in }
        }
    }

    /// An incoming call that was answered.
    func talk(_ call: CallID = SystemBench.call, video: Bool = false) async throws {
        app?.use { $0.reportIncoming(call, CallDetails(handle: Handle(value: "alice"), video: video)) }
        await until("it rings") { self.phone.screen.incoming.contains { $0.call == call.uuid } }
        try phone.user.answer(call.uuid)
        await until("it is answered") {
            self.phone.snapshot.calls.contains { $0.uuid == call.uuid && $0.phase == .connected }
        }
        await advance(.milliseconds(50))
    }

    func request(_ request: CallRequest) {
        app?.use { $0.request(request) }
    }

    func advance(_ duration: Duration) async {
        await phone.advance(by: duration)
        await settle()
    }

    func until(_ what: String, _ condition: () -> Bool) async {
        let limit = ContinuousClock.now + .seconds(30)
        while !condition() {
            await settle()
            guard ContinuousClock.now < limit else {
                Issue.record("never came: \(what)\n\(phone.timeline)\nsaid: \(words)")
                return
            }
            try? await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Waits for an event.
    func hear(_ event: PhoneMachine.Event) async {
        await until("\(event)") { self.events.contains(event) }
    }

    func close() {
        phone.shutDown()
        apps.withLock { $0 = [] }
    }

    func expectClean() {
        #expect(phone.violations.isEmpty, "\(phone.violations)")
        #expect(phone.deaths.allSatisfy { $0.rule == nil }, "\(phone.deaths)")
    }
}

// Bound to its queue.
extension SystemBench.Client: @unchecked Sendable {}

extension PhoneMachine.Event {
    /// The action that it performs.
    var action: ActionID? {
        switch self {
        case .startPerformed(let action, _), .answerPerformed(let action, _), .endPerformed(let action, _),
            .holdPerformed(let action, _, _), .mutePerformed(let action, _, _), .groupPerformed(let action, _, _),
            .tonesPerformed(let action, _, _), .translationPerformed(let action, _, _), .otherPerformed(let action):
            action
        default: nil
        }
    }
}
