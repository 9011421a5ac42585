// SPDX-License-Identifier: MIT

/// What an app asks of the Call Directory, for faults (D6).
public enum DirectoryOperation: String, Hashable, Sendable, Codable {
    /// reloadExtension; the extension does not run.
    case reload
    /// getEnabledStatusForExtension.
    case status
    /// openSettings.
    case openSettings
    /// A load, when everything was given: storing fails.
    case store
}
