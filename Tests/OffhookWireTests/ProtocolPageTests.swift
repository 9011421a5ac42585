// SPDX-License-Identifier: MIT

import OffhookWire
import Testing

@Suite("The example frames of docs/protocol")
struct ProtocolPageTests {
    private static let clientTypes: Set<String> = [
        "hello", "register", "unregister", "invite", "ringing", "answer", "decline", "busy", "cancel", "hangup",
        "media", "connected", "update", "ack",
    ]
    private static let serverTypes: Set<String> = [
        "welcome", "ack", "error", "invited", "ringing", "answered", "joined", "ended", "media", "update",
    ]

    @Test("Every client frame is read and written back the same, and every type has one")
    func clientFrames() throws {
        var types: Set<String> = []
        for (name, text) in try ExampleFrames.all("client") {
            let message = try WireCodec.decodeClientMessage(text)
            #expect(WireCodec.encode(message) == text, "\(name)")
            types.insert(message.body.typeName)
        }
        #expect(types == ProtocolPageTests.clientTypes)
    }

    @Test("Every server frame is read and written back the same, and every type has one")
    func serverFrames() throws {
        var types: Set<String> = []
        for (name, text) in try ExampleFrames.all("server") {
            let message = try WireCodec.decodeServerMessage(text)
            #expect(WireCodec.encode(message) == text, "\(name)")
            types.insert(message.body.typeName)
        }
        #expect(types == ProtocolPageTests.serverTypes)
    }

    @Test("Both forms of the push are read and written back the same")
    func pushes() throws {
        for (name, text) in try ExampleFrames.all("push") {
            let payload = try PushPayload.decode(Array(text.utf8))
            let form = try #require(PushPayload.Form(rawValue: String(name.dropLast(".json".count))))
            #expect(String(decoding: try payload.encoded(as: form), as: UTF8.self) == text, "\(name)")
        }
    }

    @Test("The page links every example, names every type, error code and end reason")
    func page() throws {
        let page = try ExampleFrames.page()
        for kind in ["client", "server", "push"] {
            for (name, _) in try ExampleFrames.all(kind) {
                #expect(page.contains("protocol/\(kind)/\(name)"), "\(name)")
            }
        }
        let codes: [WireFailure.Code] = [
            .malformed, .unsupportedVersion, .unauthorized, .unknownCall, .unknownUser, .invalidState, .conflict,
            .limitExceeded, .internal,
        ]
        for code in codes { #expect(page.contains("`\(code.rawValue)`")) }
    }

    @Test("The page's table of close codes is the code's")
    func closeCodes() throws {
        let rows = try ExampleFrames.page().split(separator: "\n").compactMap { line -> Int? in
            let cells = line.split(separator: "|").map { $0.trimmingPrefix(" ") }
            return cells.count == 3 ? Int(cells[0].prefix { $0.isNumber }).flatMap { $0 > 1000 ? $0 : nil } : nil
        }
        #expect(rows == CloseCode.allCases.map(\.rawValue))
    }
}
