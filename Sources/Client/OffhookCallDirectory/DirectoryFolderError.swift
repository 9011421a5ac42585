// SPDX-License-Identifier: MIT

public import OffhookDirectory

/// Why the folder that an app shares with its Call Directory extensions cannot be used.
public enum DirectoryFolderError: Error, Sendable, CustomStringConvertible {
    /// A file cannot be read.
    case unreadable(path: String, reason: String)
    /// A file cannot be written; what was there is unchanged.
    case unwritable(path: String, reason: String)
    /// No list was published yet.
    case empty(path: String)
    /// The list is no directory file, is damaged, or of a later version.
    case badFile(path: String, DirectoryFileError)
    /// The list needs more extensions than the app has; nil: more than any phone takes.
    case tooManyEntries(entries: UInt64, extensions: Int, needed: Int?)

    /// What happened and what to do about it, in one sentence.
    public var description: String {
        switch self {
        case .unreadable(let path, let reason):
            return "\(path): cannot be read: \(reason); check the app group's entitlement in app and extension"
        case .unwritable(let path, let reason):
            return "\(path): cannot be written: \(reason); what was there is unchanged"
        case .empty(let path): return "\(path): no list was published yet: call publish(_:) in the app first"
        case .badFile(let path, let error): return "\(path): \(error)"
        case .tooManyEntries(let entries, let extensions, let needed):
            let advice = needed.map { "the app needs \($0) extensions" } ?? "no phone takes so many: leave ranges out"
            return "\(entries) entries do not fit \(extensions) extensions: \(advice)"
        }
    }
}
