// SPDX-License-Identifier: MIT

/// Why the server cannot start or go on, in words that say what to do.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The class of a server error; new ones may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name, such as `storage`.
        public let description: String

        /// Makes a code of its name.
        public init(_ name: String) {
            description = name
        }

        /// An option or environment variable is missing, unknown or out of range.
        public static let configuration = Code("configuration")
        /// The database file cannot be opened, read or written.
        public static let storage = Code("storage")
        /// The database file is damaged or no database of this server; it was not touched.
        public static let corruptDatabase = Code("corruptDatabase")
        /// The address cannot be listened on.
        public static let network = Code("network")
        /// The APNs key or certificate is not usable.
        public static let pushKey = Code("pushKey")
        /// The server runs already, or has been stopped.
        public static let lifecycle = Code("lifecycle")
    }

    /// The class of the error.
    public var code: Code
    /// What happened and what to do; names no secret.
    public var message: String

    /// Makes an error of a class and a message that says what to do.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message.
    public var description: String {
        "\(code): \(message)"
    }
}
