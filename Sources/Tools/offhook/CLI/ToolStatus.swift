// SPDX-License-Identifier: MIT

/// What the process tells its caller.
enum ToolStatus: Int32, CaseIterable, Sendable {
    /// All went well.
    case success = 0
    /// The command ran, and something it verifies or looks for is not so.
    case verificationFailed = 1
    /// The environment is in the way: a busy port, a missing file, a missing voice plug-in.
    case environment = 2
    /// The command line cannot be understood (EX_USAGE of sysexits.h).
    case usage = 64

    /// One line for the help text.
    var meaning: String {
        switch self {
        case .success: "all went well"
        case .verificationFailed: "it ran, and something is not so: a check, a whole file, a number that is listed"
        case .environment: "the environment is in the way: a busy port, a missing file or plug-in"
        case .usage: "the command line cannot be understood"
        }
    }
}

/// The command line cannot be understood; the message says what is wrong, the hint what to type instead.
struct UsageError: Error, Hashable {
    /// What is wrong.
    var message: String
    /// What to do.
    var hint: String?
}

/// Something outside the program is in the way; the message says what to do.
struct EnvironmentError: Error, Hashable {
    /// What happened and what to do.
    var message: String
}
