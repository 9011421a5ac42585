// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookWire
import Testing

@Suite("Messages on the wire")
struct WireCodecTests {
    private static let call = CallID(high: 0x5e1f_6c2a_7d4b_4c38, low: 0x9a51_0b8f_2d6e_7c90)
    private static let callText = "5e1f6c2a-7d4b-4c38-9a51-0b8f2d6e7c90"

    private func clientFault(_ text: String) -> WireError? {
        do {
            _ = try WireCodec.decodeClientMessage(text)
            return nil
        } catch {
            return error
        }
    }

    private func serverFault(_ text: String) -> WireError? {
        do {
            _ = try WireCodec.decodeServerMessage(text)
            return nil
        } catch {
            return error
        }
    }

    @Test("What is printed of a message names nobody and holds no token, session or address")
    func printing() {
        let secrets = ["Alice", "alice@", "cafe0123", "s3ss10n", "192.0.2.1"]
        let handle = Handle(kind: .emailAddress, value: "alice@example.org")
        let invitation = Invitation(
            call: WireCodecTests.call, callerName: "Alice", callerHandle: handle, issuedAt: Instant(milliseconds: 0),
            expiresAt: Instant(milliseconds: 45_000))
        let signal = MediaSignal(kind: .candidate, body: "candidate:1 1 udp 1 192.0.2.1 9 typ host")
        let registration = PushRegistration(token: "cafe01234567", environment: .production, bundle: "org.example")
        let bodies: [ClientMessage.Body] = [
            .hello(Hello(device: "phone", session: "s3ss10n", sequence: 4)), .register(registration),
            .invite(call: WireCodecTests.call, to: handle, video: true),
            .media(call: WireCodecTests.call, signal: signal),
        ]
        var texts = bodies.map { "\(ClientMessage(id: "m", body: $0))" }
        let welcome = Welcome(
            session: "s3ss10n", resumed: false, user: "alice@example.org", now: Instant(milliseconds: 0),
            calls: [
                CallSnapshot(call: WireCodecTests.call, state: .ringing, outgoing: false, invitation: invitation)
            ])
        texts += ["\(ServerMessage(body: .welcome(welcome)))", "\(ServerMessage(body: .invited(invitation)))"]
        texts += ["\(PushPayload(invitation: invitation))", "\(invitation.details)"]
        for text in texts {
            #expect(!secrets.contains { text.contains($0) }, "\(text)")
        }
        #expect("\(signal)" == "candidate, generation 0, 40 bytes")
    }

    @Test("Every end reason, media kind and update survives the way there")
    func everyCase() throws {
        var bodies: [ClientMessage.Body] = EndReason.allCases.map { .hangup(call: WireCodecTests.call, reason: $0) }
        for kind in MediaSignal.Kind.allCases {
            bodies.append(
                .media(call: WireCodecTests.call, signal: MediaSignal(kind: kind, generation: 3, body: "\u{0}\"\\\n🙂")))
        }
        for flag in [true, false, nil] {
            bodies.append(
                .update(call: WireCodecTests.call, update: CallUpdate(held: flag, muted: nil, video: flag)))
        }
        for kind in Handle.Kind.allCases {
            bodies.append(.invite(call: WireCodecTests.call, to: Handle(kind: kind, value: "x"), video: true))
        }
        for environment in PushRegistration.Environment.allCases {
            bodies.append(.register(PushRegistration(token: "00ff", environment: environment, bundle: "a.b-c")))
        }
        for body in bodies {
            let message = ClientMessage(id: "m1", body: body)
            #expect(try WireCodec.decodeClientMessage(WireCodec.encode(message)) == message)
        }
        for reason in EndReason.allCases {
            let message = ServerMessage(sequence: 7, body: .ended(call: WireCodecTests.call, reason: reason))
            #expect(try WireCodec.decodeServerMessage(WireCodec.encode(message)) == message)
        }
    }

