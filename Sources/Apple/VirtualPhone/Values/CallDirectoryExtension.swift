// SPDX-License-Identifier: MIT

extension App {
    /// A Call Directory extension of an app: numbers to block and to identify (D1).
    public struct CallDirectoryExtension: Sendable {
        /// How the extension runs.
        public enum Code: Sendable {
            /// In this process: the closure makes the principal object, a `CXCallDirectoryProvider`.
            case principal(@Sendable () -> AnyObject)
            /// In a process of its own, under ``DirectorySettings/memoryLimit``: an executable whose main function makes
            /// its `CXCallDirectoryProvider` and serves the main queue.
            case executable(path: String, arguments: [String])
        }

        /// Names the extension on the phone, such as `com.example.app.directory`.
        public var bundleIdentifier: String
        /// How it runs.
        public var code: Code

        /// An extension that runs in this process.
        ///
        /// - Parameters:
        ///   - bundleIdentifier: Names the extension.
        ///   - principal: Makes the principal object for each load, as the extension's process.
        public init(bundleIdentifier: String, principal: @escaping @Sendable () -> AnyObject) {
            self.bundleIdentifier = bundleIdentifier
            code = .principal(principal)
        }

        /// An extension that runs in a process of its own.
        ///
        /// - Parameters:
        ///   - bundleIdentifier: Names the extension.
        ///   - executable: The path of the program to start for each load.
        ///   - arguments: What the program is given after its name.
        public init(bundleIdentifier: String, executable: String, arguments: [String] = []) {
            self.bundleIdentifier = bundleIdentifier
            code = .executable(path: executable, arguments: arguments)
        }
    }
}
