// SPDX-License-Identifier: MIT

import Testing
import VirtualPhone

@Suite(.timeLimit(.minutes(2)))
struct TourTests {
    @Test("A1: the tour of the abused app reaches every callback")
    func tourIsWhole() async {
        let script = AbusedApp.Script { _, _ in }
        let phone = AbusedApp.phone(script: script)
        await AbusedApp.tour(phone, script)
        #expect(Callback.allCases.filter { script.count($0) == 0 } == [])
        phone.shutDown()
        script.newest.withLock { $0 = nil }
    }
}
