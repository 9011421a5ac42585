// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Runs the installation script against stand-ins of dpkg-query, apt-get, id and sudo.
@Suite struct InstallPackagesTests {
    @Test func nothingToDoIsSilent() throws {
        let machine = try Machine(installed: true)
        let (status, output) = try machine.install()
        #expect(status == 0)
        #expect(output == "")
    }

    @Test func listNamesWhatIsMissingAndInstallsNothing() throws {
        let machine = try Machine(installed: false)
        let (status, output) = try machine.install(["--list"])
        #expect(status == 0)
        #expect(output.split(separator: "\n").contains("libuv1-dev"))
        #expect(machine.log == "")
    }

    @Test func rootInstallsWhatIsMissing() throws {
        let machine = try Machine(installed: false)
        let (status, output) = try machine.install()
        #expect(status == 0, "\(output)")
        #expect(output.hasPrefix("Installing "))
        #expect(output.contains("libnghttp2-dev"))
        #expect(machine.log.contains("apt-get update"))
        #expect(machine.log.contains("apt-get install -y -q --no-install-recommends"))
        #expect(!machine.log.contains("sudo"))
    }

    @Test func othersInstallWithSudo() throws {
        let machine = try Machine(installed: false, user: 1000, sudo: true)
        #expect(try machine.install().status == 0)
        #expect(machine.log.contains("sudo env DEBIAN_FRONTEND=noninteractive apt-get install"))
    }

    @Test func withoutRootAndSudoTheCommandIsNamed() throws {
        let machine = try Machine(installed: false, user: 1000)
        let (status, output) = try machine.install()
        #expect(status == 2)
        #expect(output.contains("apt-get update && apt-get install -y"))
        #expect(output.contains("gstreamer1.0-nice"))
        #expect(machine.log == "")
    }

    @Test func failureShowsWhy() throws {
        let machine = try Machine(installed: false, broken: true)
        let (status, output) = try machine.install()
        #expect(status == 1)
        #expect(output.contains("no route to the archive"))
        #expect(output.contains("By hand: apt-get update"))
    }

    @Test func otherSystemsAreToldTheLibraries() throws {
        let machine = try Machine(installed: false, debian: false)
        let (status, output) = try machine.install()
        #expect(status == 2)
        for library in ["libuv", "nghttp2", "OpenSSL", "SQLite", "GStreamer", "espeak-ng"] {
            #expect(output.contains(library))
        }
        #expect(try machine.install(environment: ["OFFHOOK_SKIP_PACKAGES": "1"]).status == 0)
    }

    @Test func missingCompilerIsNamed() throws {
        let machine = try Machine(installed: true)
        let (status, output) = try machine.install(environment: ["SWIFT": "no-such-swift"])
        #expect(status == 2)
        #expect(output.contains("no 'no-such-swift' on the PATH"))
    }

    @Test func compilerThatDoesNotStartIsNamedWithItsReason() throws {
        let machine = try Machine(installed: true, compiler: "echo swift: no libncurses.so.6 >&2; exit 127")
        let (status, output) = try machine.install()
        #expect(status == 2)
        #expect(output.contains("does not start: swift: no libncurses.so.6"))
        #expect(output.contains("swift.org/install/linux"))
        #expect(try machine.install(["--list"]).status == 0)
    }

    @Test func unknownOptionIsRefused() throws {
        #expect(try Machine(installed: true).install(["--force"]).status == 64)
    }

    /// A machine with only the commands that the script may find.
    private struct Machine {
        let folder: TemporaryFolder

        init(
            installed: Bool, user: Int = 0, sudo: Bool = false, debian: Bool = true, broken: Bool = false,
            compiler: String = "exit 0"
        ) throws {
            folder = try TemporaryFolder(["log": ""])
            let log = folder.url.appendingPathComponent("log").path
            var commands = ["id": "echo \(user)", "swift": compiler]
            if debian {
                commands["dpkg-query"] = installed ? "printf installed" : "exit 1"
                commands["apt-get"] =
                    broken ? "echo no route to the archive; exit 100" : "echo apt-get \"$@\" >> \(log)"
            }
            if sudo { commands["sudo"] = "echo sudo \"$@\" >> \(log)" }
            for (name, body) in commands {
                try folder.write("#!/bin/bash\n\(body)\n", to: "bin/\(name)", executable: true)
            }
            for name in ["bash", "env", "mktemp", "tail", "rm"] {
                try FileManager.default.createSymbolicLink(
                    at: folder.url.appendingPathComponent("bin/\(name)"),
                    withDestinationURL: URL(fileURLWithPath: name == "rm" ? "/bin/rm" : "/usr/bin/\(name)"))
            }
        }

        /// What was installed, and how.
        var log: String {
            (try? String(contentsOf: folder.url.appendingPathComponent("log"), encoding: .utf8)) ?? ""
        }

        func install(
            _ arguments: [String] = [], environment: [String: String] = [:]
        ) throws -> (status: Int32, output: String) {
            var all = ["PATH": folder.url.appendingPathComponent("bin").path]
            all.merge(environment) { $1 }
            return try Repository.run("scripts/install-packages", arguments, environment: all)
        }
    }
}
