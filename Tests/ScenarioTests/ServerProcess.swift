// SPDX-License-Identifier: MIT

import Foundation
import OffhookNet

/// `offhook serve` as a process of its own, so that it can really be killed.
final class ServerProcess {
    private struct State: Sendable {
        var output = ""
        var waiters: [CheckedContinuation<Void, Never>] = []
        var hasEnded = false
    }

    private let process: Process
    private let state = Guarded(State())

    /// Starts the server; returns when it listens and has printed its tokens.
    ///
    /// - Throws: ``ServerDidNotStart`` with what it printed.
    init(_ arguments: [String]) async throws {
        process = Process()
        process.executableURL = try ServerProcess.tool()
        process.arguments = ["serve"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        pipe.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            self?.took(String(decoding: data, as: UTF8.self), end: data.isEmpty)
        }
        try process.run()
        // The tokens come after the line that names the port.
        let last = arguments.contains("--dev-token") ? "token for bob" : "listens on"
        while port == nil || !output.contains(last) {
            guard await changed() else { throw ServerDidNotStart(output: output) }
        }
    }

    /// The `offhook` tool: tests and tools are built into the same folder.
    static func tool() throws -> URL {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("offhook")
    }

    /// Everything it printed.
    var output: String { state.withLock { $0.output } }

    /// The port it listens on.
    var port: Int? {
        output.firstMatch(of: /listens on ws:\/\/127\.0\.0\.1:(\d+)\//).flatMap { Int($0.1) }
    }

    /// The token it printed for a user.
    func token(of user: String) -> String? {
        output.split(separator: "\n").first { $0.hasPrefix("token for \(user),") }
            .flatMap { $0.split(separator: " ").last.map(String.init) }
    }

    /// Waits until it has printed a text.
    func printed(_ text: String) async -> Bool {
        while !output.contains(text) {
            guard await changed() else { return false }
        }
        return true
    }

    /// kill -9.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// SIGTERM, and wait.
    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    private func took(_ text: String, end: Bool) {
        let waiters = state.withLock { state in
            state.output += text
            state.hasEnded = state.hasEnded || end
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits for the next output; false when there is none any more.
    private func changed() async -> Bool {
        let length = output.count
        await withCheckedContinuation { continuation in
            let isLate = state.withLock { state in
                if state.hasEnded || state.output.count != length { return true }
                state.waiters.append(continuation)
                return false
            }
            if isLate { continuation.resume() }
        }
        return state.withLock { !$0.hasEnded || $0.output.count != length }
    }
}

// The process object is used by one test at a time.
extension ServerProcess: @unchecked Sendable {}

/// The server ended before it listened.
struct ServerDidNotStart: Error, CustomStringConvertible {
    let output: String
    var description: String { "offhook serve did not start:\n\(output)" }
}
