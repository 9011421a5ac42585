// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookWire
import Testing

@Suite("The body of a push")
struct PushPayloadTests {
    private static let invitation = Invitation(
        call: CallID(high: 1, low: 2), callerName: "Alice", callerHandle: Handle(value: "alice"), video: true,
        issuedAt: Instant(milliseconds: 10), expiresAt: Instant(milliseconds: 20))
    private static let fields =
        #""call":"00000000-0000-0001-0000-000000000002","name":"A","handle":{"value":"a"},"issuedAt":1,"expiresAt":2"#

    private func fault(_ text: String) -> WireError? {
        do {
            _ = try PushPayload.decode(Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test("Both forms carry the same", arguments: PushPayload.Form.allCases)
    func roundTrip(form: PushPayload.Form) throws {
        let payload = PushPayload(invitation: PushPayloadTests.invitation)
        #expect(try PushPayload.decode(payload.encoded(as: form)) == payload)
    }

    @Test("The largest name and handle, of the characters that need most room, fit into 5,120 bytes")
    func largest() throws {
        var invitation = PushPayloadTests.invitation
        for filler in ["\u{1}", "\"", "é", "🙂"] {
            let text = String(repeating: filler, count: 256 / filler.utf8.count)
            invitation.callerName = text
            invitation.callerHandle = Handle(kind: .emailAddress, value: text)
            for form in PushPayload.Form.allCases {
                #expect(try PushPayload(invitation: invitation).encoded(as: form).count <= 5120)
            }
        }
    }

    @Test("A name or handle of no or too many bytes is not sent", arguments: [0, 257])
    func lengths(count: Int) {
        let text = String(repeating: "x", count: count)
        var invitation = PushPayloadTests.invitation
        invitation.callerName = text
        #expect(throws: WireError.badField("name", reason: "has 1 to 256 bytes")) {
            try PushPayload(invitation: invitation).encoded()
        }
        invitation = PushPayloadTests.invitation
        invitation.callerHandle.value = text
        #expect(throws: WireError.badField("handle.value", reason: "has 1 to 256 bytes")) {
            try PushPayload(invitation: invitation).encoded()
        }
    }

    @Test("The object may come as a string, and with fields nobody knows")
    func variants() throws {
        #expect(fault(#"{"aps":{"x":1},"offhook":{"v":1,"new":[],\#(PushPayloadTests.fields)}}"#) == nil)
        let inner = #"{"v":1,\#(PushPayloadTests.fields)}"#
        let outer = JSONValue.object(["aps": .object([:]), "offhook": .string(inner)])
        #expect(fault(outer.text) == nil)
        #expect(fault(#"{"offhook":1,\#(PushPayloadTests.fields)}"#) == nil)
    }

    @Test(
        "What is no invitation is refused, and says why",
        arguments: [
            (#"{"aps":{}}"#, WireError.missingField("offhook")), (#"{"offhook":null}"#, .missingField("offhook")),
            ("[]", .notAnObject),
            (#"{"offhook":true}"#, .badField("offhook", reason: "is an object, or the version before flat fields")),
            (#"{"offhook":"[]"}"#, .badField("offhook", reason: "is an object, or a string that holds one")),
            (#"{"offhook":{}}"#, .unsupportedVersion(nil)), (#"{"offhook":{"v":"1"}}"#, .unsupportedVersion(nil)),
            (#"{"offhook":{"v":true}}"#, .unsupportedVersion(nil)), (#"{"offhook":{"v":2}}"#, .unsupportedVersion(2)),
            (#"{"offhook":2}"#, .unsupportedVersion(2)), (#"{"offhook":{"v":1}}"#, .missingField("offhook.issuedAt")),
            (#"{"offhook":1}"#, .missingField("issuedAt")),
        ])
    func refused(text: String, error: WireError) {
        #expect(fault(text) == error)
    }

    @Test("Every field is checked")
    func everyField() {
        let good = #"{"offhook":{"v":1,\#(PushPayloadTests.fields)}}"#
        #expect(fault(good) == nil)
        for (from, to) in [
            (#""name":"A""#, #""name":"""#), (#""name":"A""#, #""name":7"#), (#"{"value":"a"}"#, #"{"value":""}"#),
            (#"{"value":"a"}"#, #""a""#), (#""issuedAt":1"#, #""issuedAt":-1"#), (#""issuedAt":1"#, #""issuedAt":3"#),
            (#""expiresAt":2"#, #""expiresAt":9007199254740992"#), (#""expiresAt":2"#, #""expiresAt":"2""#),
            ("000000000002", "00000000000g"), (#""expiresAt":2"#, #""expiresAt":2,"video":"yes""#),
        ] {
            let parts = good.split(separator: from, omittingEmptySubsequences: false)
            #expect(parts.count == 2)
            #expect(fault(parts.joined(separator: to)) != nil, "\(to)")
        }
    }

    @Test("Too large or cut payloads are refused")
    func sweep() throws {
        let bytes = try PushPayload(invitation: PushPayloadTests.invitation).encoded()
        for length in 0..<bytes.count {
            #expect(throws: WireError.self) { try PushPayload.decode(Array(bytes[..<length])) }
        }
        #expect(throws: WireError.tooLarge(bytes: 5121, limit: 5120)) {
            try PushPayload.decode([UInt8](repeating: 0x20, count: 5121))
        }
    }
}
