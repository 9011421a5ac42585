// SPDX-License-Identifier: MIT

import Foundation
import OffhookNet
import Testing
import VirtualAPNs

/// A sender that somebody else wrote, as a child process whose output lines are awaited.
final class SenderProcess {
    private struct State {
        var lines: [String] = []
        var isOver = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Guarded(State())
    private let process = Process()
    private let input = Pipe()

    /// Starts curl; without it the test fails and says what to do.
    static func curl(_ arguments: [String]) throws -> SenderProcess {
        let path = try #require(
            ["/usr/bin/curl", "/usr/local/bin/curl"].first(where: FileManager.default.isExecutableFile),
            "there is no curl; run `make setup`")
        return try SenderProcess(path, arguments)
    }

    /// Starts a script of the Peers folder; without the Python environment the test fails and says what to do.
    static func script(
        _ name: String, _ gateway: Gateway, dead: String = "", file: String = #filePath
    ) throws -> SenderProcess {
        let tests = URL(fileURLWithPath: file).deletingLastPathComponent()
        let package = tests.deletingLastPathComponent().deletingLastPathComponent()
        let python = package.appendingPathComponent(".venv/bin/python").path
        try #require(
            FileManager.default.isExecutableFile(atPath: python),
            "there is no Python environment at .venv; run `make setup`")
        let address = Address(
            port: gateway.apns.port, root: gateway.apns.rootCertificatePEM, key: gateway.key.pem,
            key_id: Gateway.keyID, team: Gateway.team, token: Gateway.token, dead: dead)
        return try SenderProcess(
            python,
            [
                "-B", tests.appendingPathComponent("Peers/\(name)").path,
                String(decoding: try JSONEncoder().encode(address), as: UTF8.self),
            ])
    }

    private struct Address: Encodable {
        var port: Int
        var root: String
        var key: String
        var key_id: String
        var team: String
        var token: String
        var dead: String
    }

    private init(_ program: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let state = state
        Thread {
            var rest = Data()
            while true {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { break }
                rest += more
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                    rest = Data(rest[(end + 1)...])
                    Self.wake(state) { $0.lines.append(line) }
                }
            }
            Self.wake(state) { $0.isOver = true }
        }.start()
    }

    private static func wake(_ state: Guarded<State>, _ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    /// The next line of output; fails the test when the program has ended without one.
    func line() async throws -> String {
        while true {
            let (line, isOver) = state.withLock { state -> (String?, Bool) in
                (state.lines.isEmpty ? nil : state.lines.removeFirst(), state.isOver)
            }
            if let line { return line }
            try #require(!isOver, "the sender has ended; its errors are in the test's output")
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state -> Bool in
                    guard state.lines.isEmpty, !state.isOver else { return true }
                    state.waiting = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    /// The next line as the JSON object that it is.
    func report<Report: Decodable>(_ type: Report.Type) async throws -> Report {
        try JSONDecoder().decode(type, from: Data(try await line().utf8))
    }

    /// Gives the program a line to read.
    func go() throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    }

    deinit {
        try? input.fileHandleForWriting.close()
        // Not waited for: Foundation may hear of the end only when other children have ended as well.
        if process.isRunning { process.terminate() }
    }
}
