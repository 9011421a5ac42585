// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import OffhookNet

@testable import Offhook

/// What the adapters' doubles send through: it counts frames, carries none, and knows who is up.
final class SimulatedAir: Sendable {
    /// One end of a call, on either kind of engine; belongs to the air's queue.
    final class Leg {
        let configuration: MediaSessionConfiguration
        let device: SimulatedDevice
        var isUp = false
        var isClosed = false
        var sends = false
        var hasMicrophone = true
        var plays = false
        var sent = 0
        var sentSound = 0
        var received = 0
        var played = 0
        var tones = ""
        var local: String?
        var remote: String?
        var isInRoom = false
        var peerReport: @Sendable (PeerReport) -> Void = { _ in }
        var roomReport: @Sendable (RoomReport) -> Void = { _ in }

        init(_ configuration: MediaSessionConfiguration, device: SimulatedDevice) {
            self.configuration = configuration
            self.device = device
        }
    }

    final class Core {
        fileprivate(set) var legs: [Leg] = []

        func peer(of leg: Leg) -> Leg? {
            legs.last {
                $0.configuration.call == leg.configuration.call && $0.configuration.role != leg.configuration.role
                    && $0.configuration.generation == leg.configuration.generation && !$0.isClosed
            }
        }

        /// Both descriptions are at both ends, or both are in the room.
        func settle(_ leg: Leg) {
            guard let peer = peer(of: leg), !leg.isUp else { return }
            let negotiated = [leg, peer].allSatisfy { $0.local != nil && $0.remote != nil }
            guard negotiated || leg.isInRoom && peer.isInRoom else { return }
            for each in [leg, peer] {
                each.isUp = true
                each.peerReport(.connected)
                each.roomReport(.bothPresent)
            }
        }

        fileprivate func step() {
            for leg in legs where leg.isUp && !leg.isClosed && leg.sends && leg.device.isEnabled {
                guard let peer = peer(of: leg), peer.isUp else { continue }
                leg.sent += 1
                if leg.hasMicrophone { leg.sentSound += 1 }
                peer.received += 1
                if peer.plays, peer.device.isEnabled { peer.played += 1 }
            }
        }
    }

    private let queue = DispatchQueue(label: "test.air")
    private let core = Core()

    func async(_ work: @escaping @Sendable (Core) -> Void) { queue.async { work(self.core) } }
    func sync<Result: Sendable>(_ work: (Core) -> Result) -> Result { queue.sync { work(core) } }

    func add(_ leg: Leg) {
        async { core in
            let isFirst = core.legs.allSatisfy(\.isClosed)
            core.legs.append(leg)
            if isFirst { self.run() }
        }
    }

    private func run() {
        queue.asyncAfter(deadline: .now() + .milliseconds(1)) {
            self.core.step()
            if !self.core.legs.allSatisfy(\.isClosed) { self.run() }
        }
    }

    func probe(_ device: SimulatedDevice) -> MediaCounts {
        MediaCounts(air: self, device: device)
    }
}

// Bound to the air's serial queue.
extension SimulatedAir.Core: @unchecked Sendable {}
// Bound to the air's serial queue.
extension SimulatedAir.Leg: @unchecked Sendable {}

/// Counts of one device's legs.
struct MediaCounts: Sendable {
    let air: SimulatedAir
    let device: SimulatedDevice

    func count(_ value: @escaping @Sendable (SimulatedAir.Leg) -> Int) -> @Sendable (MediaSessionConfiguration) -> Int {
        { configuration in find(configuration, value) ?? 0 }
    }

    func find<Value: Sendable>(
        _ configuration: MediaSessionConfiguration, _ value: (SimulatedAir.Leg) -> Value
    ) -> Value? {
        air.sync { core in
            core.legs.last { $0.configuration == configuration && $0.device === device }.map(value)
        }
    }
}

/// A device's audio switch that writes down how it was turned.
final class SimulatedDevice: AudioSwitch {
    private let turns = Guarded<[Bool]>([])

    var isEnabled: Bool { turns.withLock { $0.last ?? false } }
    var log: [Bool] { turns.withLock { $0 } }

    func setEnabled(_ enabled: Bool) { turns.withLock { $0.append(enabled) } }
}
