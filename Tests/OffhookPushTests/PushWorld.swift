// SPDX-License-Identifier: MIT

import OffhookNet
import OffhookPush
import VirtualAPNs

/// A sender and the virtual gateway it sends to, over loopback and TLS, with a clock that the test sets.
final class PushWorld: Sendable {
    static let team = "TEAM012345"
    static let keyID = "KEY0123456"
    static let bundle = "com.example.app"
    static let token = "00aa11bb22cc33dd44ee55ff00aa11bb22cc33dd44ee55ff00aa11bb22cc33dd"

    private struct State {
        var gatewayEvents: [GatewayEvent] = []
        var deliveries: [Delivery] = []
        var events: [PushEvent] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let apns: VirtualAPNs
    let sender: PushSender
    let configuration: PushSender.Configuration
    /// Milliseconds that the test adds to both clocks.
    let clock: Guarded<Int64>
    private let state: Guarded<State>

    init(_ change: (inout PushSender.Configuration) throws -> Void = { _ in }) throws {
        let box = Box()
        let start = PushTime.now()
        let key = try ES256PrivateKey.generate()
        var gateway = VirtualAPNs.Configuration(
            teamID: Self.team, keys: [Self.keyID: key.publicKey], bundleIDs: [Self.bundle])
        gateway.clock = { start.wall + box.advance }
        gateway.onEvent = { event in box.world?.happened { $0.gatewayEvents.append(event) } }
        apns = try VirtualAPNs(configuration: gateway)
        var configuration = PushSender.Configuration(
            endpoint: .custom(host: "127.0.0.1", port: apns.port, roots: apns.rootCertificatePEM),
            credentials: try PushCredentials(keyID: Self.keyID, teamID: Self.team, key: key))
        // A busy machine is no lost connection.
        configuration.limits.requestTimeout = .seconds(60)
        configuration.limits.connectTimeout = .seconds(60)
        // The wall clock stands where the test put it; the steady one runs, or a rest between connections never ends.
        configuration.clock = { PushTime(wall: start.wall + box.advance, steady: PushTime.now().steady + box.advance) }
        configuration.onEvent = { event in box.world?.happened { $0.events.append(event) } }
        try change(&configuration)
        self.configuration = configuration
        sender = try PushSender(configuration: configuration)
        clock = Guarded(0)
        state = Guarded(State())
        box.attach(self)
        apns.register(token: Self.token, bundle: Self.bundle, environment: .development) { delivery in
            box.world?.happened { $0.deliveries.append(delivery) }
        }
    }

    /// Leads from the closures, which exist before the world does, to the world.
    private final class Box: Sendable {
        private struct Reference {
            weak var world: PushWorld?
        }

        private let reference = Guarded(Reference())

        func attach(_ world: PushWorld) {
            reference.withLock { $0.world = world }
        }

        var world: PushWorld? { reference.withLock { $0.world } }
        var advance: Int64 { world?.clock.withLock { $0 } ?? 0 }
    }

    private func happened(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until a condition holds; looks at it after each event.
    func until(_ condition: () -> Bool) async {
        while !condition() {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiting.append(continuation) }
                if condition() { happened { _ in } }
            }
        }
    }

    func push(collapseID: String? = nil) -> VoIPPush {
        VoIPPush(
            token: Self.token, bundleID: Self.bundle, payload: Array("{\"call\":1}".utf8),
            apnsID: "11111111-2222-3333-4444-555555555555", collapseID: collapseID)
    }

    var deliveries: [Delivery] { state.withLock { $0.deliveries } }
    var events: [PushEvent] { state.withLock { $0.events } }
    var requests: Int { count { if case .requested = $0 { true } else { false } } }
    var connections: Int { count { if case .connected = $0 { true } else { false } } }

    var refusals: [Refusal] {
        state.withLock { $0.gatewayEvents }.compactMap { event in
            if case .refused(let refusal) = event.kind { refusal } else { nil }
        }
    }

    private func count(_ matches: (GatewayEvent.Kind) -> Bool) -> Int {
        state.withLock { $0.gatewayEvents }.count { matches($0.kind) }
    }
}
