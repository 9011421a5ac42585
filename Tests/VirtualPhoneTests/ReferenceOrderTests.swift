// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// The reference orders of docs/rules.md, as whole timelines.
@Suite(.timeLimit(.minutes(1)))
struct ReferenceOrderTests {
    @Test("Order 1: push, app killed (K1, K3, K4, I1, C2)")
    func pushLaunchesAndRings() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        let token = try await bench.register()
        let start = bench.lineCount
        bench.phone.receivePush(token: token, payload: Data("{}".utf8))
        await bench.phone.settle()
        await bench.phone.advance(by: .seconds(7))
        #expect(
            bench.lines(from: start) == [
                "apns: VoIP push arrived [K1]",
                "phone: launched the app in the background for a push [K1]",
                "app: created a provider [P1]",
                "app: registered for VoIP pushes [K1]",
                "phone: handed out the push token [K1]",
                "app: launched",
                "phone: delivered the push [K3]",
                "app: reported an incoming call [I1]",
                "phone: rings [I1]",
                "app: called the push's completion handler [K5]",
                "app: push callback returned [K3]",
                "phone: check 1 passed [K3]",
                "phone: check 2 passed [K4]",
            ])
        #expect(bench.probe.events == ["begin", "token", "push mustReport", "report nil", "observer ringing"])
        #expect(bench.phone.violations.isEmpty)
        #expect(bench.phone.deaths.count == 1)  // the user closed it before
    }
}
