// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import OffhookCallDirectory
import OffhookDirectory
import OffhookDirectoryCompiler
import VirtualPhone

// kill-fixture WHAT FOLDER FIRST LAST: does one thing with the numbers FIRST...LAST, and may be killed at any write.
let arguments = CommandLine.arguments.dropFirst()
let folder = URL(fileURLWithPath: arguments[2], isDirectory: true)
let numbers = (Int64(arguments[3]) ?? 1)...(Int64(arguments[4]) ?? 1)

/// Gives a few numbers as an extension.
final class Provider: CXCallDirectoryProvider {
    private let numbers: ClosedRange<Int64>

    init(_ numbers: ClosedRange<Int64>) {
        self.numbers = numbers
        super.init()
    }

    override func beginRequest(with context: CXCallDirectoryExtensionContext) {
        for number in numbers { context.addBlockingEntry(withNextSequentialPhoneNumber: number) }
        context.completeRequest()
    }
}

/// Compiles the numbers into a file, which is replaced.
func compile(to file: URL) throws {
    var pieces = ["\(numbers.lowerBound)..\(numbers.upperBound)\tCaller\n"]
    // So long a label table that the sink writes more than once.
    for number in numbers { pieces.append("\(number)\tCaller \(number)\(String(repeating: "x", count: 200))\n") }
    let position = Counter()
    let lines = pieces
    let source = ImportSource(name: "list", format: .patterns, purpose: .block) { _ in
        let index = position.take()
        return index < lines.count ? Array(lines[index].utf8) : []
    }
    let sink = try AtomicFile(path: file.path)
    _ = try DirectoryCompiler().compile([source], into: sink)
    try sink.finish()
}

/// Counts from 0.
final class Counter: Sendable {
    private let value = Locked(0)
    func take() -> Int {
        value.withLock { value in
            defer { value += 1 }
            return value
        }
    }
}

switch arguments[1] {
case "compile":
    KillCounter.begin()
    try compile(to: folder.appendingPathComponent("list.directory"))
case "publish":
    let file = folder.appendingPathComponent("next.directory")
    try compile(to: file)
    KillCounter.begin()
    try DirectoryFolder(folder.appendingPathComponent("group")).publish(file, extensions: 1)
case "state":
    let group = DirectoryFolder(folder.appendingPathComponent("group"))
    let version = LoadState.Version(fingerprint: UInt64(numbers.lowerBound), shards: 1)
    KillCounter.begin()
    try group.change(0) { $0.begin(.full(new: version), through: nil, changes: 1) }
    try group.change(0) { $0.finish(.stored) }
case "phone":
    var settings = PhoneSettings()
    settings.directory.entriesPerSecond = nil
    settings.directory.loadsWhenEnabled = false
    let phone = VirtualPhone(.init(settings: settings, seed: 1, storage: folder))
    phone.install(
        App(
            bundleIdentifier: "com.example.app", displayName: "App",
            callDirectoryExtensions: [.init(bundleIdentifier: "com.example.app.directory") { Provider(numbers) }]
        ) { _ in NSObject() })
    phone.callDirectory.setEnabled("com.example.app.directory", true)
    KillCounter.begin()
    let report = await phone.callDirectory.load("com.example.app.directory")
    phone.shutDown()
    exit(report?.outcome == .stored ? 0 : 1)
default:
    exit(64)
}
exit(0)
