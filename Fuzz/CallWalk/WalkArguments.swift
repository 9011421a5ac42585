// SPDX-License-Identifier: MIT

import Glibc

/// What is asked of a walk.
struct WalkArguments: Sendable {
    /// What the command line turned out to say.
    enum Reading {
        /// Walk.
        case run(WalkArguments)
        /// Show the help.
        case help
        /// It cannot be read.
        case mistake(String)
    }

    var events = 10_000_000
    var seed: UInt64 = 0
    var threads = 2
    /// Stop after so many failing seeds.
    var failures = 3
    /// Run the world of this seed alone.
    var only: UInt64?

    static let help = """
        call-walk: random worlds of phones, a server and a network, judged by the invariants in docs/invariants.md.

            call-walk [--events N] [--seed N] [--threads N] [--failures N]
            call-walk --only SEED

          --events N     how many events the rules take in all; 10,000,000 unless given
          --seed N       the first seed; every world has its own, counted up from it; a random one unless given
          --threads N    how many worlds run at a time; 2 unless given
          --failures N   stop after so many failing seeds; 3 unless given
          --only SEED    run one world and print its plan

        A failing seed is shrunk to a short plan, printed as Swift and as JSON: put the JSON into Fuzz/Cases/CallWalk
        and `swift test` replays it.

        Exit code: 0 nothing was broken, 1 an invariant was broken, 2 wrong arguments.
        """

    static func read(_ words: ArraySlice<String>) -> Reading {
        var arguments = WalkArguments()
        arguments.seed = UInt64.random(in: 0...0xFFFF_FFFF)
        var words = words
        while let word = words.popFirst() {
            if word == "--help" || word == "-h" { return .help }
            guard ["--events", "--seed", "--threads", "--failures", "--only"].contains(word) else {
                return .mistake("unknown argument \(word)")
            }
            guard let text = words.popFirst(), let number = UInt64(text), number < 1 << 62 else {
                return .mistake("\(word) needs a whole number")
            }
            switch word {
            case "--events": arguments.events = Int(number)
            case "--seed": arguments.seed = number
            case "--threads": arguments.threads = max(1, Int(number))
            case "--failures": arguments.failures = max(1, Int(number))
            default: arguments.only = number
            }
        }
        return .run(arguments)
    }
}
