// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Offhook
import OffhookNet
import OffhookTesting
import OffhookWire
import Testing
import UserNotifications
import VirtualPhone

/// One virtual phone with a calling app on it, a scripted server, recorded media, and one clock for all.
final class Bench: Sendable {
    /// The app: the call center and what it told.
    final class CallingApp: Sendable {
        let calls: CallCenter
        /// The app's notifications.
        let center = UNUserNotificationCenter.current()
        private let told = Guarded<[CallEvent]>([])

        init(_ calls: CallCenter) {
            self.calls = calls
            // The stream first: what happens before it exists is told to nobody.
            let events = calls.events
            calls.start()
            Task { [weak self] in
                for await event in events { self?.told.withLock { $0.append(event) } }
            }
        }

        /// The states the call went through, as the app was told.
        func states(_ call: CallID) -> [Call.State] {
            var states: [Call.State] = []
            for case .changed(let change) in told.withLock({ $0 })
            where change.id == call && states.last != change.state { states.append(change.state) }
            return states
        }

        /// The last word on a call.
        func last(_ call: CallID) -> Call? {
            var last: Call?
            for case .changed(let change) in told.withLock({ $0 }) where change.id == call { last = change }
            return last
        }

        /// How the signaling connection stands.
        var connection: ConnectionState? {
            var last: ConnectionState?
            for case .connection(let state) in told.withLock({ $0 }) { last = state }
            return last
        }

        /// How the audio window turned.
        var windows: [Bool] {
            told.withLock { $0 }.compactMap { if case .audio(let open) = $0 { open } else { nil } }
        }

        /// What the app was warned of.
        var warnings: [OffhookError] {
            told.withLock { $0 }.compactMap { if case .warning(let error) = $0 { error } else { nil } }
        }

        /// What became of the invitations.
        var outcomes: [InvitationOutcome] {
            told.withLock { $0 }.compactMap { if case .invitation(let outcome, _) = $0 { outcome } else { nil } }
        }
    }

    /// The apps that were launched.
    private final class Running: Sendable {
        let apps = Guarded<[CallingApp]>([])
    }

    static let bundle = "org.example.calls"
    let phone: VirtualPhone
    let server: ScriptedServer
    let media: RecordingMedia
    let clock: ManualClock
    private let running = Running()

    init(
        system: SystemVersion = SystemVersion(26, 4), locked: Bool = false, media: RecordingMedia = RecordingMedia(),
        engine: (any MediaEngine)? = nil,
        notifications: NotificationExtension? = nil,
        configure: @escaping @Sendable (inout CallCenter.Configuration) -> Void = { _ in }
    ) {
        self.media = media
        phone = VirtualPhone(VirtualPhone.Configuration(system: system, locked: locked))
        clock = ManualClock(now: Instant(phone.now))
        server = ScriptedServer(clock: clock)
        let (server, clock, running) = (server, clock, running)
        var app =
            App(bundleIdentifier: Bench.bundle, displayName: "Calls") { _ in
                var configuration = CallCenter.Configuration(
                    serverURL: "ws://server/signal", sessionToken: { "token" }, deviceID: "device",
                    bundleIdentifier: Bench.bundle, pushEnvironment: .development)
                configure(&configuration)
                let app = CallingApp(
                    CallCenter(
                        configuration: configuration, media: engine ?? media, transport: server, clock: clock))
                running.apps.withLock { $0.append(app) }
                return app
            }
        app.notificationExtension = notifications
        phone.install(app)
    }

    /// The app that was launched last.
    var app: CallingApp? { running.apps.withLock { $0.last } }

    /// Lets the app register its token, and closes it: the phone is ready for a cold push.
    func register() async throws {
        phone.open(Bench.bundle)
        await until("the token is registered") {
            self.server.heard.contains { if case .register = $0 { true } else { false } }
        }
        try phone.user.close(Bench.bundle)
        await phone.settle()
        running.apps.withLock { $0 = [] }
    }

    /// Opens the app and waits until it is connected.
    func open() async {
        phone.open(Bench.bundle)
        await until("the device is registered") {
            self.server.heard.contains { if case .register = $0 { true } else { false } }
        }
    }

    /// Pushes a payload.
    func push(_ payload: [UInt8], sentAt: Date? = nil) throws {
        let token = try #require(phone.pushToken(for: Bench.bundle))
        phone.receivePush(token: token, payload: Data(payload), sentAt: sentAt)
    }

    /// An invitation to the phone's user, good for a minute unless said otherwise.
    func invitation(_ call: CallID = Bench.call, lasting: TimeSpan = .seconds(60)) -> Invitation {
        Invitation(
            call: call, callerName: "Alice", callerHandle: Handle(value: "alice"), issuedAt: clock.now,
            expiresAt: clock.now + lasting)
    }

    static let call = CallID(high: 0xA, low: 0xB)

    /// Pushes an invitation to the closed app and waits until it rings.
    func ring() async throws {
        try await register()
        try push(try PushPayload(invitation: invitation()).encoded())
        await until("the phone rings") { !self.phone.screen.incoming.isEmpty && self.heard(.ringing(call: Bench.call)) }
    }

    /// Brings a ringing call to voice.
    func talk() async throws {
        try await ring()
        try phone.user.answer()
        await until("the answer is claimed") { self.heard(.answer(call: Bench.call)) }
        server.say(.answered(call: Bench.call))
        await until("media starts") { !self.media.entries(Bench.call).isEmpty }
        await advance(by: .milliseconds(50))
        await until("audio is open") { self.media.entries(Bench.call).contains(.audioOpen(true)) }
        media.say(.connected, for: Bench.call)
        media.say(.remoteMedia, for: Bench.call)
        await until("the call is active") { self.app?.last(Bench.call)?.state == .active }
    }

    func heard(_ body: ClientMessage.Body) -> Bool {
        server.heard.contains(body)
    }

    /// Moves the phone's time and the engine's together, from deadline to deadline.
    func advance(by duration: TimeSpan) async {
        let target = clock.now + duration
        await settle()
        while clock.now < target {
            let next = min(clock.deadline ?? target, target)
            let step = max(.milliseconds(1), next - clock.now)
            await phone.advance(by: Duration(step))
            clock.move(to: clock.now + step)
            await settle()
        }
    }

    /// Lets everything that is on its way arrive, as far as it can be waited for.
    func settle() async {
        for _ in 0..<4 {
            await phone.settle()
            _ = app?.calls.currentCalls
            // A session that hangs is not waited for.
            for _ in 0..<200 where clock.unfinishedWork > 0 { try? await Task.sleep(for: .microseconds(100)) }
        }
    }

    /// Waits for a condition; time stands still meanwhile.
    func until(_ what: String, _ condition: () -> Bool) async {
        let limit = ContinuousClock.now + .seconds(30)
        while !condition() {
            await settle()
            guard ContinuousClock.now < limit else {
                Issue.record("never came: \(what)\n\(phone.timeline)\nheard: \(server.heard)")
                return
            }
            try? await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Ends the phone and its app.
    func close() {
        phone.shutDown()
        running.apps.withLock { $0 = [] }
    }

    /// Checks that the phone found nothing to blame.
    func expectClean() {
        #expect(phone.violations.isEmpty, "\(phone.violations)")
        #expect(phone.deaths.allSatisfy { $0.rule == nil }, "\(phone.deaths)")
    }
}

extension Instant {
    /// The instant of a date, in whole milliseconds.
    init(_ date: Date) {
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }
}

extension CallID {
    /// The call's UUID as the phone knows it.
    var uuid: UUID? { UUID(uuidString: description) }
}
