// SPDX-License-Identifier: MIT

import Foundation
import OffhookNet
import OffhookPush

/// push.cpu and push.rate: what a push costs the sender, and how many it sends a second on one connection.
///
/// The gateway is a process of its own, so that the processor time is the sender's alone: TLS, HTTP/2, the checks,
/// the provider token and the waiting tasks. aioapns does the same work against the same gateway.
enum PushBenchmark {
    static let benchmark = Benchmark(
        ids: ["push.cpu", "push.rate"], summary: "VoIP pushes on one connection, the gateway in a process of its own",
        run: {
            let gateway = try GatewayProcess()
            defer { gateway.stop() }
            let small = try await measure(count: 10_000, gateway)
            let large = try await measure(count: 100_000, gateway)
            let note = "\(inFlight) in flight, \(payload.count)-byte body"
            let growth = Growth.note(
                (small.count, small.cpuMicrosecondsPerPush * Double(small.count)),
                (large.count, large.cpuMicrosecondsPerPush * Double(large.count)))
            var cpu = BenchmarkRow(
                "push.cpu", n: large.count, value: large.cpuMicrosecondsPerPush, unit: "µs CPU/push",
                note: "\(note); \(growth)")
            var rate = BenchmarkRow(
                "push.rate", n: large.count, value: large.perSecond, unit: "pushes/s", note: note)
            if PythonPeer.isAvailable {
                let peer = try gateway.measureAioapns(count: 5_000)
                cpu = cpu.beside("aioapns", peer["cpu_us"] ?? 0, better: .lower)
                rate = rate.beside("aioapns", peer["per_second"] ?? 0, better: .higher)
            }
            return [
                BenchmarkRow(
                    "push.cpu", n: small.count, value: small.cpuMicrosecondsPerPush, unit: "µs CPU/push", note: note),
                cpu,
                BenchmarkRow("push.rate", n: small.count, value: small.perSecond, unit: "pushes/s", note: note),
                rate,
            ]
        })

    struct Measured {
        var count: Int
        var perSecond: Double
        var cpuMicrosecondsPerPush: Double
    }

    private static let inFlight = 500
    private static let payload: [UInt8] = {
        let text = "{\"v\":1,\"call\":\"11111111-2222-3333-4444-555555555555\",\"name\":\"Alice\",\"pad\":\""
        return Array(text.utf8) + [UInt8](repeating: 0x78, count: 298 - text.utf8.count) + Array("\"}".utf8)
    }()

    /// Sends that many pushes, always so many at a time, after some to warm up.
    static func measure(count: Int, _ gateway: GatewayProcess) async throws -> Measured {
        let sender = try PushSender(configuration: gateway.senderConfiguration())
        defer { sender.stop() }
        try await send(min(count, 5_000), with: sender)
        let processor = Stopwatch.processorSeconds()
        let start = ContinuousClock.now
        try await send(count, with: sender)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return Measured(
            count: count, perSecond: Double(count) / seconds,
            cpuMicrosecondsPerPush: (Stopwatch.processorSeconds() - processor) * 1e6 / Double(count))
    }

    private static func send(_ count: Int, with sender: PushSender) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<inFlight {
                let share = count / inFlight + (worker < count % inFlight ? 1 : 0)
                group.addTask {
                    for number in 0..<share {
                        let push = VoIPPush(
                            token: GatewayProcess.token, bundleID: GatewayProcess.bundle, payload: payload,
                            apnsID: identifier(worker * 1_000_000 + number))
                        let outcome = await sender.send(push, deadline: .seconds(60))
                        guard case .accepted = outcome else { throw BenchmarkError("a push failed: \(outcome)") }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func identifier(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "11111111-2222-3333-4444-" + String(repeating: "0", count: 12 - digits.utf8.count) + digits
    }
}
