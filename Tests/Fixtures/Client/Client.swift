// SPDX-License-Identifier: MIT

import Offhook

/// An app's use of the SDK's commands and streams; it compiles in Swift 5 mode and in Swift 6 mode.
@MainActor final class Client {
    let calls: CallCenter
    var live: [Call] = []
    var cursor: JournalCursor?

    init(media: any MediaEngine, transport: any SignalTransport) {
        var configuration = CallCenter.Configuration(
            serverURL: "wss://example.com", sessionToken: { "token" }, deviceID: "device", bundleIdentifier: "bundle")
        configuration.storage = nil
        configuration.log = { entry in print(entry) }
        calls = CallCenter(configuration: configuration, media: media, transport: transport)
        calls.start()
    }

    func call(_ name: String) async throws {
        let call = try await calls.startCall(to: Handle(value: name), displayName: name, video: false).get()
        let operation = OperationID()
        let result = await calls.answer(call, operation: operation, within: .seconds(3))
        switch result.status {
        case .applied, .rejected, .timedOut, .unknown: break
        }
        switch calls.operation(operation, of: calls.capabilities.generation) {
        case .completed, .pending, .unavailable, .generationMismatch: break
        }
        do {
            try await calls.setMuted(true, for: call).get()
        } catch {
            if error.code == .mediaNotReady { print(error.message) }
        }
        for result in [
            await calls.setHeld(true, for: call), await calls.swap(to: call), await calls.merge(call, with: call),
            await calls.split(call), await calls.playTones("12,3", in: call),
            await calls.setRoute("speaker", for: call), await calls.setDisplayName("Robert", for: call),
            await calls.setCamera(true, in: call), await calls.switchCamera(to: .back, in: call),
            await calls.setTranslation(nil, for: call), await calls.end(call),
        ] {
            print(result.status)
        }
    }

    func watch() async {
        live = calls.currentCalls
        for await event in calls.events(after: cursor) {
            switch event {
            case .began(_, let snapshot, let cursor):
                live = snapshot
                self.cursor = cursor
            case .entry(let entry):
                cursor = entry.cursor
                calls.acknowledge(entry.cursor)
            }
        }
    }

    func show() async {
        for await calls in calls.calls { live = calls }
        for await event in calls.events {
            if case .storage(.damaged) = event { try? calls.resetStorage() }
            if case .routes(let routes) = event { print(routes.available.count) }
        }
    }

    func change() async {
        await calls.signIn(account: "alice") { "token" }
        await calls.signOut()
    }
}
