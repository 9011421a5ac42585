// SPDX-License-Identifier: MIT

import Foundation
import OffhookNet

/// ws.echo: how many 200-byte messages one server thread echoes per second.
///
/// Every connection has one message under way. The same client, in this process, drives our server and the peer; only
/// the server's processor time counts as cost.
enum WebSocketEcho {
    static let benchmark = Benchmark(
        ids: ["ws.echo"], summary: "WebSocket echo of 200-byte messages, one server thread, 100 connections",
        run: {
            let sizes = [20_000, 200_000]
            let small = try await measureWebSocketEcho(connections: 100, messages: sizes[0])
            let large = try await measureWebSocketEcho(connections: 100, messages: sizes[1])
            let growth = Growth.note(
                (sizes[0], small.cpuMicrosecondsPerMessage * Double(sizes[0])),
                (sizes[1], large.cpuMicrosecondsPerMessage * Double(sizes[1])))
            var row = makeRow(sizes[1], large, note: growth)
            if PythonPeer.isAvailable {
                let peer = try await measureWebSocketEchoPeer(connections: 100, messages: sizes[0])
                row = row.beside("websockets (PyPI)", peer.perSecond, better: .higher)
                let cost = String(format: "%.1f", peer.cpuMicrosecondsPerMessage)
                row.note = (row.note ?? "") + "; the peer's server \(cost) µs CPU a message"
            }
            return [makeRow(sizes[0], small, note: "the client runs in the same process"), row]
        })

    private static func makeRow(
        _ messages: Int, _ measured: (perSecond: Double, cpuMicrosecondsPerMessage: Double), note: String
    ) -> BenchmarkRow {
        let cost = String(format: "server thread %.1f µs CPU a message", measured.cpuMicrosecondsPerMessage)
        return BenchmarkRow(
            "ws.echo", n: messages, value: measured.perSecond, unit: "messages/s", note: "\(cost); \(note)")
    }
}

/// Echoes messages over our own server and measures it.
///
/// - Parameters:
///   - connections: The connections, each with one message under way.
///   - messages: All messages together.
/// - Returns: Messages per second, and the processor time of the server's thread per message.
/// - Throws: A `NetError` or ``BenchmarkError`` when a connection fails.
func measureWebSocketEcho(
    connections: Int, messages: Int
) async throws -> (perSecond: Double, cpuMicrosecondsPerMessage: Double) {
    let loop = try EventLoop(name: "echo-server")
    defer { loop.stop() }
    let handlers = WebSocketHandlers(text: { socket, text in socket.send(text: text) })
    let server = try HTTPServer(
        loop: loop, host: "127.0.0.1", port: 0, handler: { _, respond in respond(.text(404, "WebSockets only")) },
        upgrade: { _ in .accept(handlers) })
    let load = try EchoLoad(port: server.port, connections: connections)
    try await load.open()
    let before = await threadSeconds(of: loop)
    let seconds = try await load.run(messages: messages)
    let cost = await threadSeconds(of: loop) - before
    load.close()
    return (Double(messages) / seconds, cost / Double(messages) * 1e6)
}

/// Echoes messages over PyPI's `websockets` and measures it in the same way.
func measureWebSocketEchoPeer(
    connections: Int, messages: Int
) async throws -> (perSecond: Double, cpuMicrosecondsPerMessage: Double) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: ".venv-bench/bin/python")
    process.arguments = ["Benchmarks/peers/websockets_echo.py"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    defer { if process.isRunning { process.terminate() } }
    // The script answers each line with one: first the port, then its processor time so far.
    func figure() throws -> Double {
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        guard let value = Double(String(decoding: line, as: UTF8.self)) else {
            throw BenchmarkError("websockets_echo.py said \"\(String(decoding: line, as: UTF8.self))\"")
        }
        return value
    }
    func ask() throws -> Double {
        try input.fileHandleForWriting.write(contentsOf: Data("cpu\n".utf8))
        return try figure()
    }
    let load = try EchoLoad(port: Int(try figure()), connections: connections)
    try await load.open()
    let before = try ask()
    let seconds = try await load.run(messages: messages)
    let cost = try ask() - before
    load.close()
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    return (Double(messages) / seconds, cost / Double(messages) * 1e6)
}

private func threadSeconds(of loop: EventLoop) async -> Double {
    await withCheckedContinuation { continuation in
        loop.execute { continuation.resume(returning: Stopwatch.threadSeconds()) }
    }
}
