// SPDX-License-Identifier: MIT

import Glibc

/// Reads small files that a configuration names.
enum TextFile {
    private static let maximumSize = 1_048_576

    /// The file's text.
    ///
    /// - Throws: ``ServerError`` of the code, naming the file and what is wrong with it.
    static func read(
        _ path: String, as what: String, code: ServerError.Code = .configuration
    ) throws(ServerError) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw ServerError(
                code, "\(what) cannot be read from \(path): \(String(cString: strerror(errno))).")
        }
        defer { close(file) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(file, &chunk, chunk.count)
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw ServerError(
                    code, "\(what) cannot be read from \(path): \(String(cString: strerror(errno))).")
            }
            if count == 0 { break }
            content.append(contentsOf: chunk[..<count])
            guard content.count <= maximumSize else {
                throw ServerError(code, "\(what) in \(path) is larger than 1 MiB; is it the right file?")
            }
        }
        return String(decoding: content, as: UTF8.self)
    }

    /// The file's text without white space at its ends; never empty.
    static func trimmed(_ path: String, as what: String) throws(ServerError) -> String {
        var text = Substring(try read(path, as: what))
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        guard !text.isEmpty else { throw ServerError(.configuration, "\(what) in \(path) is empty.") }
        return String(text)
    }
}
