// SPDX-License-Identifier: MIT

/// What the phone is like around the app: what decides whether the camera may run (R76, R115, R116).
public struct Surroundings: Hashable, Sendable, Codable {
    /// Whether the app is in the foreground.
    public var isForeground: Bool
    /// Whether the phone is unlocked.
    public var isUnlocked: Bool
    /// Whether the user lets the app use the camera; nil when not asked yet.
    public var mayUseCamera: Bool?
    /// Whether the user lets the app use the microphone; nil when not asked yet (R5, R6).
    public var mayUseMicrophone: Bool?

    /// Makes surroundings.
    public init(
        isForeground: Bool = false, isUnlocked: Bool = true, mayUseCamera: Bool? = nil, mayUseMicrophone: Bool? = nil
    ) {
        self.isForeground = isForeground
        self.isUnlocked = isUnlocked
        self.mayUseCamera = mayUseCamera
        self.mayUseMicrophone = mayUseMicrophone
    }
}
