// SPDX-License-Identifier: MIT

import Offhook
import OffhookNet
import OffhookTesting
import OffhookWire
import Testing

@testable import Offhook

/// Launches of one app's engine, without a phone: what lies between them is on one disk.
final class EngineBench: Sendable {
    private struct Launch {
        var system: RecordingSystem
        var engine: Engine
    }

    let files = MemoryFiles()
    let clock = ManualClock(now: Instant(milliseconds: 1_000_000_000_000))
    let server: ScriptedServer
    private let launch: Guarded<Launch>
    private let told = Guarded<[CallEvent]>([])
    private let pushCount = Guarded(0)

    static let call = CallID(high: 1, low: 2)

    init(start: Bool = true) {
        server = ScriptedServer(clock: clock)
        launch = Guarded(EngineBench.make(files, server, clock))
        if start { self.start() }
    }

    /// The phone's frameworks of the launch.
    var system: RecordingSystem { launch.withLock { $0.system } }

    /// The engine of the launch.
    var engine: Engine { launch.withLock { $0.engine } }

    deinit {
        engine.stop()
    }

    private static func make(
        _ files: MemoryFiles, _ server: ScriptedServer, _ clock: ManualClock
    ) -> Launch {
        let system = RecordingSystem()
        let configuration = CallCenter.Configuration(
            serverURL: "ws://server", sessionToken: { "first-token" }, deviceID: "device", bundleIdentifier: "bundle")
        let engine = Engine(
            configuration: configuration, media: RecordingMedia(), transport: server, clock: clock, files: files,
            system: { _, _ in system })
        return Launch(system: system, engine: engine)
    }

    /// Starts the engine.
    func start() {
        let events = engine.makeEvents()
        engine.start()
        Task { [told] in
            for await event in events { told.withLock { $0.append(event) } }
        }
    }

    /// Kills the process, and launches another one.
    func relaunch(start: Bool = true) {
        engine.stop()
        told.withLock { $0 = [] }
        let next = EngineBench.make(files, server, clock)
        launch.withLock { $0 = next }
        if start { self.start() }
    }

    /// An invitation that came by push, and CallKit's answer to the report.
    @discardableResult
    func push(_ call: CallID = EngineBench.call, issuedAgo age: TimeSpan = .zero) throws -> PushID {
        let push = pushCount.withLock { count in
            count += 1
            return PushID(count)
        }
        let invitation = Invitation(
            call: call, callerName: "Alice", callerHandle: Handle(value: "alice"), issuedAt: clock.now - age,
            expiresAt: clock.now - age + .seconds(60))
        let payload = try PushPayload(invitation: invitation).encoded()
        let reported = system.orders.count
        engine.onQueue { engine.receivePush(push, payload: payload, mustReport: true) }
        for case .reported(let id) in system.orders.dropFirst(reported) { give(.reportCompleted(id, nil)) }
        return push
    }

    /// Gives the engine an event.
    func give(_ event: PhoneMachine.Event) {
        engine.onQueue { engine.receive(event) }
    }

    /// What the app was told.
    var events: [CallEvent] { told.withLock { $0 } }

    /// The codes of the warnings.
    var warnings: [OffhookError.Code] {
        events.compactMap { if case .warning(let error) = $0 { error.code } else { nil } }
    }

    /// The checkpoint on the disk.
    var stored: Checkpoint? {
        files.files["1/checkpoint"].flatMap { try? CheckpointCodec.decode($0) }
    }

    /// Waits for a condition; time stands still meanwhile.
    func until(_ what: String, _ condition: () -> Bool) async {
        let limit = ContinuousClock.now + .seconds(10)
        while !condition() {
            guard ContinuousClock.now < limit else {
                Issue.record("never came: \(what)\norders: \(system.orders)\nheard: \(server.heard)")
                return
            }
            try? await Task.sleep(for: .milliseconds(1))
        }
    }
}
