// SPDX-License-Identifier: MIT

import Foundation
import OffhookCore
import OffhookNet
import OffhookServer
import OffhookWire

/// call.cpu: what a whole call costs the server: invite, ringing, answer, hang-up, every change stored in SQLite.
///
/// Pairs of connected users call each other without a pause; only the server thread's processor time counts.
enum CallCost {
    static let benchmark = Benchmark(
        ids: ["call.cpu"], summary: "a whole call through the server, records in SQLite, 20 pairs at a time",
        run: {
            let sizes = [500, 5000]
            let small = try await measure(calls: sizes[0])
            let large = try await measure(calls: sizes[1])
            let rate = String(format: "%.0f calls/s with the clients in the same process", large.perSecond)
            let growth = Growth.note((sizes[0], small.cpu), (sizes[1], large.cpu))
            return [
                BenchmarkRow("call.cpu", n: sizes[0], value: small.cpu / Double(sizes[0]) * 1e6, unit: "µs/call"),
                BenchmarkRow(
                    "call.cpu", n: sizes[1], value: large.cpu / Double(sizes[1]) * 1e6, unit: "µs/call",
                    note: "\(rate); \(growth)"),
            ]
        })

    private static func measure(calls: Int) async throws -> (cpu: Double, perSecond: Double) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offhook-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pairs = 20
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.database = folder.appendingPathComponent("offhook.sqlite").path
        configuration.users = (0..<pairs).flatMap { pair in
            [ServerConfiguration.User(id: "caller\(pair)"), ServerConfiguration.User(id: "callee\(pair)")]
        }
        configuration.limits.messageBurst = 1_000_000
        configuration.limits.callsPerMinute = 1_000_000
        // The hook runs on the server's thread, so that it can read that thread's clock.
        let cpu = Guarded<(first: Double?, last: Double)>((nil, 0))
        let server = OffhookServer(configuration) { _ in
            let now = Stopwatch.threadSeconds()
            cpu.withLock { $0 = ($0.first ?? now, now) }
        }
        try await server.start()
        let load = try CallLoad(calls: calls, pairs: pairs)
        for pair in 0..<pairs {
            try await load.connect(
                port: server.port, caller: ("caller\(pair)", server.mintToken(user: "caller\(pair)")),
                callee: ("callee\(pair)", server.mintToken(user: "callee\(pair)")))
        }
        cpu.withLock { $0.first = nil }
        let start = ContinuousClock.now
        try await load.run()
        let elapsed = (ContinuousClock.now - start).components
        let spent = cpu.withLock { $0.last - ($0.first ?? 0) }
        load.close()
        await server.stop()
        return (spent, Double(calls) / (Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18))
    }
}
