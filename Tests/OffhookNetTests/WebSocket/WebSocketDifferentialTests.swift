// SPDX-License-Identifier: MIT

import OffhookNet
import Testing

/// Both roles against PyPI `websockets`.
@Suite(.timeLimit(.minutes(5)))
struct WebSocketDifferentialTests {
    @Test("the server role passes every check of another client")
    func server() async throws {
        try await withLoop { loop async throws in
            let server = try HTTPServer(
                loop: loop, host: "127.0.0.1", port: 0, handler: { $1(.text(404, "nothing here")) },
                upgrade: { request in
                    switch request.path {
                    case "/echo": .accept(echoing())
                    case "/close":
                        .accept(
                            WebSocketHandlers(text: { $0.close(code: Int($1) ?? 1011, reason: "because") }))
                    default: .refuse(.text(403, "not for you"))
                    }
                })
            let peer = try PythonPeer("websocket_client.py", ["\(server.port)"])
            var checks = 0
            while true {
                let line = try await peer.line()
                if line == "done" { break }
                #expect(line.hasPrefix("ok "), "\(line)")
                checks += 1
            }
            #expect(checks == 42)
            #expect(try await loop.run { server.connectionCount } <= 1)
        }
    }

    @Test(
        "the client role exchanges messages with another server, whole and in fragments",
        arguments: ["echo", "fragments"])
    func client(_ path: String) async throws {
        let peer = try PythonPeer("websocket_server.py")
        let port = try await peer.line()
        try await withLoop { loop async throws in
            let reports = Recorder<SocketReport>()
            let socket = WebSocketClient.connect(
                to: "ws://127.0.0.1:\(port)/\(path)", on: loop, handlers: recording(reports))
            #expect(try await reports.next() == .opened)
            // In pieces of 7 bytes the long ones would take their time.
            let lengths = [0, 1, 125, 126, 200, 1000] + (path == "echo" ? [65_535, 65_536] : [])
            for length in lengths {
                let text = String(repeating: "ä", count: length / 2) + String(repeating: "x", count: length % 2)
                socket.send(text: text)
                #expect(try await reports.next() == .text(text), "text of \(length)")
                let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
                socket.send(binary: bytes)
                #expect(try await reports.next() == .binary(bytes), "binary of \(length)")
            }
            socket.close()
            #expect(try await reports.next() == .closed(WebSocketClose(code: 1000)))
        }
    }

    @Test("fragments with pings between them are put together by another server")
    func fragmentsOut() async throws {
        let peer = try PythonPeer("websocket_server.py")
        let port = try await peer.line()
        try await withLoop { loop async throws in
            let encoder = WebSocketEncoder(role: .client)
            let text = Array("fragmented: äöü €".utf8)
            var frames = encoder.frame(.text, isFinal: false, [])
            for byte in text {
                frames += encoder.ping([byte]) + encoder.frame(.continuation, isFinal: false, [byte])
            }
            frames += encoder.frame(.continuation, [])
            let sent = frames
            let reports = Recorder<PeerReport>()
            let connections = Recorder<TCPConnection>()
            // What comes before the handshake is done upsets the other server, so the frames wait for its answer.
            rawClient(on: loop, port: try #require(Int(port)), path: "/echo", reports: reports) { connection, bytes in
                guard bytes.starts(with: "HTTP/1.1 101".utf8) else { return }
                connection.write(sent)
                connections.report(connection)
            }
            var answer: [UInt8] = []
            receiving: while true {
                switch try await reports.next() {
                case .received(let bytes):
                    answer += bytes
                    guard answer.suffix(text.count) == text[...] else { continue }
                    // It would answer a close before the message.
                    let connection = try await connections.next()
                    loop.execute { connection.write(encoder.close(code: 1000)) }
                case .closed: break receiving
                case .opened, .drained, .ended: break
                }
            }
            var http = HTTPDecoder(role: .client)
            answer.withUnsafeBytes { http.receive($0) }
            _ = try http.next()
            var decoder = WebSocketDecoder(role: .client)
            let events = http.takeRemainder().withUnsafeBytes { decoder.receive($0) }
            let pongs = events.filter { if case .pong = $0 { true } else { false } }
            #expect(pongs == text.map { .pong([$0]) })
            let others = events.filter { !pongs.contains($0) }
            #expect(others == [.text("fragmented: äöü €"), .close(code: 1000, reason: "")])
        }
    }

    @Test(
        "close codes of both ends are understood by the other",
        arguments: [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 4999])
    func closeCodes(_ code: Int) async throws {
        let peer = try PythonPeer("websocket_server.py")
        let port = try await peer.line()
        try await withLoop { loop async throws in
            let reports = Recorder<SocketReport>()
            WebSocketClient.connect(
                to: "ws://127.0.0.1:\(port)/close/\(code)", on: loop, handlers: recording(reports))
            #expect(try await reports.next(2) == [.opened, .closed(WebSocketClose(code: code, reason: "because"))])
            let socket = WebSocketClient.connect(
                to: "ws://127.0.0.1:\(port)/report", on: loop, handlers: recording(reports))
            #expect(try await reports.next() == .opened)
            socket.close(code: code, reason: "bÿe")
            #expect(try await peer.line() == "closed \(code) bÿe")
            #expect(try await untilClosed(reports).code == code)
        }
    }
}
