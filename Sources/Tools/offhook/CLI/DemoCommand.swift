// SPDX-License-Identifier: MIT

/// What the demo is asked to do.
struct DemoOptions: Hashable, Sendable {
    /// A mistake that an app can make, to be shown.
    enum Mistake: String, CaseIterable, Sendable {
        /// The app reports the call from a `Task`, after the push's delegate method returned (K3).
        case lateReport = "late-report"
    }

    /// The mistake to show, or nil for a call that works.
    var mistake: Mistake?
    /// What Alice says: a WAV file, or nil for made speech.
    var voiceA: String?
    /// What Bob says: a WAV file, or nil for made speech.
    var voiceB: String?
    /// Where files are written.
    var directory = "demo"
    /// How long each side talks, 2 to 60 seconds.
    var seconds = 6
    /// Makes what is random repeatable; nil for a new one.
    var seed: UInt64?
}

/// `offhook demo`.
struct DemoCommand {
    /// What was asked.
    let options: DemoOptions

    /// The command for parser and help.
    static let description = CommandDescription(
        name: "demo",
        summary: "One phone calls another, with a real voice in it.",
        discussion: """
            Starts a server, a push gateway and two virtual phones on this machine. Bob's app is not running and his \
            phone is locked. Alice calls him: a VoIP push wakes his app, the phone rings, he answers on the lock \
            screen, they talk, mute, hold, resume and hang up.

            Prints the call as a sequence diagram with times and the ids of the phone's rules, then what was verified. \
            Writes report.html, timeline.json and both recordings. Nothing leaves this machine.
            """,
        options: [
            OptionDescription(
                name: "mistake", value: "NAME",
                help: "Shows what the phone does to an app that makes a mistake: late-report (the call is reported "
                    + "after the push's delegate method returned)."),
            OptionDescription(
                name: "voice-a", value: "FILE", help: "What Alice says, a WAV file; made speech unless given."),
            OptionDescription(
                name: "voice-b", value: "FILE", help: "What Bob says, a WAV file; made speech unless given."),
            OptionDescription(name: "out", value: "DIR", help: "Where files are written; demo unless given."),
            OptionDescription(
                name: "seconds", value: "N", help: "How long each side talks, 2 to 60 seconds; 6 unless given."),
            OptionDescription(name: "seed", value: "N", help: "Makes what is random repeatable."),
        ],
        examples: [
            .init(line: "offhook demo", meaning: "a call, from push to hang-up"),
            .init(
                line: "offhook demo --mistake late-report",
                meaning: "an app that reports too late: the phone kills it and says how to repair it"),
            .init(
                line: "offhook demo --voice-a hello.wav --voice-b reply.wav --out /tmp/call",
                meaning: "your own voices; the report in /tmp/call/report.html"),
        ])

    /// Reads the command's options.
    init(_ parsed: ParsedOptions) throws {
        options = DemoOptions(
            mistake: try parsed.choice("mistake"), voiceA: parsed.string("voice-a"), voiceB: parsed.string("voice-b"),
            directory: parsed.string("out") ?? "demo", seconds: try parsed.integer("seconds", in: 2...60) ?? 6,
            seed: try parsed.integer("seed", in: 0...UInt64.max))
    }

    /// Runs the demo.
    func run(_ terminal: Terminal) async throws -> ToolStatus {
        try await Demo(options: options, terminal: terminal).run()
    }
}
