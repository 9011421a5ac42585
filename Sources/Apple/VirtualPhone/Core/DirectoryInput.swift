// SPDX-License-Identifier: MIT

public import Foundation

/// Something that happens to the phone's caller identification (D1-D11).
public enum DirectoryInput: Hashable, Sendable, Codable {
    /// The user switched an extension in Settings (D8).
    case enabled(extensionIdentifier: String, Bool)
    /// The user put the extensions into another order: the first that knows a number decides (D9).
    case ordered([String])
    /// The system loads an extension by itself.
    case load(extensionIdentifier: String)
    /// The next load of the extension asks for the whole list, as after a loss of the database (D1).
    case fullRequest(extensionIdentifier: String)
    /// The user reset all settings: the database is empty and sound again, and every extension is off (P49).
    case resetAllSettings
    /// The main function of an extension's process has returned.
    case extensionLaunched(process: UUID)
    /// An extension's process used this many bytes at most beyond those it had when it connected (P48).
    case extensionMeasured(process: UUID, peakMemory: Int)
    /// An extension's process ended by itself, or could not be started (D6).
    case extensionEnded(process: UUID, ExtensionEnd)
}

/// How an extension's process ended.
public enum ExtensionEnd: Hashable, Sendable, Codable, CustomStringConvertible {
    /// A crash, as a fault.
    case crashed
    /// The executable could not be started.
    case notStarted
    /// It returned from its main function with this code, or called exit.
    case exited(code: Int32)
    /// A signal ended it; running out of memory ends in one (P48).
    case signalled(Int32)

    /// The end as a timeline puts it.
    public var description: String {
        switch self {
        case .crashed: "crashed"
        case .notStarted: "could not be started"
        case .exited(let code): "exited with code \(code)"
        case .signalled(let signal): "was ended by signal \(signal)"
        }
    }
}
