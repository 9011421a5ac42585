// SPDX-License-Identifier: MIT

import AVFAudio
public import Foundation

/// The permission to capture, which call apps ask for here; nothing is captured.
///
/// The microphone is the one of `AVAudioApplication` (V9). The virtual phone has no camera: it is refused.
public final class AVCaptureDevice: NSObject, Sendable {
    private override init() {}

    /// Whether the app may capture this kind of media.
    ///
    /// - Precondition: A phone runs the app.
    public class func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
        guard mediaType == .audio else { return .denied }
        return switch AVAudioApplication.shared.recordPermission {
        case .undetermined: .notDetermined
        case .denied: .denied
        case .granted: .authorized
        }
    }

    /// Asks the user for this kind of media; the answer comes at once when it was given before (V9).
    ///
    /// - Precondition: A phone runs the app.
    public class func requestAccess(
        for mediaType: AVMediaType, completionHandler handler: @escaping @Sendable (Bool) -> Void
    ) {
        guard mediaType == .audio else { return handler(false) }
        AVAudioApplication.requestRecordPermission(completionHandler: handler)
    }

    /// Asks the user for this kind of media (V9).
    ///
    /// - Returns: Whether the user agreed.
    /// - Precondition: A phone runs the app.
    public class func requestAccess(for mediaType: AVMediaType) async -> Bool {
        guard mediaType == .audio else { return false }
        return await AVAudioApplication.requestRecordPermission()
    }
}
