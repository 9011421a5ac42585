// SPDX-License-Identifier: MIT

import AVFoundation

/// Whether the app may use the microphone, in the four states that the system knows (R5).
public enum Microphone: String, Hashable, Sendable, CaseIterable {
    /// The user allowed it: calls can be made.
    case authorized
    /// The user forbade it: only Settings can change that.
    case denied
    /// The user has not been asked.
    case notDetermined
    /// The phone's owner forbids it, such as by Screen Time: nobody can allow it here.
    case restricted

    /// How it stands now.
    public static var current: Microphone {
        switch AVCaptureDevice.authorizationStatus(for: .audio) {
        case .authorized: .authorized
        case .denied: .denied
        case .notDetermined: .notDetermined
        case .restricted: .restricted
        @unknown default: .restricted
        }
    }

    /// Asks the user, once; the system remembers the answer.
    ///
    /// Not while the phone is locked (R77).
    public static func ask() async -> Microphone {
        _ = await AVCaptureDevice.requestAccess(for: .audio)
        return current
    }
}
