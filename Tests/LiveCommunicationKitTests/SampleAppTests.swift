// SPDX-License-Identifier: MIT

import Foundation
import LiveCommunicationKit
import Testing
import VirtualPhone

/// The sample of docs/livecommunicationkit.md.
@Suite(.timeLimit(.minutes(1)))
struct SampleAppTests {
    @Test("L1, L2, L3: the documentation's sample app takes a push, joins, and hangs up without a violation")
    func sample() async throws {
        let phone = VirtualPhone(.init(clock: .virtual(start: Date())))
        defer { phone.shutDown() }
        phone.install(App(bundleIdentifier: "sample", displayName: "Sample") { _ in SampleCalls() })
        phone.open("sample")
        await phone.settle()
        phone.user.lock()
        phone.receivePush(token: try #require(phone.pushToken(for: "sample")), payload: Data("{}".utf8))
        await phone.settle()
        #expect(phone.screen.incoming.first?.callerName == "Alice")
        try phone.user.answer()
        await phone.advance(by: .seconds(1))
        #expect(phone.screen.inCall.first?.status == .timer && phone.snapshot.isCallAudioActive)
        try phone.user.hangUp()
        await phone.advance(by: .seconds(10))
        #expect(phone.recents.map(\.outcome) == [.answered])
        #expect(phone.violations == [] && phone.deaths == [])
    }
    @Test("R15, L1: the sample compiles in the Swift 5 and the Swift 6 mode", arguments: ["5", "6"])
    func languageModes(_ mode: String) throws {
        // Where SwiftPM put the modules that these tests were built with.
        let modules = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("Modules").path
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "SampleCalls.swift")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "swiftc", "-typecheck", "-swift-version", mode, "-I", modules, "-parse-as-library", file.path,
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && !output.contains("error:"), "\(output)")
    }
}
