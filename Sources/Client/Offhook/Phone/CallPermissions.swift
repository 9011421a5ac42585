// SPDX-License-Identifier: MIT

#if canImport(CallKit) && !os(macOS)
    import AVFAudio
    import AVFoundation
#endif

/// What the user lets the app use for calls.
public struct CallPermissions: Hashable, Sendable {
    /// The microphone; without it a call goes on, and the other side hears nothing (R6).
    public var microphone: PermissionStatus
    /// The camera.
    public var camera: PermissionStatus

    /// Makes permissions; unless said otherwise nothing was asked yet.
    public init(microphone: PermissionStatus = .notDetermined, camera: PermissionStatus = .notDetermined) {
        self.microphone = microphone
        self.camera = camera
    }
}

/// What the user said when asked for the microphone or the camera (R5).
public enum PermissionStatus: String, Hashable, Sendable, Codable, CaseIterable {
    /// The user was not asked: ask before the first call, while the app is on the screen (R77).
    case notDetermined
    /// The user agreed.
    case granted
    /// The user refused: only Settings can change it, `UIApplication.openSettingsURLString`.
    case denied
    /// Nobody may agree on this device, such as under a parent's or a company's rules: Settings do not help.
    case restricted

    /// Whether it may be used; nil when the user was not asked.
    var isAllowed: Bool? {
        switch self {
        case .notDetermined: nil
        case .granted: true
        case .denied, .restricted: false
        }
    }
}

#if canImport(CallKit) && !os(macOS)
    // Values that come with a later system are no permission.
    extension PermissionStatus {
        init(_ permission: AVAudioSession.RecordPermission) {
            self = permission == .granted ? .granted : permission == .undetermined ? .notDetermined : .denied
        }

        init(_ status: AVAuthorizationStatus) {
            let known: [AVAuthorizationStatus: PermissionStatus] = [
                .notDetermined: .notDetermined, .authorized: .granted, .restricted: .restricted,
            ]
            self = known[status] ?? .denied
        }
    }
#endif
