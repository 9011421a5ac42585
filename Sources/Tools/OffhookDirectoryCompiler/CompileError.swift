// SPDX-License-Identifier: MIT

public import OffhookDirectory

/// Why a directory could not be compiled; the file at the destination is what it was before.
public enum CompileError: Error, Sendable, CustomStringConvertible {
    /// No list was given, or more than ``DirectoryCompiler/maximumSources``.
    case sourceCount(Int)
    /// A list's header line has no such columns, but those that were found.
    case missingColumns(source: String, names: [String], found: [String])
    /// A list could not be read.
    case reading(source: String, reason: String)
    /// The scratch file for sorting could not be made, written or read.
    case scratch(path: String, reason: String)
    /// The destination could not be written or put in place.
    case destination(path: String, reason: String)
    /// The directory does not take what the lists say.
    case refused(DirectoryWriteError)

    /// What happened and what to do about it, in one sentence.
    public var description: String {
        switch self {
        case .sourceCount(let count):
            return "\(count) lists were given: give 1 to \(DirectoryCompiler.maximumSources)"
        case .missingColumns(let source, let names, let found):
            return "\(source): the header line has no column \(names.joined(separator: ", ")); it has "
                + found.prefix(20).joined(separator: ", ")
        case .reading(let source, let reason): return "\(source): cannot be read: \(reason)"
        case .scratch(let path, let reason):
            let place = path.isEmpty ? "the scratch file" : "a scratch file in \(path)"
            return "\(place) cannot be used: \(reason); name a directory with more room"
        case .destination(let path, let reason):
            return "\(path): cannot be written: \(reason); the file there is unchanged"
        case .refused(let error): return error.description
        }
    }
}
