// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@Suite struct AudioWindowTests {
    @Test("R70: the window opens in didActivate and closes in didDeactivate") func opensAndCloses() {
        var window = AudioWindow()
        #expect(window.handle(.activated) == [.open])
        #expect(window.isOpen)
        #expect(window.handle(.activated) == [])
        #expect(window.handle(.deactivated) == [.close])
        #expect(window.handle(.deactivated) == [])
    }

    @Test("R70: a reset closes the window") func resetCloses() {
        var window = AudioWindow()
        #expect(window.handle(.reset) == [])
        _ = window.handle(.activated)
        #expect(window.handle(.reset) == [.close])
        #expect(!window.isOpen)
    }
}