    @Test("Every call state survives in a welcome")
    func welcome() throws {
        let invitation = Invitation(
            call: WireCodecTests.call, callerName: "A", callerHandle: Handle(kind: .emailAddress, value: "a@b.c"),
            video: true, issuedAt: Instant(milliseconds: 1), expiresAt: Instant(milliseconds: 9_007_199_254_740_991))
        let calls = CallSnapshot.State.allCases.map {
            CallSnapshot(
                call: WireCodecTests.call, state: $0, outgoing: $0 == .answered, reason: $0 == .ended ? .busy : nil,
                invitation: $0 == .ringing ? invitation : nil)
        }
        let message = ServerMessage(
            body: .welcome(
                Welcome(session: "s", resumed: true, user: "u", now: Instant(milliseconds: 0), calls: calls)))
        #expect(try WireCodec.decodeServerMessage(WireCodec.encode(message)) == message)
    }

    @Test("Unknown fields are ignored, null counts as absent")
    func unknownFields() throws {
        let text =
            #"{"v":1,"id":"m","type":"hangup","call":"\#(WireCodecTests.callText)","reason":null,"new":{"a":[1]}}"#
        #expect(
            try WireCodec.decodeClientMessage(text).body == .hangup(call: WireCodecTests.call, reason: .localHangup))
    }

    @Test(
        "A wrong field is named",
        arguments: [
            (#"{"v":1,"type":"answer"}"#, WireError.missingField("id")),
            (#"{"v":1,"id":"m"}"#, .missingField("type")),
            (#"{"v":1,"id":"m","type":"dance"}"#, .unknownType),
            (#"{"v":1,"id":"m","type":"Answer"}"#, .unknownType),
            (#"{"id":"m","type":"answer"}"#, .unsupportedVersion(nil)),
            (#"{"v":"1","id":"m","type":"answer"}"#, .unsupportedVersion(nil)),
            (#"{"v":true,"id":"m","type":"answer"}"#, .unsupportedVersion(nil)),
            (#"{"v":1.0,"id":"m","type":"answer"}"#, .unsupportedVersion(nil)),
            (#"{"v":2,"id":"m","type":"answer"}"#, .unsupportedVersion(2)),
            (#"{"v":1,"id":"m","type":"answer"}"#, .missingField("call")),
            (#"{"v":1,"id":"","type":"unregister"}"#, .badField("id", reason: "has 1 to 64 bytes")),
            (#"{"v":1,"id":"a b","type":"unregister"}"#, .badField("id", reason: "is visible ASCII")),
            (#"{"v":1,"id":7,"type":"unregister"}"#, .badField("id", reason: "is a string")),
            (#"{"v":1,"id":"m","type":"answer","call":"x"}"#, .badField("call", reason: "is a UUID of 36 characters")),
            (#"{"v":1,"id":"m","type":"ack","seq":-1}"#, .badField("seq", reason: "is from 0 to 9007199254740991")),
            (#"{"v":1,"id":"m","type":"ack","seq":1.5}"#, .badField("seq", reason: "is a whole number")),
            (#"[]"#, .notAnObject), (#""x""#, .notAnObject), ("null", .notAnObject),
        ])
    func wrongFields(text: String, error: WireError) {
        #expect(clientFault(text) == error)
    }

    @Test(
        "A wrong field inside another one is named with both",
        arguments: [
            (#""type":"invite","to":{}"#, "to.value"), (#""type":"invite","to":{"value":""}"#, "to.value"),
            (#""type":"invite","to":{"value":"x","kind":"fax"}"#, "to.kind"), (#""type":"invite","to":7"#, "to"),
            (#""type":"media","signal":{"kind":"offer","generation":-1,"body":""}"#, "signal.generation"),
            (#""type":"media","signal":{"kind":"sdp","generation":0,"body":""}"#, "signal.kind"),
            (#""type":"media","signal":{"kind":"offer","generation":0}"#, "signal.body"),
            (#""type":"hangup","reason":"bored""#, "reason"), (#""type":"update","held":1"#, "held"),
            (#""type":"hello","device":"""#, "device"), (#""type":"hello","device":"d","calls":[7]"#, "calls"),
            (#""type":"hello","device":"d","calls":{}"#, "calls"),
            (#""type":"register","token":"xyz","environment":"production","bundle":"b""#, "token"),
            (#""type":"register","token":"abc","environment":"production","bundle":"b""#, "token"),
            (#""type":"register","token":"abcd","environment":"sandbox","bundle":"b""#, "environment"),
            (#""type":"register","token":"abcd","environment":"production","bundle":"b/../c""#, "bundle"),
        ])
    func nestedFields(fields: String, name: String) {
        let text = #"{"v":1,"id":"m","call":"\#(WireCodecTests.callText)",\#(fields)}"#
        switch clientFault(text) {
        case .missingField(name)?, .badField(name, _)?: break
        case let other: Issue.record("\(text): \(String(describing: other))")
        }
    }

    @Test("A handle or name has 1 to 256 bytes")
    func lengths() throws {
        for (count, isGood) in [(0, false), (1, true), (256, true), (257, false)] {
            let value = String(repeating: "x", count: count)
            let message = ClientMessage(
                id: "m", body: .invite(call: WireCodecTests.call, to: Handle(value: value), video: false))
            #expect((clientFault(WireCodec.encode(message)) == nil) == isGood)
        }
    }

    @Test("An invitation that expires before it was issued is refused")
    func expiryBeforeIssue() {
        let text =
            #"{"v":1,"seq":1,"type":"invited","call":"\#(WireCodecTests.callText)","name":"A","#
            + #""handle":{"value":"a"},"issuedAt":2,"expiresAt":1}"#
        #expect(serverFault(text) == .badField("expiresAt", reason: "is not before issuedAt"))
    }

    @Test("Too large a frame is refused before it is read")
    func size() {
        let large = #"{"v":1,"id":"m","type":"unregister","x":""# + String(repeating: "x", count: 65_536) + #""}"#
        #expect(clientFault(large) == .tooLarge(bytes: large.utf8.count, limit: 65_536))
        #expect(clientFault(large)?.code == .limitExceeded)
        let many =
            #"{"v":1,"id":"m","type":"hello","device":"d","calls":["#
            + Array(repeating: "\"\(WireCodecTests.callText)\"", count: 33).joined(separator: ",") + "]}"
        #expect(clientFault(many) == .badField("calls", reason: "has at most 32 elements"))
    }

    @Test("A broken frame's id is found when there is one")
    func idOfBrokenFrame() {
        #expect(WireCodec.messageID(ofBrokenFrame: #"{"v":9,"id":"m7"}"#) == "m7")
        #expect(WireCodec.messageID(ofBrokenFrame: #"{"v":9,"id":"m 7"}"#) == nil)
        #expect(WireCodec.messageID(ofBrokenFrame: "{") == nil)
    }

    @Test("Every frame cut anywhere, and with any one byte changed, is read or refused, never more")
    func sweep() throws {
        for (_, text) in try ExampleFrames.all("client") + ExampleFrames.all("server") {
            let bytes = Array(text.utf8)
            for length in 0..<bytes.count {
                let cut = String(decoding: bytes[..<length], as: UTF8.self)
                #expect(clientFault(cut) != nil)
                #expect(serverFault(cut) != nil)
            }
            for index in bytes.indices {
                for replacement: UInt8 in [0x00, 0x22, 0x30, 0x39, 0x5B, 0x5C, 0x7D, 0xC3] {
                    var changed = bytes
                    changed[index] = replacement
                    let frame = String(decoding: changed, as: UTF8.self)
                    _ = clientFault(frame)
                    _ = serverFault(frame)
                }
            }
        }
    }

    @Test("Errors have words and a code, and repeat nothing of the frame")
    func words() {
        let secret = "s3cret"
        for frame in [
            secret, #"{"v":1,"id":"m","type":"\#(secret)"}"#, #"{"v":1,"id":"m","type":"answer","call":"\#(secret)"}"#,
        ] {
            let error = clientFault(frame)
            #expect(error != nil)
            #expect(error?.code == .malformed)
            #expect(!"\(String(describing: error))".contains(secret))
            #expect(error?.description.isEmpty == false)
        }
    }
}
