// SPDX-License-Identifier: MIT

import Glibc
import OffhookNet
import OffhookTesting
import Testing

@testable import offhook

@Suite struct CommandLineTests {
    @Test(arguments: [
        (["demo", "--mistak", "late-report"], "Did you mean --mistake?"),
        (["demo", "--mistake", "late"], "Did you mean 'late-report'?"),
        (["dmeo"], "Did you mean 'demo'?"),
        (["sevre"], "Did you mean 'serve'?"),
        (["quux"], "See: offhook help"),
        (["demo", "loud"], "See: offhook demo --help"),
        (["demo", "--seconds"], "Write: offhook demo --seconds N"),
        (["demo", "--seconds", "1"], "See: offhook demo --help"),
        (["demo", "--seconds", "six"], "See: offhook demo --help"),
        (["demo", "--out", "a", "--out", "b"], "--out is given twice"),
        (["demo", "--out="], "Write: offhook demo --out DIR"),
        (["demo", "--help=yes"], "Write: offhook demo --help"),
        (["serve", "--port", "99999"], "0 to 65535"),
        (["help", "demp"], "Did you mean 'demo'?"),
        (["directory", "compil"], "Did you mean 'directory compile'?"),
        (["directory", "compile", "--out", "a"], "Write: offhook directory compile [OPTIONS] LIST ..."),
        (["directory", "compile", "a.txt"], "Write: offhook directory compile LIST --out FILE"),
        (["directory", "compile", "a.txt,regoin=DE", "--out", "b"], "Did you mean 'region'?"),
        (["directory", "compile", "a.txt,region=XX", "--out", "b"], "Write two letters"),
        (["directory", "diff", "a", "b", "c"], "Write: offhook directory diff [OPTIONS] OLD NEW"),
        (["directory", "diff", "a", "b", "--apply"], "Write: --apply --out FILE"),
        (["directory", "plan", "a", "--extensions", "65"], "See: offhook directory plan --help"),
    ]) func mistakesAreExplained(arguments: [String], hint: String) async {
        let (status, _, errors) = await run(arguments)
        #expect(status == .usage)
        #expect(errors.hasPrefix("offhook: "))
        #expect(errors.contains(hint), "\(errors)")
    }

