// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookCore
import Testing

@testable import OffhookMedia

extension RealMediaTests {
    @Suite struct SignalTests {
        @Test func signalsNameNoAddressBeyondLoopback() async throws {
            let call = try TestCall()
            try await call.connected()
            await call.close()
            for signal in call.caller.signals + call.callee.signals {
                #expect(signal.generation == 3)
                #expect(!signal.body.contains("a=candidate"))
                for address in Self.addresses(in: signal.body) {
                    #expect(address.hasPrefix("127.") || address == "0.0.0.0")
                }
            }
            #expect(call.caller.signals.contains { $0.kind == .candidate })
        }

        @Test func candidatesMayComeBeforeTheDescription() async throws {
            // The offer is kept back until every candidate that follows it has been delivered.
            let kept = Locked<MediaSignal?>(nil)
            let candidates = Locked(0)
            let call = try TestCall { from, signal in
                guard from == .offerer else { return signal }
                if signal.kind == .offer {
                    kept.withLock { $0 = signal }
                    return nil
                }
                candidates.withLock { $0 += 1 }
                return signal
            }
            try await eventually("a candidate came first") { candidates.withLock { $0 } > 0 }
            let offer = try #require(kept.withLock { $0 })
            call.callee.session?.receive(offer)
            try await call.connected()
            await call.close()
        }

        @Test func signalsOfAnotherGenerationAreIgnored() async throws {
            let call = try TestCall()
            for kind in MediaSignal.Kind.allCases {
                for generation in [0, 2, 4, -1, Int.max] {
                    let signal = MediaSignal(kind: kind, generation: generation, body: "nonsense")
                    call.caller.session?.receive(signal)
                    call.callee.session?.receive(signal)
                }
            }
            try await call.connected()
            await call.close()
        }

        @Test func signalsThatComeTwiceDoNoHarm() async throws {
            let call = try TestCall(callerSays: ToneSource(), calleeSays: ToneSource())
            try await call.connected()
            for signal in call.caller.signals { call.callee.session?.receive(signal) }
            for signal in call.callee.signals { call.caller.session?.receive(signal) }
            call.openAudio()
            try await call.caller.hears(.milliseconds(100))
            try await call.callee.hears(.milliseconds(100))
            #expect(call.caller.failure == nil && call.callee.failure == nil)
            await call.close()
        }

        @Test(arguments: MediaSignal.Kind.allCases)
        func nonsenseEndsASessionAsABadSignal(kind: MediaSignal.Kind) async throws {
            for role in [MediaSessionConfiguration.Role.offerer, .answerer] {
                let side = Side(role, says: SilenceSource())
                try side.start(MediaOptions()) { _ in }
                side.session?.receive(MediaSignal(kind: kind, generation: 3, body: "nonsense"))
                let failure = try await side.waitForFailure()
                #expect(failure.code == .badSignal)
                await side.end()
                #expect(side.events.filter { if case .failed = $0 { true } else { false } }.count == 1)
            }
        }

        @Test("an offer with any line missing, doubled or spoilt ends well: an answer or a bad signal")
        func spoiltOffers() async throws {
            let good = try await Self.offer()
            let lines = good.split(whereSeparator: \.isNewline).map(String.init)
            for index in lines.indices {
                var missing = lines
                missing.remove(at: index)
                var doubled = lines
                doubled.insert(lines[index], at: index)
                var spoilt = lines
                spoilt[index] = String(lines[index].prefix(lines[index].count * 2 / 3)) + "%n\u{1}"
                var long = lines
                long[index] += String(repeating: "9", count: 300)
                for variant in [missing, doubled, spoilt, long] {
                    let side = Side(.answerer, says: SilenceSource())
                    try side.start(MediaOptions()) { _ in }
                    let body = variant.joined(separator: "\r\n") + "\r\n"
                    side.session?.receive(MediaSignal(kind: .offer, generation: 3, body: body))
                    try await eventually("an answer or a failure to \(body)") {
                        side.failure != nil || side.signals.contains { $0.kind == .answer }
                    }
                    if let failure = side.failure { #expect(failure.code == .badSignal, "\(failure)") }
                    await side.end()
                }
            }
        }

        static func offer() async throws -> String {
            let side = Side(.offerer, says: SilenceSource())
            try side.start(MediaOptions()) { _ in }
            try await eventually("an offer") { side.signals.contains { $0.kind == .offer } }
            let offer = side.signals.first { $0.kind == .offer }?.body ?? ""
            await side.end()
            return offer
        }

        static func addresses(in text: String) -> [Substring] {
            text.split { !($0.isHexDigit || $0 == "." || $0 == ":") }.filter { word in
                let parts = word.split(separator: ".", omittingEmptySubsequences: false)
                return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
            }
        }
    }
}

extension Side {
    /// Ends the session and waits until everything is freed.
    func end() async {
        guard let session else { return }
        session.close()
        await withCheckedContinuation { continuation in session.whenReleased { continuation.resume() } }
    }
}
