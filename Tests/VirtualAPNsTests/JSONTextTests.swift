// SPDX-License-Identifier: MIT

import Testing

@testable import VirtualAPNs

@Suite struct JSONTextTests {
    @Test(arguments: [
        "{}", " { } ", "{\"a\":1}", "{\"a\":-0.5e+10,\"b\":[],\"c\":[1,{\"d\":null}],\"e\":true,\"f\":false}",
        "{\"\\u00e9\\n\\\\\":\"\\ud83d\\ude00 ü\"}",
    ])
    func takesObjects(text: String) {
        #expect(JSONText.isObject(Array(text.utf8)))
        #expect(JSONText.members(Array(text.utf8)) != nil)
    }

    @Test(arguments: [
        "", " ", "{", "}", "[]", "1", "\"a\"", "null", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{a:1}", "{'a':1}",
        "{\"a\":01}", "{\"a\":1.}", "{\"a\":.5}", "{\"a\":+1}", "{\"a\":1e}", "{\"a\":NaN}", "{\"a\":tru}",
        "{\"a\":[1,]}",
        "{\"a\":\"\u{1}\"}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":\"\\ud83d\"}", "{\"a\":\"\\ude00\"}",
        "{} {}",
        "{\"a\":\"", "{\"a\":\"\\", "{\"a\":\"\\u", "{\"a\":1 \"b\":2}", "{\"a\" 1}",
    ])
    func refusesEverythingElse(text: String) {
        #expect(!JSONText.isObject(Array(text.utf8)))
    }

    @Test func readsTheTopLevel() {
        let text = "{\"alg\":\"ES256\",\"iat\":1.5e3,\"x\":{\"alg\":\"none\"},\"k\\u0069d\":\"\\u0041\\/\"}"
        #expect(
            JSONText.members(Array(text.utf8)) == [
                "alg": .string("ES256"), "iat": .number("1.5e3"), "x": .other, "kid": .string("A/"),
            ])
    }

    @Test func deepNestingIsRefusedNotFollowed() {
        let deep = "{\"a\":" + String(repeating: "[", count: 100_000)
        #expect(!JSONText.isObject(Array(deep.utf8)))
        let deepObjects = String(repeating: "{\"a\":", count: 100_000)
        #expect(!JSONText.isObject(Array(deepObjects.utf8)))
    }

    @Test func everyCutAndEveryChangedByteIsJudgedWithoutTrapping() {
        let text = Array("{\"a\\n\":[1,-2.5e3,{\"b\":\"\\u00e9\"}],\"c\":true,\"d\":null}".utf8)
        #expect(JSONText.isObject(text))
        for length in 0..<text.count { #expect(!JSONText.isObject(Array(text[0..<length]))) }
        for index in text.indices {
            for byte: UInt8 in [0, 0x22, 0x5c, 0x7b, 0x7d, 0x80, 0xff] {
                var changed = text
                changed[index] = byte
                _ = JSONText.members(changed)
            }
        }
    }
}
