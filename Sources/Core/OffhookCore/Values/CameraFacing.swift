// SPDX-License-Identifier: MIT

/// Which camera.
public enum CameraFacing: String, Hashable, Sendable, Codable, CaseIterable {
    /// Towards the user.
    case front
    /// Away from the user.
    case back
}