    @Test(arguments: OffhookTool.commands.map(\.name)) func helpTeachesWithExamples(name: String) async throws {
        let command = try #require(OffhookTool.commands.first { $0.name == name })
        let words = name.split(separator: " ").map(String.init)
        for arguments in [words + ["--help"], words + ["-h"], ["help"] + words] {
            let (status, output, _) = await run(arguments)
            #expect(status == .success)
            for option in command.options { #expect(output.contains("--\(option.name)")) }
            for example in command.examples { #expect(output.contains(example.line)) }
            #expect(output.contains("Exit codes"))
            #expect(!output.contains("\u{1B}"))
            for line in output.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
        }
    }

    @Test func examplesAreValidCommandLines() throws {
        for command in OffhookTool.commands {
            for example in command.examples {
                let words = example.line.split(separator: " ").map(String.init)
                let name = command.name.split(separator: " ").map(String.init)
                #expect(Array(words.prefix(1 + name.count)) == ["offhook"] + name)
                _ = try command.parse(Array(words.dropFirst(1 + name.count)))
            }
        }
    }

    @Test func overviewAndVersion() async {
        #expect(await run([]).status == .usage)
        let (status, output, _) = await run(["--help"])
        #expect(status == .success)
        for command in OffhookTool.commands where !command.name.contains(" ") {
            #expect(output.contains(command.summary))
        }
        let (groupStatus, group, _) = await run(["directory"])
        #expect(groupStatus == .usage)
        for command in OffhookTool.commands where command.name.hasPrefix("directory ") {
            #expect(group.contains(command.summary))
        }
        #expect(await run(["version"]).output == "offhook \(OffhookTool.version)\n")
    }

    @Test func demoOptionsAreRead() throws {
        let parsed = try DemoCommand.description.parse([
            "--mistake=late-report", "--voice-a", "a.wav", "--voice-b", "b.wav", "--out", "x", "--seconds", "9",
            "--seed",
            "18446744073709551615",
        ])
        let options = try DemoCommand(parsed).options
        #expect(
            options
                == DemoOptions(
                    mistake: .lateReport, voiceA: "a.wav", voiceB: "b.wav", directory: "x", seconds: 9, seed: .max))
        #expect(try DemoCommand(DemoCommand.description.parse([])).options == DemoOptions())
    }

    @Test func colourFollowsTheEnvironment() {
        #expect(Terminal.colour(environment: [:], isTerminal: true))
        #expect(!Terminal.colour(environment: [:], isTerminal: false))
        #expect(!Terminal.colour(environment: ["NO_COLOR": "1"], isTerminal: true))
        #expect(Terminal.colour(environment: ["NO_COLOR": ""], isTerminal: true))
        #expect(!Terminal.colour(environment: ["TERM": "dumb"], isTerminal: true))
        #expect(Terminal.width(environment: ["COLUMNS": "500"], window: nil) == 140)
        #expect(Terminal.width(environment: ["COLUMNS": "x"], window: nil) == 110)
        #expect(Terminal.width(environment: [:], window: 60) == 80)
    }

    @Test func outputThatNobodyTakesIsDropped() throws {
        signal(SIGPIPE, SIG_IGN)
        var pipe: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&pipe) == 0)
        close(pipe[0])
        Terminal.write("into a closed pipe", to: pipe[1])
        close(pipe[1])
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(full >= 0)
        Terminal.write("onto a full disk", to: full)
        close(full)
        Terminal.write("to nowhere", to: -1)
    }

    @Test func longOutputIsWrittenWhole() async throws {
        var pipe: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&pipe) == 0)
        let (reading, writing) = (pipe[0], pipe[1])
        // A pipe that takes only a part at once.
        try #require(fcntl(writing, F_SETFL, O_NONBLOCK) == 0)
        let text = String(repeating: "a line of the diagram\n", count: 20_000)
        async let written: Void = {
            Terminal.write(text, to: writing)
            close(writing)
        }()
        var count = 0
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while case let size = read(reading, &chunk, chunk.count), size > 0 { count += size }
        close(reading)
        await written
        #expect(count == text.utf8.count)
    }

    @Test func distanceCountsSlips() {
        #expect(Suggestion.distance("demo", "demo") == 0)
        #expect(Suggestion.distance("dmeo", "demo") == 1)
        #expect(Suggestion.distance("", "demo") == 4)
        #expect(Suggestion.nearest(to: "po", among: ["port", "host"]) == "port")
        #expect(Suggestion.nearest(to: "zzz", among: ["port", "host"]) == nil)
        #expect(Suggestion.nearest(to: "port", among: []) == nil)
    }

    @Test func wrappingKeepsWords() {
        #expect(TextWrap.wrap("one two three", to: 7) == ["one two", "three"])
        #expect(TextWrap.wrap("", to: 7) == [""])
        #expect(TextWrap.wrap("abcdefghij k", to: 4) == ["abcd", "efgh", "ij k"])
    }

    /// Runs the tool and collects what it writes.
    private func run(_ arguments: [String]) async -> (status: ToolStatus, output: String, errors: String) {
        let output = Collected()
        let errors = Collected()
        let terminal = Terminal(
            colour: false, width: 100, write: { output.append($0) }, writeError: { errors.append($0) })
        let status = await OffhookTool(terminal: terminal).run(arguments)
        return (status, output.text, errors.text)
    }

    private final class Collected: Sendable {
        private let storage = Guarded("")
        var text: String { storage.withLock { $0 } }
        func append(_ text: String) { storage.withLock { $0 += text } }
    }
}
