// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookServer
import OffhookWire
import Testing

@Suite("Two users call each other")
struct GlareTests {
    @Test("P22, race 7, race 8: the later call goes on in the first, whoever is later", arguments: [false, true])
    func crossed(bobIsFirst: Bool) async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let tablet = try await test.client(bobIsFirst ? "alice" : "bob", "second")
        let (first, later) = bobIsFirst ? (bob, alice) : (alice, bob)
        let (ringing, back) = (TestServer.newCall(), TestServer.newCall())
        let names = [Handle(value: "bob"), Handle(value: "alice")]
        try await first.ask(.invite(call: ringing, to: bobIsFirst ? names[1] : names[0], video: false))
        try await tablet.invited(ringing)
        try await later.ask(.invite(call: back, to: bobIsFirst ? names[0] : names[1], video: false))
        try await later.receives(.joined(call: back, into: ringing))
        try await later.receives(.answered(call: ringing))
        try await first.receives(.answered(call: ringing))
        #expect(try await tablet.ended(ringing) == .answeredElsewhere)
        #expect(await test.server.callRecord(back) == nil)
        // The same invitation again, and the cancel of a call that went on in the other one.
        try await later.ask(.invite(call: back, to: bobIsFirst ? names[0] : names[1], video: false))
        try await later.receives(.joined(call: back, into: ringing))
        try await later.ask(.cancel(call: back))
        #expect(try await first.ended(ringing) == .remoteEnded)
        await test.stop()
    }
}
