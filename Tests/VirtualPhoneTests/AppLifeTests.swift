// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// An app's life: background time, suspension, tasks, and what wakes it.
@Suite(.timeLimit(.minutes(1)))
struct AppLifeTests {
    /// An application object of a raw app, which writes down what it is told.
    struct Application: Sendable {
        let id = UUID()
        let probe = RawApp.Probe()
        let process: AppProcess

        init(_ app: RawApp) {
            process = app.process
            process.attach(id, queue: app.queue) { [probe] event in
                if case .application(_, let event) = event { probe.saw("\(event)") }
            }
            process.send(.application(.attach(application: id)))
        }

        var value: ApplicationValue? {
            guard case .application(let value) = process.send(.application(.readState)) else { return nil }
            return value
        }
    }

    private func leave(_ bench: PhoneBench) async throws -> (app: RawApp, application: Application) {
        let app = try await bench.open()
        let application = Application(app)
        bench.phone.user.goHome()
        await bench.phone.settle()
        return (app, application)
    }

    @Test("K11, R80: without a call an app is suspended after 30 s in the background, not in the foreground")
    func suspended() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let (_, application) = try await leave(bench)
        #expect(application.value?.backgroundTimeRemaining == .seconds(30))
        await bench.phone.advance(by: .milliseconds(29_999))
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .background)
        await bench.phone.advance(by: .milliseconds(1))
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .suspended)
        bench.phone.open(PhoneBench.bundle)
        await bench.phone.advance(by: .seconds(600))
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .foreground)
        #expect(bench.phone.violations.isEmpty)
        #expect(
            application.probe.events == [
                "didBecomeActive", "willResignActive", "didEnterBackground", "willEnterForeground", "didBecomeActive",
            ])
    }

    @Test("K11: a call keeps its app running; its time begins at the end of the call")
    func callKeepsRunning() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        await bench.phone.advance(by: .seconds(600))
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .background)
        try bench.phone.user.hangUp()
        await bench.phone.advance(by: .seconds(29))
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .background)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .suspended)
    }

    @Test("K11: a suspended app hears of calls when it is woken, in order; a push wakes it")
    func wokenByPush() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let token = try await bench.register()
        bench.phone.user.unlock()
        _ = try await leave(bench)
        let other = RawApp.Probe()
        bench.phone.install(PhoneBench.app(other, bundle: "other.app"))
        await bench.phone.advance(by: .seconds(30))
        bench.phone.open("other.app")
        await bench.phone.settle()
        try #require(other.app).report(Calls.second)
        await bench.phone.settle()
        bench.phone.user.lock()
        bench.probe.forgetEvents()
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.probe.events.isEmpty)
        bench.phone.receivePush(token: token, payload: Data("{}".utf8))
        await bench.phone.settle()
        #expect(bench.probe.events == ["observer ringing", "push mustReport", "report nil", "observer ringing"])
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .background)
    }

    @Test("K11: what a suspended app asks is done when it is woken; audio is refused")
    func frozenRequests() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let (app, _) = try await leave(bench)
        await bench.phone.advance(by: .seconds(30))
        app.report(Calls.first)
        await bench.phone.settle()
        #expect(bench.phone.snapshot.calls.isEmpty)
        #expect(app.process.send(.listCalls) == .calls([]))
        guard case .failure = app.process.send(.setAudioActive(active: true, options: 0)) else {
            Issue.record("a suspended app has no audio")
            return
        }
        bench.phone.open(PhoneBench.bundle)
        await bench.phone.settle()
        #expect(bench.phone.snapshot.calls.map(\.uuid) == [Calls.first])
    }

    @Test("K11, E4: an action on its call wakes an app, and gives it 30 s anew")
    func wokenByAction() async throws {
        var settings = PhoneSettings()
        settings.backgroundTime = .seconds(2)
        let bench = PhoneBench(settings: settings)
        defer { bench.close() }
        try await bench.talk()
        await bench.phone.advance(by: .seconds(20))
        try bench.phone.user.hangUp()
        await bench.phone.settle()
        #expect(bench.probe.events.contains("perform end"))
        await bench.phone.advance(by: .seconds(2))
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .suspended)
    }

    @Test("K11, R80: a background task that is ended in time is fine; the app is suspended with its last task")
    func taskEnded() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let (app, application) = try await leave(bench)
        app.process.send(.application(.beginBackgroundTask(task: 1, name: nil)))
        await bench.phone.advance(by: .seconds(32))
        #expect(application.probe.events.last == "backgroundTimeExpired")
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .background)
        app.process.send(.application(.endBackgroundTask(task: 1)))
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .suspended)
        await bench.phone.advance(by: .seconds(60))
        #expect(bench.phone.deaths.isEmpty)
    }

    @Test("K11: an app that does not end its task is terminated 5 s after the expiry")
    func taskNotEnded() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let (app, _) = try await leave(bench)
        app.process.send(.application(.beginBackgroundTask(task: 1, name: "upload")))
        await bench.phone.advance(by: .milliseconds(34_999))
        #expect(bench.phone.deaths.isEmpty)
        await bench.phone.advance(by: .milliseconds(1))
        #expect(bench.phone.deaths.map(\.rule) == ["K11"])
        #expect(bench.phone.deaths.map(\.code) == ["0x8badf00d"])
        #expect(bench.phone.violations.map(\.rule) == ["K11"])
    }

    @Test("R2: without the audio background mode audio stops when the app leaves the screen")
    func audioMode() async throws {
        let bench = PhoneBench(locked: false, modes: [.voip])
        defer { bench.close() }
        let app = try await bench.open()
        app.process.send(.setAudioActive(active: true, options: 0))
        #expect(app.process.send(.setAudioRunning(running: true)) == .done)
        bench.phone.user.goHome()
        #expect(bench.phone.violations.map(\.rule) == ["R2"])
        await bench.phone.advance(by: .seconds(30))
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .suspended)
    }

    @Test("R2, P53: a call's audio goes on behind the lock screen with the audio mode, and keeps the app running")
    func audioModeKeepsRunning() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        app.process.send(.setAudioActive(active: true, options: 0))
        app.process.send(.setAudioRunning(running: true))
        bench.phone.user.lock()
        await bench.phone.advance(by: .seconds(120))
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .background)
        #expect(bench.phone.violations.isEmpty)
    }
}
