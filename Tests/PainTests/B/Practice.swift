// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import OffhookTesting
import Testing
import VirtualPhone

/// A phone with one app of practice on it.
final class Practice<Program: PracticeApp>: Sendable {
    let phone: VirtualPhone
    let diary = Diary()
    let bundle = "practice.app"
    private let running = RunningApp<Program>()

    init(
        system: SystemVersion = SystemVersion(26, 4), settings: PhoneSettings = PhoneSettings(),
        _ make: @escaping @Sendable (Diary) -> Program
    ) {
        phone = VirtualPhone(VirtualPhone.Configuration(system: system, settings: settings, seed: 1))
        phone.install(
            App(bundleIdentifier: bundle, displayName: "Practice") { [diary, running] _ in
                let program = make(diary)
                running.program = program
                running.process = AppProcess.current
                return program
            })
    }

    /// The user opens the app.
    func open() async {
        phone.open(bundle)
        await phone.settle()
    }

    /// The app registered for pushes and was closed; the phone is locked.
    func sleep() async throws {
        await open()
        try phone.user.close(bundle)
        phone.user.lock()
        await phone.settle()
    }

    /// A call comes in by a push.
    func ring(_ push: PushBody = [:]) async {
        phone.push(to: bundle, push)
        await phone.settle()
    }

    /// A call comes in by a push, and is answered on the phone.
    func talk() async throws {
        await ring()
        try phone.user.answer()
        await phone.advance(by: .seconds(1))
    }

    /// Runs code in the app, as its buttons and its server's messages do.
    func inApp(_ body: @escaping @Sendable (Program) -> Void) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { [running] in
                if let program = running.program { running.process?.run { body(program) } }
                continuation.resume()
            }
        }
        await phone.settle()
    }

    /// The app's audio session as the phone sees it.
    var session: AudioSessionValue? { phone.audioSession(of: bundle) }

    /// The first call that goes on, as the screen shows it.
    var inCall: Screen.InCall? { phone.screen.inCall.first }

    /// The rules that the app broke.
    var brokenRules: [String] { phone.violations.map(\.rule) }
}

/// The app that was launched last, and its process.
private final class RunningApp<Program: PracticeApp> {
    weak var program: Program?
    var process: AppProcess?
}

// Used on the main queue alone: apps are launched there, and `inApp` runs there.
extension RunningApp: @unchecked Sendable {}
