// SPDX-License-Identifier: MIT

import HelloCall
import Offhook
import OffhookNet
import OffhookTesting
import Testing
import VirtualPhone

/// The example's source, unchanged, on two virtual phones.
@Suite(.timeLimit(.minutes(2))) @MainActor struct HelloCallTests {
    /// Everything in one place: the lab, and the app of each phone.
    private final class Scene {
        let lab = PhoneLab()
        private let apps = Guarded<[String: WeakReference<HelloCall>]>([:])
        static let bundle = "com.example.hello"

        /// A phone with the app, registered for pushes.
        func join(_ name: String, closed: Bool = false) async throws -> VirtualPhone {
            let phone = lab.phone(name)
            let (lab, apps) = (lab, apps)
            lab.install(
                App(bundleIdentifier: Scene.bundle, displayName: "Hello") { _ in
                    let app = HelloCall(
                        HelloCallSettings(
                            serverURL: "ws://lab/signal", token: "token", deviceID: name,
                            bundleIdentifier: Scene.bundle,
                            pushEnvironment: .development),
                        media: RecordingMedia(negotiates: true), transport: lab.server.transport(for: name, on: phone),
                        clock: lab.clock)
                    apps.withLock { $0[name] = WeakReference(app) }
                    return app
                }, on: phone)
            phone.open(Scene.bundle)
            await lab.advance(by: .seconds(1))
            if closed {
                try phone.user.close(Scene.bundle)
                phone.user.lock()
                await lab.advance(by: .seconds(1))
            }
            return phone
        }

        /// The app that runs on a phone.
        func app(_ name: String) throws -> HelloCall {
            try #require(apps.withLock { $0[name]?.value })
        }

        deinit {
            lab.shutDown()
        }
    }

    /// Lets the model take in what the app said.
    private func screen(_ model: CallScreenModel, _ lab: PhoneLab, until status: String) async -> CallScreen {
        for _ in 0..<1000 where model.screen.status != status {
            await lab.settle()
            await Task.yield()
        }
        return model.screen
    }

    @Test("R95: a closed, locked phone rings, is answered, both talk, mute, and one hangs up")
    func wholeCall() async throws {
        let scene = Scene()
        let alice = try await scene.join("alice")
        let bob = try await scene.join("bob", closed: true)
        let model = CallScreenModel(try scene.app("alice"))
        let following = Task { await model.follow() }
        defer { following.cancel() }
        #expect(model.screen.buttons == [.call])

        let call = Task { await model.tap(.call, name: "bob") }
        for _ in 0..<1000 where bob.screen.incoming.isEmpty {
            await scene.lab.advance(by: .milliseconds(20))
            await Task.yield()
        }
        await call.value
        #expect(model.problem == nil)
        #expect(bob.screen.incoming.count == 1)
        let ringing = await screen(model, scene.lab, until: "rings")
        #expect(ringing.title == "bob" && ringing.buttons == [.mute, .end])

        try bob.user.answer()
        await scene.lab.advance(by: .seconds(5))
        let talking = await screen(model, scene.lab, until: "connected")
        #expect(talking.buttons == [.mute, .hold, .end])
        #expect(alice.snapshot.isCallAudioActive && bob.snapshot.isCallAudioActive)

        try bob.user.hangUp()
        await scene.lab.advance(by: .seconds(5))
        #expect(await screen(model, scene.lab, until: "Nobody calls.").buttons == [.call])
        #expect(scene.lab.violations.isEmpty)
        #expect(alice.deaths.isEmpty && bob.deaths.allSatisfy { $0.rule == nil })
    }

    @Test("A second tap while a call goes on is told in words")
    func busy() async throws {
        let scene = Scene()
        _ = try await scene.join("alice")
        let bob = try await scene.join("bob")
        let model = CallScreenModel(try scene.app("alice"))
        let first = Task { await model.tap(.call, name: "bob") }
        for _ in 0..<1000 where bob.screen.incoming.isEmpty {
            await scene.lab.advance(by: .milliseconds(20))
            await Task.yield()
        }
        await first.value
        await model.tap(.call, name: "carol")
        #expect(model.problem?.isEmpty == false)
        #expect(scene.lab.violations.isEmpty)
    }

    @Test("Every state of a call has words and buttons; only the states with voice can be held")
    func everyState() {
        var call = Call(
            id: CallID(high: 1, low: 1), direction: .incoming,
            details: CallDetails(handle: Handle(value: "bob"), displayName: "Bob"), state: .incoming,
            createdAt: Instant(milliseconds: 0))
        var seen: [String: [CallScreen.Button]] = [:]
        let states: [Call.State] = [.incoming, .outgoing, .connecting, .active, .held, .ended(.busy)]
        for state in states {
            call.state = state
            let screen = CallScreen([call])
            #expect(screen.title == "Bob")
            seen[screen.status] = screen.buttons
        }
        #expect(seen.count == states.count)
        #expect(seen.filter { $0.value.contains(.hold) }.keys.sorted() == ["connected", "on hold"])
        #expect(seen["calls you"] == [.answer, .end])
        for reason in EndReason.allCases { #expect(CallScreen.words(for: reason).hasSuffix(".")) }
    }
}
