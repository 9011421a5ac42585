// SPDX-License-Identifier: MIT

import Offhook

/// An app's calls: made at launch, before the launch callback returns, and kept for the app's life.
final class Calls: Sendable {
    let center: CallCenter

    init(token: String, device: String, media: any MediaEngine, transport: any SignalTransport) {
        let configuration = CallCenter.Configuration(
            serverURL: "wss://calls.example.com/v1/socket", sessionToken: { token }, deviceID: device,
            bundleIdentifier: "com.example.app")
        center = CallCenter(configuration: configuration, media: media, transport: transport)
        center.start()  // from here on a VoIP push rings, whether the app runs or not
    }

    /// Calls somebody, and returns once both sides hear each other or the call is over.
    func call(_ name: String) async throws {
        let call = try await center.startCall(to: Handle(value: name), displayName: name).get()
        for await calls in center.calls {
            guard let current = calls.first(where: { $0.id == call }), current.state != .active else { return }
        }
    }
}
