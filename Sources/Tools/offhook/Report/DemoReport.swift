// SPDX-License-Identifier: MIT

/// Everything a demo found out: the input of the report.
struct DemoReport: Hashable, Sendable, Codable {
    /// One thing that was verified.
    struct Check: Hashable, Sendable, Codable {
        /// What was verified, in a few words.
        var name: String
        /// What was found, with unit.
        var value: String
        /// What was asked, with unit.
        var expected: String
        /// Whether it is so.
        var passed: Bool
    }

    /// What one side said beside what the other side heard.
    struct Voice: Hashable, Sendable, Codable {
        /// Who spoke.
        var speaker: String
        /// Who heard it.
        var listener: String
        /// The microphone's signal.
        var said: Waveform
        /// The other side's recording.
        var heard: Waveform
        /// The length of both signals in seconds.
        var seconds: Double
        /// The normalised cross-correlation at the best lag, 0 to 1.
        var correlation: Double
        /// The delay from said to heard, in milliseconds.
        var delayMilliseconds: Double
        /// The recording's level while there is speech, in dB of full scale.
        var level: Double
        /// The recording's file name, beside the report.
        var file: String?
    }

    /// One phone's screen at one moment.
    struct Screen: Hashable, Sendable, Codable {
        /// What the screen shows.
        enum Content: String, Hashable, Sendable, Codable {
            /// A locked phone that rings.
            case ringing
            /// A call that goes out and is not answered yet.
            case calling
            /// A call that goes on.
            case inCall
            /// The lock screen after a missed or ended call.
            case locked
            /// The app was killed by the system.
            case killed
        }

        /// Whose phone.
        var owner: String
        /// When, since the demo's start.
        var milliseconds: Double
        /// What it shows.
        var content: Content
        /// The other side's name.
        var name: String
        /// The line under the name, such as a timer.
        var detail: String
        /// Whether the microphone is off.
        var muted = false
        /// Whether the call is held.
        var held = false
    }

    /// The headline, such as "Alice calls Bob".
    var title: String
    /// One sentence that says what happened.
    var summary: String
    /// What the headline's badge says; whether everything was verified unless given.
    var verdict: String?
    /// The few numbers that matter, shown large: a value and what it is.
    var figures: [Figure]
    /// What happened.
    var timeline: DemoTimeline
    /// The screens, in order.
    var screens: [Screen]
    /// The voices, one for each direction.
    var voices: [Voice]
    /// What was verified.
    var checks: [Check]

    /// A number and what it is.
    struct Figure: Hashable, Sendable, Codable {
        /// The number with its unit.
        var value: String
        /// What it is.
        var label: String
    }

    /// Whether everything verified is so.
    var passed: Bool { checks.allSatisfy(\.passed) }
}

/// A signal reduced to what can be drawn: the lowest and highest sample of each column, -1 to 1.
struct Waveform: Hashable, Sendable, Codable {
    /// The lowest sample of each column.
    var low: [Double]
    /// The highest sample of each column.
    var high: [Double]

    /// Reduces samples to columns.
    ///
    /// - Parameters:
    ///   - samples: 16-bit samples at any rate.
    ///   - columns: How many columns to make, 1 or more; fewer when there are fewer samples.
    ///   - length: The number of samples that fill all columns, so that two signals share a scale; the signal's own
    ///     length unless given.
    init(samples: [Int16], columns: Int = 480, length: Int? = nil) {
        let total = max(length ?? samples.count, samples.count)
        let count = max(min(columns, total), total == 0 ? 0 : 1)
        low = []
        high = []
        for column in 0..<count {
            let start = min(column * total / count, samples.count)
            let end = min(max((column + 1) * total / count, start), samples.count)
            let part = samples[start..<end]
            low.append(Double(part.min() ?? 0) / 32768)
            high.append(Double(part.max() ?? 0) / 32768)
        }
    }
}
