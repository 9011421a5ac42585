// SPDX-License-Identifier: MIT

import Offhook
import OffhookCore

final class WebRTCSession: MediaSession {
    init(
        _ configuration: MediaSessionConfiguration, options: MediaOptions, port: AudioPort,
        events: @escaping @Sendable (MediaEvent) -> Void
    ) {}
    func start() {}
    static func warmUp(_ options: MediaOptions) async throws {}
    func receive(_ signal: MediaSignal) {}
    func setAudioOpen(_ open: Bool) {}
    func setMuted(_ muted: Bool) {}
    func setHeld(_ held: Bool) {}
    func close() {}
}
