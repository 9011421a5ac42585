// SPDX-License-Identifier: MIT

/// The demo: a call from push to hang-up.
struct Demo {
    /// What was asked.
    var options: DemoOptions
    /// Where to write.
    var terminal: Terminal

    /// Runs it.
    func run() async throws -> ToolStatus {
        throw EnvironmentError(message: "the demo is not part of this build yet")
    }
}
