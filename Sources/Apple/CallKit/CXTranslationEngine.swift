// SPDX-License-Identifier: MIT

/// Who translates a call (G8).
public enum CXTranslationEngine: Int, Sendable {
    /// The phone.
    case `default` = 0
    /// The app.
    case custom = 1
}
