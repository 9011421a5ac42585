// SPDX-License-Identifier: MIT

import Foundation

/// The place where a media engine on Linux tells the phone that its audio really runs (R70).
///
/// On iOS the system sees an engine's audio unit start; a media engine on Linux has no audio unit, so it holds one of
/// these and calls ``start(usesInput:)`` before its first frame and ``stop()`` after its last. The phone then judges
/// what it would see on iOS: audio outside of didActivate and didDeactivate (R70), audio that runs on (S2), a
/// microphone without permission (V9), an engine that goes on after the media services were reset (R53).
///
/// Make it in the app: in the launch closure, in a callback, or inside `AppProcess.run`. Methods may be called on any
/// thread; frames need no call.
public final class SoundIO: Sendable {
    /// Why audio may not start.
    public struct Refused: Error, Hashable, Sendable {
        /// Apple's error domain; empty when the process is dead.
        public var domain: String
        /// Apple's code, such as 561145187.
        public var code: Int
    }

    private let id = UUID()
    private let process: AppProcess

    /// Makes a sound device that does not run.
    ///
    /// - Precondition: A phone runs the app.
    public init() {
        process = AppProcess.required(for: "SoundIO")
    }

    deinit {
        stop()
    }

    /// Audio starts to run.
    ///
    /// - Parameter usesInput: Whether frames are taken from the microphone.
    /// - Throws: ``Refused`` when the session may not run now; no frame may be taken or played then.
    public func start(usesInput: Bool = true) throws(Refused) {
        let request = AudioSessionRequest.setRunning(io: id, running: true, usesInput: usesInput)
        let reply = process.send(.audioSession(request))
        if case .failure(let error) = reply { throw Refused(domain: error.domain, code: error.code) }
        if reply == .processTerminated { throw Refused(domain: "", code: 0) }
    }

    /// Audio does not run any more; may be called twice.
    public func stop() {
        process.send(.audioSession(.setRunning(io: id, running: false, usesInput: false)))
    }

    /// What the microphone gives: an engine that takes frames has to take silence unless this is
    /// ``MicrophoneState/sound`` (V9, V11).
    public var microphone: MicrophoneState {
        guard case .audioSession(let session) = process.send(.readAudioSession) else { return .off }
        return session.microphone
    }
}
