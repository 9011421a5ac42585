// SPDX-License-Identifier: MIT

import Glibc

extension ES256PrivateKey {
    /// Reads a key from a `.p8` file.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: A ``NetError`` of code `crypto` that names the file, says what it is and what is expected.
    public init(path: String) throws(NetError) {
        guard let file = fopen(path, "re") else {
            let why = String(cString: strerror(errno))
            throw NetError(.crypto, "the key file \(path) cannot be read (\(why)); check the path and its permissions")
        }
        defer { fclose(file) }
        // A key has some 250 bytes; whatever is larger than this is none.
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0 else {
            let why = String(cString: strerror(errno))
            throw NetError(.crypto, "the key file \(path) cannot be read (\(why)); check the path and its permissions")
        }
        try self.init(pem: String(decoding: bytes[0..<count], as: UTF8.self), name: path)
    }
}
