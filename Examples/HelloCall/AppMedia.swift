// SPDX-License-Identifier: MIT

import Offhook

/// The app's media engine: give it the one you ship.
enum AppMedia {
    /// The engine; without one a call ends with a message that says so.
    static var engine: any MediaEngine { NoMediaEngine() }
}

/// Stands where an app's media engine goes, and says that it is missing.
final class NoMediaEngine: MediaEngine {
    private static let missing = MediaFailure(
        .engine, "This app has no media engine yet; return one from AppMedia.engine, such as Offhook's WebRTC adapter.")

    var capabilities: MediaCapabilities { MediaCapabilities() }

    func prepare() async throws { throw NoMediaEngine.missing }

    func makeSession(
        _ configuration: MediaSessionConfiguration, events: @escaping @Sendable (MediaEvent) -> Void
    ) throws -> any MediaSession {
        throw NoMediaEngine.missing
    }
}
