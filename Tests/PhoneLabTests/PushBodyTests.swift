// SPDX-License-Identifier: MIT

import Foundation
import OffhookTesting
import Testing

/// Bodies of pushes.
@Suite struct PushBodyTests {
    @Test("Any JSON, with its keys in order")
    func json() throws {
        let body: PushBody = ["b": [1, 2.5, true, nil], "a": "Al\"ice\n", "c": ["x": [:]]]
        #expect(String(decoding: body.data, as: UTF8.self) == #"{"a":"Al\"ice\n","b":[1,2.5,true,null],"c":{"x":{}}}"#)
    }

    @Test("Offhook's body is an invitation that is good for a minute")
    func offhook() throws {
        let call = UUID()
        let body = PushBody.offhook(
            call: call, caller: "Alice", handle: "alice", at: Date(timeIntervalSince1970: 1_000_000))
        let text = String(decoding: body.data, as: UTF8.self)
        #expect(text.contains(call.uuidString.lowercased()) || text.contains(call.uuidString))
        #expect(text.contains("1000060000") && text.contains("Alice"))
    }

    @Test("An app without a token gets nothing")
    func noToken() {
        let phone = VirtualPhone()
        defer { phone.shutDown() }
        #expect(phone.push(to: "nobody", [:]) == .unknownToken)
    }
}
