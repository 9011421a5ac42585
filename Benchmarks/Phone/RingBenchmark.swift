// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookNet
import OffhookTesting
import OffhookWire
import VirtualPhone

/// ring.inprocess: from a push's arrival at the phone to the ringing screen, with the app running in the background.
///
/// Everything in between is real: the phone's rules, PushKit's callback on the engine's queue, the call rules, the
/// report to CallKit. The server is scripted, the media engine carries nothing. Each call is declined afterwards.
enum RingBenchmark {
    static let benchmark = Benchmark(
        ids: ["ring.inprocess"], summary: "push to ring on the virtual phone, in process",
        run: {
            let small = try await measure(rings: 200)
            let large = try await measure(rings: 2_000)
            let growth = Growth.note((small.rings, small.processor), (large.rings, large.processor))
            return rows(small, note: nil) + rows(large, note: growth)
        })

    private static let bundle = "com.example.calls"

    private struct Measured {
        var rings: Int
        /// From push to ring, in milliseconds, sorted.
        var times: [Double]
        /// Processor seconds of all of it, the declining included.
        var processor: Double

        func percentile(_ part: Double) -> Double {
            times[min(Int(Double(times.count) * part), times.count - 1)]
        }
    }

    private static func rows(_ measured: Measured, note: String?) -> [BenchmarkRow] {
        [("p50", 0.5), ("p99", 0.99)].map { name, part in
            BenchmarkRow(
                "ring.inprocess", n: measured.rings, value: measured.percentile(part), unit: "ms",
                note: [name, note].compactMap { $0 }.joined(separator: "; "))
        }
    }

    private static func measure(rings: Int) async throws -> Measured {
        let phone = VirtualPhone(VirtualPhone.Configuration(clock: .real))
        defer { phone.shutDown() }
        phone.install(
            App(bundleIdentifier: bundle, displayName: "Calls") { _ in
                let calls = CallCenter(
                    configuration: CallCenter.Configuration(
                        serverURL: "ws://server/signal", sessionToken: { "token" }, deviceID: "device",
                        bundleIdentifier: bundle, pushEnvironment: .development),
                    media: RecordingMedia(), transport: ScriptedServer())
                calls.start()
                return calls
            })
        phone.open(bundle)
        try await phone.wait(for: { $0.pushTokens[bundle] != nil })
        phone.user.goHome()
        await phone.settle()
        guard let token = phone.pushToken(for: bundle) else { throw BenchmarkError("the app got no push token") }
        var times: [Double] = []
        let before = Stopwatch.processorSeconds()
        for number in 0..<rings {
            let payload = try payload(number)
            let start = ContinuousClock.now
            let rang = Guarded<ContinuousClock.Instant?>(nil)
            phone.receivePush(token: token, payload: payload)
            try await phone.wait(for: { snapshot in
                guard !snapshot.screen.incoming.isEmpty else { return false }
                rang.withLock { $0 = $0 ?? ContinuousClock.now }
                return true
            })
            guard let end = rang.withLock({ $0 }) else { throw BenchmarkError("the phone did not ring") }
            times.append((end - start) / .milliseconds(1))
            try phone.user.decline()
            try await phone.wait(for: { $0.calls.isEmpty })
            await phone.settle()
        }
        guard phone.violations.isEmpty else { throw BenchmarkError("rules were broken: \(phone.violations)") }
        return Measured(rings: rings, times: times.sorted(), processor: Stopwatch.processorSeconds() - before)
    }

    private static func payload(_ number: Int) throws -> Data {
        let now = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        let invitation = Invitation(
            call: CallID(high: 0xBE4C, low: UInt64(number)), callerName: "Alice", callerHandle: Handle(value: "alice"),
            issuedAt: now, expiresAt: now + .seconds(45))
        return Data(try PushPayload(invitation: invitation).encoded())
    }
}
