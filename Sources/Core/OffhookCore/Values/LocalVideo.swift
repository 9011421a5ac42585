// SPDX-License-Identifier: MIT

/// This side's picture in a call (R114).
public enum LocalVideo: String, Hashable, Sendable, Codable, CaseIterable {
    /// The camera is off.
    case off
    /// The camera runs.
    case on
    /// The camera is wanted, and cannot run: in the background, while locked or while the call is held (R116).
    case blocked
}
