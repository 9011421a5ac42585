// SPDX-License-Identifier: MIT

import Foundation

/// Makes speech files with espeak-ng, so that the demo has something to say.
enum Speech {
    /// Speaks a text into a WAV file.
    ///
    /// - Throws: ``EnvironmentError`` when espeak-ng is missing or fails.
    static func speak(_ text: String, voice: String, into path: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["espeak-ng", "-v", voice, "-s", "165", "-a", "160", "-w", path, text]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            throw EnvironmentError(message: "espeak-ng cannot be started: \(error.localizedDescription)")
        }
        process.waitUntilExit()
        guard process.terminationStatus == 0, FileManager.default.fileExists(atPath: path) else {
            throw EnvironmentError(
                message:
                    "espeak-ng made no speech. Install it (apt-get install espeak-ng) or give two files with "
                    + "--voice-a FILE.wav --voice-b FILE.wav.")
        }
    }

    /// What Alice says, about fifteen seconds.
    static let alice =
        "Hello Bob, this is Alice. Your phone was locked, and your app was not even running. A push woke it, "
        + "the call rang on the lock screen, and now you hear my voice over an encrypted connection. "
        + "Everything between us is real: the server, the push, and every packet of this sentence."

    /// What Bob says, about fifteen seconds.
    static let bob =
        "Hi Alice, good to hear you. I answered without unlocking the phone, and the audio session opened at the "
        + "right moment. I can hear each word you say. When you mute yourself there is silence, and when I put "
        + "you on hold nobody hears anything. After that we simply go on talking."
}
