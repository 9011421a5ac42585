// SPDX-License-Identifier: MIT

extension AppProcess {
    /// The process that a framework object being made belongs to.
    ///
    /// - Parameter type: Names the object in the message.
    /// - Returns: ``current``.
    /// - Precondition: A phone runs the app: ``current`` is not nil.
    package static func required(for type: String) -> AppProcess {
        guard let process = current else {
            preconditionFailure(
                """
                \(type) needs a phone, and no app process is known here. Make a VirtualPhone, install the app on it and \
                open it: objects made in the app's launch closure and in callbacks find their phone. With several phones \
                in one process, make objects inside the process's run { }.
                """)
        }
        return process
    }
}
