// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookMedia
import OffhookNet
import OffhookTesting
import VirtualPhone

/// The demo's calling app: what an app on a phone does with Offhook, and the phone's sound device at its side.
///
/// Made in the app's launch closure; it lives as long as the app's process.
final class CallingApp: Sendable {
    /// What an app is told when it is installed.
    struct Setup: Sendable {
        /// The user's id.
        var user: String
        /// The server.
        var serverURL: String
        /// The session token.
        var token: String
        /// The app's bundle id.
        var bundle: String
        /// What the user says.
        var voice: PCM
        /// Where what the user hears is recorded.
        var recording: String
        /// Runs the connections.
        var loop: EventLoop
    }

    /// The calls.
    let calls: CallCenter
    /// What was really sent, after the mute gate.
    let sent: MemoryRecorder

    /// Launches the app: everything is set up before the launch closure returns (R8).
    init(_ setup: Setup) {
        let sent = MemoryRecorder()
        let device = SoundDevice()
        let engine = GStreamerMediaEngine { _ in
            AudioPort(
                microphone: device.microphone(WAVSource(setup.voice, repeats: true)),
                speaker: try WAVRecorder(path: setup.recording), sent: sent)
        }
        var configuration = CallCenter.Configuration(
            serverURL: setup.serverURL, sessionToken: { setup.token }, deviceID: setup.user + "-iphone",
            bundleIdentifier: setup.bundle, pushEnvironment: .development)
        configuration.provider.handleKinds = [.generic]
        calls = CallCenter(
            configuration: configuration, media: WindowedEngine(engine, device),
            transport: NetSignalTransport(loop: setup.loop))
        self.sent = sent
        calls.start()
    }
}

/// The phone's microphone and loudspeaker: tells the phone when audio really runs, so that the phone can judge (R70).
final class SoundDevice: Sendable {
    private let process = AppProcess.current
    private let isRunning = Guarded(false)

    /// A microphone that reports its first frame.
    func microphone(_ source: any AudioSource) -> any AudioSource {
        Microphone(source: source, device: self)
    }

    /// Audio runs, or does not any more.
    func setRunning(_ running: Bool) {
        let changed = isRunning.withLock { value in
            defer { value = running }
            return value != running
        }
        if changed { process?.send(.setAudioRunning(running: running)) }
    }

    private final class Microphone: AudioSource {
        private let source: any AudioSource
        private let device: SoundDevice

        init(source: any AudioSource, device: SoundDevice) {
            self.source = source
            self.device = device
        }

        func nextFrame() -> [Int16] {
            device.setRunning(true)
            return source.nextFrame()
        }
    }
}

/// A media engine whose sessions tell the sound device when the audio switch closes.
private final class WindowedEngine: MediaEngine {
    private let engine: any MediaEngine
    private let device: SoundDevice

    init(_ engine: any MediaEngine, _ device: SoundDevice) {
        self.engine = engine
        self.device = device
    }

    var capabilities: MediaCapabilities { engine.capabilities }

    func prepare() async throws { try await engine.prepare() }

    func makeSession(
        _ configuration: MediaSessionConfiguration, events: @escaping @Sendable (MediaEvent) -> Void
    ) throws -> any MediaSession {
        Session(session: try engine.makeSession(configuration, events: events), device: device)
    }

    private final class Session: MediaSession {
        private let session: any MediaSession
        private let device: SoundDevice

        init(session: any MediaSession, device: SoundDevice) {
            self.session = session
            self.device = device
        }

        func receive(_ signal: MediaSignal) { session.receive(signal) }

        func setAudioOpen(_ open: Bool) {
            session.setAudioOpen(open)
            if !open { device.setRunning(false) }
        }

        func setMuted(_ muted: Bool) { session.setMuted(muted) }

        func setHeld(_ held: Bool) {
            session.setHeld(held)
            if held { device.setRunning(false) }
        }

        func close() {
            session.close()
            device.setRunning(false)
        }
    }
}
