// SPDX-License-Identifier: MIT

/// Gives a reader the bytes of a file, for example mapped into memory.
///
/// The bytes must stay the same as long as a reader uses them; a file that is replaced must be replaced by a rename.
public protocol DirectoryBytes: Sendable {
    /// Calls `body` with all bytes of the file; the pointer is valid only during the call.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
}

extension Array: DirectoryBytes where Element == UInt8 {
    /// Calls `body` with the array's bytes.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeBytes(body)
    }
}

/// Takes the bytes of a file while it is written, from its beginning to its end.
public protocol DirectorySink {
    /// Appends the bytes; throws what the storage throws, after which the writer refuses to go on.
    mutating func append(_ bytes: [UInt8]) throws
}

extension Array: DirectorySink where Element == UInt8 {
    /// Appends the bytes to the array.
    public mutating func append(_ bytes: [UInt8]) {
        append(contentsOf: bytes)
    }
}
