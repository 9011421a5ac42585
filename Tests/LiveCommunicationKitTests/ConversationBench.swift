// SPDX-License-Identifier: MIT

import Foundation
import LiveCommunicationKit
import Testing
import VirtualPhone

enum Calls {
    static let first = UUID(uuidString: "AAAAAAAA-0000-4000-8000-000000000001") ?? UUID()
    static let second = UUID(uuidString: "BBBBBBBB-0000-4000-8000-000000000002") ?? UUID()
    static let third = UUID(uuidString: "CCCCCCCC-0000-4000-8000-000000000003") ?? UUID()
    static let alice = Handle(type: .phoneNumber, value: "+15550100", displayName: "Alice")
    static let bob = Handle(type: .generic, value: "bob")
    static let everything: Conversation.Capabilities = [.merging, .pausing, .playingTones, .unmerging]
    static var update: Conversation.Update {
        Conversation.Update(members: [alice], capabilities: everything)
    }
}

/// A phone with the test's app.
struct ConversationBench {
    static let bundle = "com.example.conversations"
    let phone: VirtualPhone
    let probe: AppProbe

    init(
        _ state: AppProbe.State = .init(), settings: PhoneSettings = .init(), locked: Bool = false, seed: UInt64 = 7
    ) {
        let probe = AppProbe(state)
        let phone = VirtualPhone(.init(settings: settings, locked: locked, seed: seed))
        self.phone = phone
        self.probe = probe
        phone.install(
            App(bundleIdentifier: Self.bundle, displayName: "Conversations") { _ in
                guard let process = AppProcess.current else { return NSObject() }
                return ConversationApp(process: process, probe: probe)
            })
    }

    func close() {
        probe.state.withLock { $0.app = nil }
        phone.shutDown()
    }

    var lines: [String] { phone.timeline.entries.map(\.description) }

    func lines(from start: Int) -> [String] { Array(lines.dropFirst(start)) }

    @discardableResult
    func open() async throws -> ConversationApp {
        phone.open(Self.bundle)
        await phone.settle()
        return try #require(probe.app)
    }

    /// The app runs, and the first conversation rings.
    @discardableResult
    func ring(_ call: UUID = Calls.first, update: Conversation.Update = Calls.update) async throws -> ConversationApp {
        let app: ConversationApp
        if let running = probe.app { app = running } else { app = try await open() }
        try await app.manager.reportNewIncomingConversation(uuid: call, update: update)
        await phone.settle()
        return app
    }

    /// The first conversation goes on, with audio.
    @discardableResult
    func talk(_ call: UUID = Calls.first) async throws -> ConversationApp {
        let app = try await ring(call)
        try phone.user.answer()
        await phone.advance(by: .milliseconds(100))
        return app
    }

    /// The app was launched once, so that it has a token, and was closed; the phone is locked.
    func register() async throws -> Data {
        try await open()
        try phone.user.close(Self.bundle)
        phone.user.lock()
        probe.forget()
        probe.state.withLock { $0.app = nil }
        return try #require(phone.pushToken(for: Self.bundle))
    }
}

/// The error's domain and code.
func code(_ body: () async throws -> Void) async -> String? {
    do {
        try await body()
        return nil
    } catch {
        let error = error as NSError
        return "\(error.domain) \(error.code)"
    }
}

let requestDomain = "com.apple.CallKit.error.requesttransaction"
let incomingDomain = "com.apple.CallKit.error.incomingcall"

extension ConversationApp {
    /// Runs async code as the app's process: on its push registry's queue a task would find the process by itself.
    func inProcess<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
        try await process.run { Task { try await body() } }.value
    }
}
