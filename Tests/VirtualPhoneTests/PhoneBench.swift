// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// A phone with one raw app, and the steps that tests share.
struct PhoneBench {
    static let bundle = "test.app"
    let phone: VirtualPhone
    let probe: RawApp.Probe

    init(
        _ behavior: RawApp.Behavior = RawApp.Behavior(), system: SystemVersion = SystemVersion(26, 4),
        locked: Bool = true, settings: PhoneSettings = PhoneSettings(),
        modes: Set<App.BackgroundMode> = [.voip, .audio],
        aps: App.APNsEnvironment? = .development, clock: VirtualPhone.ClockMode = .virtual
    ) {
        let probe = RawApp.Probe(behavior)
        self.probe = probe
        phone = VirtualPhone(
            .init(system: system, clock: clock, settings: settings, locked: locked, seed: 1))
        phone.install(PhoneBench.app(probe, modes: modes, aps: aps))
    }

    static func app(
        _ probe: RawApp.Probe, bundle: String = bundle, modes: Set<App.BackgroundMode> = [.voip, .audio],
        aps: App.APNsEnvironment? = .development
    ) -> App {
        App(bundleIdentifier: bundle, displayName: "Test", backgroundModes: modes, apsEnvironment: aps) { _ in
            guard let app = RawApp(probe: probe) else { return NSObject() }
            return app
        }
    }

    /// The app registers on its first launch, and is closed.
    func register() async throws -> Data {
        phone.open(PhoneBench.bundle)
        await phone.settle()
        try phone.user.close(PhoneBench.bundle)
        phone.user.lock()
        await phone.settle()
        probe.forgetEvents()
        return try #require(phone.pushToken(for: PhoneBench.bundle))
    }

    /// Registers, then a push rings the phone.
    func ring() async throws {
        let token = try await register()
        phone.receivePush(token: token, payload: Data("{}".utf8))
        await phone.settle()
        #expect(phone.screen.incoming.count == 1)
    }

    /// The phone rings, the user answers, audio runs.
    func talk() async throws {
        try await ring()
        try phone.user.answer()
        await phone.settle()
        await phone.advance(by: .milliseconds(100))
        #expect(phone.snapshot.isCallAudioActive)
    }

    /// Opens the app without a push.
    func open() async throws -> RawApp {
        phone.open(PhoneBench.bundle)
        await phone.settle()
        probe.forgetEvents()
        return try #require(probe.app)
    }

    /// The lines of the timeline from the n-th on.
    func lines(from start: Int = 0) -> [String] {
        phone.timeline.entries.dropFirst(start).map(\.description)
    }

    /// The same with the phone's time before each: seconds from the first of them on.
    func timedLines(from start: Int = 0) -> [String] {
        let entries = phone.timeline.entries.dropFirst(start)
        guard let first = entries.first?.time else { return [] }
        return entries.map { String(format: "%.3f ", $0.time.timeIntervalSince(first)) + $0.description }
    }

    var lineCount: Int { phone.timeline.entries.count }

    func close() { phone.shutDown() }
}
