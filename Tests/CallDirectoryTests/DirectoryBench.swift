// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import Testing
import VirtualPhone

/// What an extension of the tests does, and what it heard.
final class Script: Sendable {
    typealias Body = @Sendable (CXCallDirectoryExtensionContext, Script) -> Void

    private struct State {
        var body: Body
        var setsDelegate = true
        var runs = 0
        var failures: [PhoneError] = []
        var completions: [Bool] = []
    }
    private let state: Locked<State>

    init(_ body: @escaping Body) {
        state = Locked(State(body: body))
    }

    /// An extension that gives a list and completes.
    static func blocking(_ numbers: [Int64]) -> Script {
        Script { context, script in
            for number in numbers { context.addBlockingEntry(withNextSequentialPhoneNumber: number) }
            script.complete(context)
        }
    }

    func set(_ body: @escaping Body) { state.withLock { $0.body = body } }
    func setWithoutDelegate() { state.withLock { $0.setsDelegate = false } }
    var body: Body {
        state.withLock { state in
            state.runs += 1
            return state.body
        }
    }
    var setsDelegate: Bool { state.withLock { $0.setsDelegate } }
    /// How often the extension ran.
    var runs: Int { state.withLock { $0.runs } }
    /// What the context's delegate heard.
    var failures: [PhoneError] { state.withLock { $0.failures } }
    /// What the completions were called with.
    var completions: [Bool] { state.withLock { $0.completions } }

    func complete(_ context: CXCallDirectoryExtensionContext) {
        context.completeRequest { expired in self.state.withLock { $0.completions.append(expired) } }
    }

    func failed(_ error: any Error) {
        state.withLock {
            $0.failures.append(PhoneError(domain: (error as NSError).domain, code: (error as NSError).code))
        }
    }
}

/// An extension that follows a script.
final class ScriptedProvider: CXCallDirectoryProvider, CXCallDirectoryExtensionContextDelegate {
    private let script: Script

    init(_ script: Script) {
        self.script = script
        super.init()
    }

    override func beginRequest(with context: CXCallDirectoryExtensionContext) {
        if script.setsDelegate { context.delegate = self }
        script.body(context, script)
    }

    func requestFailed(for extensionContext: CXCallDirectoryExtensionContext, withError error: any Error) {
        script.failed(error)
    }
}

/// A phone with an app and its extension, which the user has switched on.
final class DirectoryBench: Sendable {
    static let app = "com.example.app"
    static let directory = "com.example.app.directory"

    let phone: VirtualPhone
    let script: Script
    private let process = Locked<AppProcess?>(nil)

    init(
        _ script: Script = .blocking([]), system: SystemVersion = SystemVersion(26, 4),
        settings: DirectorySettings = DirectorySettings(), storage: URL? = nil,
        extensions: [App.CallDirectoryExtension] = []
    ) {
        var phoneSettings = PhoneSettings()
        phoneSettings.directory = settings
        self.script = script
        phone = VirtualPhone(.init(system: system, settings: phoneSettings, seed: 1, storage: storage))
        install(extensions)
    }

    /// An extension of this app that follows a script.
    static func scripted(_ script: Script, _ identifier: String = directory) -> App.CallDirectoryExtension {
        App.CallDirectoryExtension(bundleIdentifier: identifier) { ScriptedProvider(script) }
    }

    func install(_ extensions: [App.CallDirectoryExtension] = []) {
        let process = process
        phone.install(
            App(
                bundleIdentifier: DirectoryBench.app, displayName: "App",
                callDirectoryExtensions: extensions.isEmpty ? [DirectoryBench.scripted(script)] : extensions
            ) { _ in
                process.withLock { $0 = AppProcess.current }
                return NSObject()
            })
    }

    /// Opens the app, and switches the extension on; the load that follows is over when this returns.
    @discardableResult
    func enable(_ identifier: String = directory) async -> DirectoryLoadReport? {
        phone.callDirectory.setEnabled(identifier, true)
        return await phone.callDirectory.finishLoading(identifier)
    }

    func runningApp() async throws -> AppProcess {
        phone.open(DirectoryBench.app)
        await phone.settle()
        return try #require(process.withLock { $0 })
    }

    /// The app reloads an extension.
    ///
    /// - Returns: What the completion was called with.
    func reload(_ identifier: String = directory) async throws -> PhoneError? {
        let app = try await runningApp()
        let answer = Answer<PhoneError?>()
        app.run {
            CXCallDirectoryManager.sharedInstance.reloadExtension(withIdentifier: identifier) { error in
                answer.put(error.map { PhoneError(domain: ($0 as NSError).domain, code: ($0 as NSError).code) })
            }
        }
        await phone.callDirectory.finishLoading(identifier)
        return await answer.take()
    }

    /// The script is exchanged, and the app reloads.
    func reload(running body: @escaping Script.Body) async throws -> PhoneError? {
        script.set(body)
        return try await reload()
    }

    var blocked: [Int64] { phone.callDirectory.blocked(by: DirectoryBench.directory) }
    var identified: [DirectoryLabel] { phone.callDirectory.identified(by: DirectoryBench.directory) }
    var lastReport: DirectoryLoadReport? { phone.callDirectory.loads.last }
    func violations(of rule: String) -> Int { phone.violations.filter { $0.rule == rule }.count }

    func close() { phone.shutDown() }
}

/// An error of the manager's domain.
func managerError(_ code: Int) -> PhoneError {
    PhoneError(domain: CXErrorDomainCallDirectoryManager, code: code)
}

/// A database error.
func databaseError(_ code: Int) -> PhoneError {
    PhoneError(domain: "com.apple.callkit.database.sqlite", code: code)
}

/// One value that comes later.
final class Answer<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiter: CheckedContinuation<Value, Never>?
    }
    private let state = Locked(State())

    func put(_ value: Value) {
        let waiter = state.withLock { state in
            if state.waiter == nil { state.value = value }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: value)
    }

    /// The value so far; nil while there is none.
    var current: Value? { state.withLock { $0.value } }

    func take() async -> Value {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state in
                if state.value == nil { state.waiter = continuation }
                return state.value
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
