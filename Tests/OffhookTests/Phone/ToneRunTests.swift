// SPDX-License-Identifier: MIT

import CallKit
import OffhookCore
import Testing

@testable import Offhook

/// Digits and pauses as CallKit's actions.
@Suite struct ToneRunTests {
    @Test("R50, G7: one action for each run of digits, and together they are what was typed")
    func runs() {
        let runs = ToneRun.runs(of: "12,34;5,,#")
        #expect(
            runs == [
                ToneRun(pause: .none, digits: "12"), ToneRun(pause: .soft, digits: "34"),
                ToneRun(pause: .hard, digits: "5"), ToneRun(pause: .soft, digits: ""),
                ToneRun(pause: .soft, digits: "#"),
            ])
        #expect(runs.map(\.text).joined() == "12,34;5,,#")
        #expect(ToneRun.runs(of: "").isEmpty)
        #expect(ToneRun.runs(of: ",1").map(\.pause) == [.soft])
    }

    @Test("R50: actions and runs are the same thing in both directions", arguments: ["*", ",0", ";9#"])
    func actions(_ text: String) {
        let call = CallID(high: 1, low: 2)
        let actions = ToneRun.runs(of: text).map { $0.action(call) }
        #expect(actions.map { ToneRun($0).text } == [text])
        #expect(actions.allSatisfy { $0.callUUID == call.uuid })
    }
}
