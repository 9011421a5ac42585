// SPDX-License-Identifier: MIT

import Foundation

/// The Swift compiler and the modules of this build.
enum Compiler {
    /// The modules that this build made, beside the test's executable.
    static let modules = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("Modules").path

    /// The C modules that the package's modules ask for.
    static let moduleMaps = ["COS", "CUV", "CNGHTTP2", "COpenSSL"].flatMap {
        ["-Xcc", "-fmodule-map-file=Sources/System/\($0)/module.modulemap"]
    }

    /// Where swiftc is; nil when it is in no folder of PATH.
    static let path: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { $0 + "/swiftc" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()
}
