// SPDX-License-Identifier: MIT

import Offhook
import OffhookTesting
import OffhookWire
import Testing

@testable import Offhook

/// Users that come and go on one device (R90, R107, P44).
@Suite(.timeLimit(.minutes(2))) struct AccountTests {
    private let call = EngineBench.call

    private func tokens(_ bench: EngineBench) -> [String] {
        bench.server.headers.compactMap { $0["Authorization"] }
    }

    private func signIn(_ bench: EngineBench, _ name: String) async -> AccountGeneration {
        await bench.engine.change(to: name) { "token-of-\(name)" }
    }

    @Test("R90, P44: another user has a checkpoint, operations and a connection of its own") func isolation()
        async throws
    {
        let bench = EngineBench()
        bench.engine.onQueue { bench.engine.receiveToken("aa") }
        await bench.until("the token is registered") {
            bench.server.heard.contains { if case .register = $0 { true } else { false } }
        }
        let alice = await signIn(bench, "alice")
        #expect(alice == AccountGeneration(account: "alice", number: 2))
        await bench.until("Alice's connection registers the token") {
            bench.server.heard.count { if case .register = $0 { true } else { false } } == 2
        }
        let operation = OperationID()
        let result = await bench.engine.perform(.answer(call), operation, within: nil)
        bench.give(.server(call, .ended(.callerCancelled)))
        let bob = await signIn(bench, "bob")
        #expect(bob == AccountGeneration(account: "bob", number: 3))
        #expect(bench.engine.lookUp(operation, alice) == .generationMismatch)
        #expect(bench.engine.lookUp(operation, nil) == .unavailable)
        #expect(result.status == .rejected)
        #expect(!bench.files.files.keys.contains { $0.hasPrefix("1/") || $0.hasPrefix("2/") })
        try bench.push()  // ended for Alice, not for Bob
        #expect(bench.system.orders.contains(.reported(call)))
        await bench.until("Bob's connection registers the token") {
            tokens(bench).last == "Bearer token-of-bob"
                && bench.server.heard.last(where: { if case .register = $0 { true } else { false } }) != nil
        }
        let heard = bench.server.heard
        #expect(heard.count { if case .unregister = $0 { true } else { false } } == 2)
        let used = tokens(bench)
        #expect(used.lastIndex(of: "Bearer first-token") ?? 0 < used.firstIndex(of: "Bearer token-of-bob") ?? 0)
        bench.relaunch()
        #expect(bench.engine.capabilities.generation == bob)
    }

    @Test("R90: the same user goes on as before, with the new token") func sameUser() async throws {
        let bench = EngineBench()
        let first = await signIn(bench, "alice")
        try bench.push()
        let second = await bench.engine.change(to: "alice") { "newer" }
        #expect(first == second)
        #expect(bench.engine.currentCalls.map(\.id) == [call])
        bench.relaunch()
        #expect(await signIn(bench, "alice") == first)
    }

    @Test(
        "R107: a sign-out ends the calls, gives the token back, and outlives the process; pushes are reported and ended"
    )
    func signOut() async throws {
        let bench = EngineBench()
        await bench.until("the device is online") { bench.engine.onQueue { bench.engine.signals.isOnline } }
        bench.engine.onQueue { bench.engine.receiveToken("aa") }
        try bench.push()
        _ = await bench.engine.change(to: nil, token: nil)
        #expect(bench.system.orders.contains(.ended(call, .failed)))
        #expect(bench.server.heard.contains { if case .unregister = $0 { true } else { false } })
        await bench.until("the connection is closed") { !bench.server.isConnected }
        let result = await bench.engine.perform(
            .start(call, CallDetails(handle: Handle(value: "bob"))), OperationID(), within: nil)
        #expect(result.failure?.code == .invalidState)
        for _ in 0..<2 {
            let connections = tokens(bench).count
            let late = CallID(high: 5, low: 5)
            let push = try bench.push(late)
            #expect(!bench.system.orders.contains(.reported(late)))
            #expect(bench.system.orders.last == .completed(push))
            #expect(tokens(bench).count == connections)  // the old token is not used
            bench.relaunch()
        }
        _ = await signIn(bench, "bob")
        await bench.until("Bob is connected") { tokens(bench).last == "Bearer token-of-bob" }
    }

    @Test("R90: a user whose calls do not end in time is left all the same") func impatient() async throws {
        let bench = EngineBench()
        await bench.until("the device is online") { bench.engine.onQueue { bench.engine.signals.isOnline } }
        bench.server.setSilent(true)
        bench.engine.onQueue { bench.engine.receiveToken("aa") }
        let change = Task { await signIn(bench, "bob") }
        await bench.until("the present user leaves") { bench.engine.onQueue { bench.engine.isLeaving } }
        bench.clock.move(to: bench.clock.now + Engine.farewell)
        #expect(await change.value.account == "bob")
    }

    @Test("A sign-in before the start is done by it, and one after the stop returns") func outside() async throws {
        let bench = EngineBench(start: false)
        let early = Task { await signIn(bench, "alice") }
        await bench.until("the sign-in waits") { bench.engine.onQueue { !bench.engine.changes.isEmpty } }
        bench.start()
        #expect(await early.value.account == "alice")
        bench.engine.stop()
        #expect(await signIn(bench, "bob").account == "alice")
    }

    @Test("R90: after the server signed the device out, it comes back with the token of the next sign-in alone")
    func signedOut() async throws {
        let bench = EngineBench()
        _ = await signIn(bench, "alice")
        await bench.until("the device is online") { bench.engine.onQueue { bench.engine.signals.isOnline } }
        let before = tokens(bench).count
        bench.server.close(code: 4003)
        await bench.until("the app is told") {
            bench.events.contains { if case .connection(.signedOut) = $0 { true } else { false } }
        }
        bench.clock.move(to: bench.clock.now + .seconds(600))
        #expect(bench.engine.onQueue { tokens(bench).count } == before)
        _ = await bench.engine.change(to: "alice") { "renewed" }
        await bench.until("the device is online again") { bench.engine.onQueue { bench.engine.signals.isOnline } }
        #expect(tokens(bench).dropFirst(before) == ["Bearer renewed"])
    }

    @Test("A session token that the server refused is replaced by the next sign-in at once") func refused() async throws
    {
        let bench = EngineBench()
        _ = await signIn(bench, "alice")
        await bench.until("the device is online") { bench.engine.onQueue { bench.engine.signals.isOnline } }
        bench.server.goAway(status: 401)
        await bench.until("the connection is gone") { bench.engine.onQueue { !bench.engine.signals.isOnline } }
        bench.clock.move(to: bench.clock.now + .seconds(1))
        await bench.until("the app is told") {
            bench.events.contains { if case .connection(.unauthorized) = $0 { true } else { false } }
        }
        bench.server.comeBack()
        _ = await bench.engine.change(to: "alice") { "renewed" }
        await bench.until("the new token is used") { tokens(bench).last == "Bearer renewed" }
    }
}
