// SPDX-License-Identifier: MIT

/// What is known of an operation (R85).
public enum OperationLookup: Hashable, Sendable {
    /// It is done, in one way or another.
    case completed(OperationResult)
    /// It is on its way.
    case pending
    /// Nothing is known of it: never given, or too long ago.
    case unavailable
    /// It was given to another generation, of which nothing is told (R90).
    case generationMismatch
}

/// What a command with an operation id would meet (R82).
public enum OperationStanding: Hashable, Sendable {
    /// The id is new: the command is tried.
    case new
    /// The same command is on its way: its one result is for both.
    case pending
    /// The same command is done: its stored result holds.
    case completed(OperationResult)
    /// The id belongs to another command.
    case conflict
}
