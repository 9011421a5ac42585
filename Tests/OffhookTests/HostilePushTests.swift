// SPDX-License-Identifier: MIT

import Foundation

import OffhookTesting
import OffhookWire
import Testing
import VirtualPhone

@testable import Offhook

/// One field of an invitation that is not as it must be.
struct PayloadChange: Sendable, CustomTestStringConvertible {
    var name: String
    /// The field's JSON; nil leaves the field out.
    var value: String?

    var testDescription: String {
        "\(name): \(value.map { $0.count > 40 ? "\($0.count) characters" : $0 } ?? "left out")"
    }
}

/// Pushes of a hostile or broken server: each is reported inside its callback, and none harms the app (K3, P02).
@Suite(.timeLimit(.minutes(2))) struct HostilePushTests {
    /// The contract's invalid kinds.
    static let invalidKinds: [PayloadChange] = [
        PayloadChange(name: "v", value: "\"1\""), PayloadChange(name: "v", value: "true"),
        PayloadChange(name: "v", value: "2"),
        PayloadChange(name: "v", value: nil), PayloadChange(name: "v", value: "-1"),
        PayloadChange(name: "v", value: "1.5"),
        PayloadChange(name: "call", value: nil), PayloadChange(name: "call", value: "\"not a UUID\""),
        PayloadChange(name: "call", value: "17"),
        PayloadChange(name: "call", value: "\"\(String(repeating: "a", count: 129))\""),
        PayloadChange(name: "name", value: nil), PayloadChange(name: "name", value: "\"\""),
        PayloadChange(name: "name", value: "{}"),
        PayloadChange(name: "name", value: "\"\(String(repeating: "x", count: 257))\""),
        PayloadChange(name: "handle", value: nil), PayloadChange(name: "handle", value: "[]"),
        PayloadChange(name: "handle", value: #"{"kind":"generic","value":""}"#),
        PayloadChange(name: "handle", value: #"{"kind":"nonsense","value":"a"}"#),
        PayloadChange(name: "video", value: "\"yes\""), PayloadChange(name: "video", value: "[true]"),
        PayloadChange(name: "issuedAt", value: "-1"), PayloadChange(name: "issuedAt", value: "1.5"),
        PayloadChange(name: "issuedAt", value: "\"today\""), PayloadChange(name: "issuedAt", value: "9007199254740993"),
        PayloadChange(name: "expiresAt", value: "-9223372036854775808"),
        PayloadChange(name: "expiresAt", value: "1e300"),
        PayloadChange(name: "expiresAt", value: nil),
        PayloadChange(name: "expiresAt", value: "99999999999999999999999999"),
    ]

    /// An invitation's JSON with some fields changed and added.
    static func payload(_ invitation: Invitation, _ changes: [PayloadChange]) -> [UInt8] {
        var fields: [(String, String)] = [
            ("v", "1"), ("call", "\"\(invitation.call)\""), ("name", "\"Alice\""),
            ("handle", #"{"kind":"generic","value":"alice"}"#), ("video", "false"),
            ("issuedAt", "\(invitation.issuedAt.milliseconds)"), ("expiresAt", "\(invitation.expiresAt.milliseconds)"),
        ]
        for change in changes {
            fields.removeAll { $0.0 == change.name }
            if let value = change.value { fields.append((change.name, value)) }
        }
        let inner = fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
        return Array(#"{"aps":{},"offhook":{\#(inner)}}"#.utf8)
    }

    @Test("R60, P02: what cannot be read is reported and ended, in time", arguments: invalidKinds)
    func invalid(_ change: PayloadChange) async throws {
        let bench = Bench(system: SystemVersion(26, 3), locked: true)
        defer { bench.close() }
        try await bench.register()
        try bench.push(Self.payload(bench.invitation(), [change]))
        await bench.until("the outcome is told") { bench.app?.outcomes == [.undecodable] }
        await bench.advance(by: .seconds(8))  // K3's second check
        #expect(bench.phone.screen.incoming.isEmpty)
        #expect(bench.app?.calls.currentCalls == [])
        bench.expectClean()
        // The next call rings as if nothing had been.
        try bench.push(Self.payload(bench.invitation(), []))
        await bench.until("the phone rings") { !bench.phone.screen.incoming.isEmpty }
    }

    @Test(
        "R62: what may be so rings: fields that nobody knows, no video field",
        arguments: [PayloadChange(name: "future", value: #"{"a":[1,2,{}]}"#), PayloadChange(name: "video", value: nil)])
    func valid(_ change: PayloadChange) async throws {
        let bench = Bench(system: SystemVersion(26, 3), locked: true)
        defer { bench.close() }
        try await bench.register()
        try bench.push(Self.payload(bench.invitation(), [change]))
        await bench.until("the phone rings") { bench.phone.screen.incoming.first?.callerName == "Alice" }
        #expect(bench.app?.outcomes == [.accepted])
        bench.expectClean()
    }

    @Test("R33, R62: times far in the past and in the future", arguments: [0, 9_007_199_254_740_991] as [Int64])
    func times(_ expiry: Int64) async throws {
        let bench = Bench(system: SystemVersion(26, 3), locked: true)
        defer { bench.close() }
        try await bench.register()
        bench.server.setClock(ahead: .seconds(-3600 * 24 * 365))
        var invitation = bench.invitation()
        invitation.issuedAt = Instant(milliseconds: 0)
        invitation.expiresAt = Instant(milliseconds: expiry)
        try bench.push(Self.payload(invitation, []))
        await bench.until("the outcome is told") { bench.app?.outcomes == [expiry == 0 ? .expired : .accepted] }
        await bench.advance(by: .seconds(60))
        await bench.until("nothing rings for ever") { bench.phone.screen.incoming.isEmpty }
        bench.expectClean()
    }

    @Test("R60: an object that is not ours is reported and ended") func notOurs() async throws {
        for payload in ["{}", #"{"aps":{"alert":"hello"}}"#, #"{"offhook":[]}"#, #"{"offhook":"[]"}"#] {
            let bench = Bench(system: SystemVersion(26, 3), locked: true)
            defer { bench.close() }
            try await bench.register()
            try bench.push(Array(payload.utf8))
            await bench.until("the outcome is told: \(payload)") { bench.app?.outcomes == [.undecodable] }
            bench.expectClean()
        }
    }

    @Test("R60, P02: what APNs would not even carry is reported before the callback returns", arguments: 0..<9)
    func monsters(_ index: Int) throws {
        let monsters: [[UInt8]?] = [
            nil, [], [0xFF, 0xFE], Array("[]".utf8), Array("17".utf8), Array("null".utf8),
            Self.payload(Self.invitation, [change("name", "\"\(String(repeating: "x", count: 10_000_000))\"")]),
            Self.payload(Self.invitation, [change("name", nested("[", "]"))]),
            Self.payload(Self.invitation, [change("handle", nested("{\"a\":", "}"))]),
        ]
        let bench = EngineBench()
        bench.engine.onQueue {
            bench.engine.receivePush(PushID(1), payload: monsters[index], mustReport: true)
            #expect(bench.system.orders.count == 1)
            if case .reported = bench.system.orders.first {} else { Issue.record("\(bench.system.orders)") }
        }
    }

    private static let invitation = Invitation(
        call: Bench.call, callerName: "Alice", callerHandle: Handle(value: "alice"),
        issuedAt: Instant(milliseconds: 0), expiresAt: Instant(milliseconds: 60_000))

    private func change(_ name: String, _ value: String) -> PayloadChange { PayloadChange(name: name, value: value) }

    private func nested(_ open: String, _ close: String) -> String {
        String(repeating: open, count: 1000) + "1" + String(repeating: close, count: 1000)
    }
}
