// SPDX-License-Identifier: MIT

import Foundation
import OffhookTesting

/// phone.calls: whole calls through the frameworks on the virtual phone: push, report, answer, talk, end.
///
/// The app is a plain one on CallKit and PushKit, in the background; time is virtual. Each call is pushed, reported inside
/// the callback, answered and fulfilled, has its audio session activated, is hung up after a minute and deactivated.
enum PhoneCallsBenchmark {
    static let benchmark = Benchmark(
        ids: ["phone.calls"], summary: "whole calls through CallKit and PushKit on the virtual phone",
        run: {
            let small = try await measure(calls: 5_000)
            let large = try await measure(calls: 100_000)
            let growth = Growth.note((small.calls, small.processor), (large.calls, large.processor))
            return [row(small, note: nil), row(large, note: "\(growth); \(large.memory)")]
        })

    private struct Measured {
        var calls: Int
        /// Seconds on the wall.
        var seconds: Double
        /// Processor seconds.
        var processor: Double
        /// How the memory grew.
        var memory: String
    }

    /// From then on the phone's timeline and Recents are full, and forget the oldest.
    private static let full = 10_000

    private static func row(_ measured: Measured, note: String?) -> BenchmarkRow {
        BenchmarkRow(
            "phone.calls", n: measured.calls, value: Double(measured.calls) / measured.seconds, unit: "calls/s",
            note: note)
    }

    private static func measure(calls: Int) async throws -> Measured {
        let (phone, app) = (VirtualPhone(VirtualPhone.Configuration(seed: 1)), PlainCallApp())
        defer { phone.shutDown() }
        phone.install(app.app)
        phone.open(app.bundle)
        await phone.settle()
        phone.user.goHome()
        let body = PushBody(["caller": "Alice"])
        let start = ContinuousClock.now
        let before = Stopwatch.processorSeconds()
        var (activations, resident) = (0, 0)
        for number in 0..<calls {
            if number == full { resident = Memory.resident }
            if number.isMultiple(of: 1_000) {
                activations += app.events.count { $0 == "didActivate" }
                app.forgetEvents()
            }
            phone.push(to: app.bundle, body)
            await phone.settle()
            try phone.user.answer()
            await phone.advance(by: .seconds(1))
            guard phone.screen.inCall.first?.status == .timer else { throw BenchmarkError("a call did not connect") }
            await phone.advance(by: .seconds(59))
            try phone.user.hangUp()
            await phone.settle()
        }
        let processor = Stopwatch.processorSeconds() - before
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        guard phone.violations.isEmpty, phone.screen.inCall.isEmpty else {
            throw BenchmarkError("the calls broke rules: \(phone.violations.count)")
        }
        activations += app.events.count { $0 == "didActivate" }
        guard activations == calls else { throw BenchmarkError("\(activations) of \(calls) calls had audio") }
        let growth = (Memory.resident - resident) >> 20
        return Measured(
            calls: calls, seconds: seconds, processor: processor,
            memory: "memory grew by \(growth) MiB after call \(full)")
    }
}
