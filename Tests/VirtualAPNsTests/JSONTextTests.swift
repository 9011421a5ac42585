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
        "{\"a\":{\"b\":1 , }}", "{\"a\":[1,\n]}", "{\"a\":[\"x\\\\\",]}", "{\"a\":1e400}", "{\"a\":1}\u{0}",
        "\u{FEFF}{}",
    ])
    func refusesEverythingElse(text: String) {
        #expect(!JSONText.isObject(Array(text.utf8)))
    }

    @Test func readsTheTopLevel() {
        let text = "{\"alg\":\"ES256\",\"iat\":1.5e3,\"x\":{\"alg\":\"none\"},\"k\\u0069d\":\"\\u0041\\/\"}"
        #expect(
            JSONText.members(Array(text.utf8)) == [
                "alg": .string("ES256"), "iat": .number(1500), "x": .other, "kid": .string("A/"),
            ])
    }

    @Test(arguments: ["{\"a\":\",]\"}", "{\"a\":\"\\\",}\"}", "{\"a\":\"\\\\\",\"b\":\"}\"}"])
    func aCommaInAStringIsNoTrailingComma(text: String) {
        #expect(JSONText.isObject(Array(text.utf8)))
    }

    @Test func ofRepeatedNamesTheLastCounts() {
        let text = "{\"alg\":\"ES256\",\"alg\":\"none\",\"\\u0061lg\":\"HS256\"}"
        #expect(JSONText.members(Array(text.utf8)) == ["alg": .string("HS256")])
    }

    @Test func numbersAreDoublesAndTrueIsNoNumber() {
        let text =
            "{\"a\":true,\"b\":18446744073709551615,\"c\":-0,\"d\":123456789012345678901234567890,\"e\":0,\"f\":false}"
        #expect(
            JSONText.members(Array(text.utf8)) == [
                "a": .other, "b": .number(18_446_744_073_709_551_616), "c": .number(0),
                "d": .number(123_456_789_012_345_677_877_719_597_056), "e": .number(0), "f": .other,
            ])
    }

    @Test func otherEncodingsThanUTF8AreRefused() {
        let units = Array("{\"a\":1}".utf16)
        let littleEndian: [UInt8] = units.flatMap { unit -> [UInt8] in [UInt8(truncatingIfNeeded: unit), 0] }
        let bigEndian: [UInt8] = units.flatMap { unit -> [UInt8] in [0, UInt8(truncatingIfNeeded: unit)] }
        for bytes in [littleEndian, bigEndian, [0xff, 0xfe] + littleEndian, [0xfe, 0xff] + bigEndian] {
            #expect(!JSONText.isObject(bytes))
        }
        let head = Array("{\"a\":\"".utf8)
        for bytes: [UInt8] in [[0x80], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]] {
            #expect(!JSONText.isObject(head + bytes + Array("\"}".utf8)))
            #expect(!JSONText.isObject(Array("{\"".utf8) + bytes + Array("\":1}".utf8)))
        }
    }

    @Test func theDepthIsBounded() {
        func nested(_ depth: Int) -> [UInt8] {
            Array(String(repeating: "{\"a\":", count: depth).utf8) + Array("1".utf8)
                + Array(repeating: 0x7d, count: depth)
        }
        #expect(JSONText.isObject(nested(512)))
        #expect(!JSONText.isObject(nested(513)))
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
