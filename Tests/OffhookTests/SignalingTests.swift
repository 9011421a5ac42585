// SPDX-License-Identifier: MIT

import Foundation
import OffhookNet
import OffhookTesting
import OffhookWire
import Testing
import VirtualPhone

@testable import Offhook

/// The connection between phone and server, its losses and its returns.
@Suite(.timeLimit(.minutes(2))) struct SignalingTests {
    private let id = Bench.call

    @Test("R55: the token goes to the server at every update, in hexadecimal, with bundle and environment")
    func token() async throws {
        let bench = Bench()
        defer { bench.close() }
        await bench.open()
        let token = try #require(bench.phone.pushToken(for: Bench.bundle))
        let text = token.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        #expect(
            bench.heard(
                .register(PushRegistration(token: text, environment: .development, bundle: Bench.bundle))))
        #expect(bench.server.headers.first == ["Authorization": "Bearer token"])
        bench.phone.invalidateToken(of: Bench.bundle)
        await bench.until("the dead token is taken back") { bench.heard(.unregister) }  // K2
    }

    @Test("R59: an unreachable server: the phone rings all the same") func ringsOffline() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.register()
        bench.server.goAway()
        try bench.push(try PushPayload(invitation: bench.invitation()).encoded())
        await bench.until("the phone rings") { !bench.phone.screen.incoming.isEmpty }
        await bench.until("the app is offline") { bench.app?.connection == .offline }
        bench.server.comeBack()
        await bench.advance(by: .seconds(2))
        await bench.until("the server hears the ringing") { bench.heard(.ringing(call: id)) }
        bench.expectClean()
    }

    @Test("P20, race 12: the server says on connect that the call is over: the ringing stops") func woken() async throws
    {
        let bench = Bench()
        defer { bench.close() }
        try await bench.register()
        bench.server.goAway()
        try bench.push(try PushPayload(invitation: bench.invitation()).encoded())
        await bench.until("the phone rings") { !bench.phone.screen.incoming.isEmpty }
        await bench.until("the app is offline") { bench.app?.connection == .offline }
        bench.server.setSnapshots([
            CallSnapshot(call: id, state: .ended, outgoing: false, reason: .callerCancelled)
        ])
        bench.server.comeBack()
        await bench.advance(by: .seconds(2))
        await bench.until("the call is over") { bench.app?.last(id)?.state == .ended(.callerCancelled) }
        await bench.until("nothing rings") { bench.phone.screen.incoming.isEmpty }
        let asked = bench.server.messages.contains { message in
            if case .hello(let hello) = message.body { hello.calls == [id] } else { false }
        }
        #expect(asked)
        await bench.advance(by: .seconds(8))
        bench.expectClean()
    }

    @Test("R65: the server says before the push comes that the call is over: it never rings") func endFirst()
        async throws
    {
        let bench = Bench()
        defer { bench.close() }
        await bench.open()
        let few = ConnectionMachine.ackEvery  // so many messages that the device acknowledges them
        for _ in 0..<few { bench.server.say(.ended(call: id, reason: .callerCancelled)) }
        await bench.until("the end is taken") { bench.server.messages.last?.body == .ack(sequence: few) }
        try bench.push(try PushPayload(invitation: bench.invitation()).encoded())
        await bench.until("the outcome is told") { bench.app?.outcomes == [.ended(.callerCancelled)] }
        await bench.advance(by: .seconds(8))
        #expect(bench.phone.snapshot.calls.isEmpty)
        bench.expectClean()
    }

    @Test("race 13, R68: push and socket both bring the call: one ring") func pushAndSocket() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.register()
        let invitation = bench.invitation()
        bench.server.setSnapshots([
            CallSnapshot(call: id, state: .ringing, outgoing: false, invitation: invitation)
        ])
        try bench.push(try PushPayload(invitation: invitation).encoded())
        await bench.until("it rings") { bench.heard(.ringing(call: id)) }
        bench.server.say(.invited(invitation))
        try bench.push(try PushPayload(invitation: invitation).encoded())
        // The first push and the socket may come in either order: two repeats or three.
        await bench.until("the repeats are told") {
            let outcomes = bench.app?.outcomes ?? []
            return outcomes.first == .accepted && outcomes.count { $0 == .duplicate } >= 2
        }
        await bench.advance(by: .seconds(8))
        #expect(bench.phone.screen.incoming.map(\.call) == [id.uuid])
        bench.expectClean()
    }

    @Test("race 21: the connection drops between answer and confirmation; the claim goes again, the call is won")
    func dropsWhileClaiming() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.ring()
        bench.server.setSilent(true)
        try bench.phone.user.answer()
        await bench.until("the answer is claimed") { bench.heard(.answer(call: id)) }
        bench.server.goAway()
        await bench.until("the app is offline") { bench.app?.connection == .offline }
        bench.server.setSilent(false)
        bench.server.comeBack()
        await bench.advance(by: .seconds(1))
        await bench.until("the claim goes again") {
            bench.server.heard.count { $0 == .answer(call: id) } == 2
        }
        let ids = Set(bench.server.messages.filter { $0.body == .answer(call: id) }.map(\.id))
        #expect(ids.count == 1)
        bench.server.say(.answered(call: id))
        await bench.until("media starts") { !bench.media.entries(id).isEmpty }
        bench.expectClean()
    }

    @Test("A frame that is no JSON: the connection is made anew, nothing is lost") func garbage() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.talk()
        bench.server.sayRaw("this is no JSON")
        await bench.until("the connection is given up") { bench.app?.connection == .offline }
        await bench.advance(by: .seconds(1))
        await bench.until("it is back") { bench.server.isConnected }
        #expect(bench.app?.calls.currentCalls.map(\.state) == [.active])
        bench.server.say(.ended(call: id, reason: .remoteEnded))
        await bench.until("the end arrives") { bench.app?.last(id)?.state == .ended(.remoteEnded) }
        bench.expectClean()
    }

    @Test("What a newer server may say ends no session: unknown types are left out, unknown reasons end the call")
    func newerServer() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.talk()
        let connections = bench.server.headers.count
        bench.server.sayRaw(#"{"v":1,"seq":90,"type":"weather","sky":"blue"}"#)
        bench.server.sayRaw(#"{"v":1,"seq":91,"type":"media","call":"\#(id)","signal":{"kind":"smoke","body":""}}"#)
        bench.server.sayRaw(#"{"v":1,"seq":92,"type":"ended","call":"\#(id)","reason":"bored"}"#)
        await bench.until("the call is over") { bench.app?.last(id)?.state == .ended(.failed) }
        #expect(bench.server.headers.count == connections)
        await bench.advance(by: .seconds(1))
        bench.expectClean()
    }

    @Test("A call the server does not know any more ends") func unknownCall() async throws {
        let bench = Bench()
        defer { bench.close() }
        try await bench.talk()
        bench.server.setSnapshots([CallSnapshot(call: id, state: .unknown, outgoing: false)])
        bench.server.goAway()
        await bench.until("the app is offline") { bench.app?.connection == .offline }
        bench.server.comeBack()
        await bench.advance(by: .seconds(1))
        await bench.until("the call is over") { bench.app?.last(id)?.state == .ended(.failed) }
        bench.expectClean()
    }

    @Test("OffhookNet carries the frames both ways over loopback, and a refusal brings its status")
    func overLoopback() async throws {
        let loop = try EventLoop(name: "signaling test")
        defer { loop.stop() }
        let server = try HTTPServer(
            loop: loop, host: "127.0.0.1", port: 0,
            handler: { _, respond in respond(HTTPResponse(status: 404)) },
            upgrade: { request in
                guard request.headers["Authorization"] == "Bearer right" else {
                    return .refuse(HTTPResponse(status: 401))
                }
                return .accept(WebSocketHandlers(text: { socket, text in socket.send(text: "echo \(text)") }))
            })
        defer { server.close() }
        let transport = NetSignalTransport(loop: loop)
        let url = "ws://127.0.0.1:\(server.port)/v1/socket"
        for (token, expected) in [
            ("right", [.opened, .received("echo one"), .received("echo two")]),
            ("wrong", [SignalTransportEvent]()),
        ] {
            let (events, continuation) = AsyncStream.makeStream(of: SignalTransportEvent.self)
            let connection = transport.connect(to: url, headers: [("Authorization", "Bearer \(token)")]) { event in
                continuation.yield(event)
                if case .closed = event { continuation.finish() }
            }
            connection.send("one")
            connection.send("two")
            var seen: [SignalTransportEvent] = []
            for await event in events {
                if case .closed(_, let status, _) = event {
                    #expect(status == (token == "wrong" ? 401 : nil))
                    break
                }
                seen.append(event)
                if seen.count == 3 { connection.close() }
            }
            #expect(seen == expected)
        }
    }
}
