// SPDX-License-Identifier: MIT

/// What happened in a demo, in order: the input of every picture of it.
struct DemoTimeline: Hashable, Sendable, Codable {
    /// Who takes part; the order is that of the lifelines, from left to right.
    enum Actor: String, Hashable, Sendable, Codable, CaseIterable {
        /// The person who calls.
        case alice
        /// The caller's phone: its system and screen.
        case alicePhone
        /// The app on the caller's phone.
        case aliceApp
        /// The call server.
        case server
        /// The push gateway.
        case apns
        /// The app on the called phone.
        case bobApp
        /// The called phone: its system and screen.
        case bobPhone
        /// The person who is called.
        case bob

        /// The name in two short lines; the second is empty for who stands alone.
        var title: (String, String) {
            switch self {
            case .alice: ("Alice", "")
            case .alicePhone: ("Alice", "phone")
            case .aliceApp: ("Alice", "app")
            case .server: ("server", "")
            case .apns: ("APNs", "")
            case .bobApp: ("Bob", "app")
            case .bobPhone: ("Bob", "phone")
            case .bob: ("Bob", "")
            }
        }
    }

    /// How an event is to be read.
    enum Kind: String, Hashable, Sendable, Codable {
        /// One actor tells another, or notes something.
        case step
        /// What a person does or hears; drawn as the story's turning points.
        case milestone
        /// Voice begins to flow or stops.
        case voice
        /// A rule was broken; the text says which and how to repair it.
        case violation
    }

    /// One event.
    struct Event: Hashable, Sendable {
        /// Since the demo's start.
        var time: Duration
        /// Who acts.
        var from: Actor
        /// Whom it reaches; nil for what concerns the actor alone.
        var to: Actor?
        /// The phone's rule that asks for it or judges it, such as K3.
        var rule: String?
        /// What happened, in a few words.
        var text: String
        /// The call, where one is concerned.
        var call: String?
        /// How to read it.
        var kind = Kind.step
    }

    /// What the picture shows, in one line.
    var title: String
    /// The events in order of time.
    var events: [Event]

    /// The actors that take part, in the order of lifelines.
    var actors: [Actor] {
        let present = Set(events.flatMap { [$0.from, $0.to].compactMap { $0 } })
        return Actor.allCases.filter(present.contains)
    }
}

extension DemoTimeline.Event: Codable {
    private enum Key: String, CodingKey {
        case milliseconds, from, to, rule, text, call, kind
    }

    /// Decodes an event; its time is in milliseconds.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let milliseconds = try container.decode(Double.self, forKey: .milliseconds)
        self.init(
            time: .nanoseconds(Int64((milliseconds * 1_000_000).rounded())),
            from: try container.decode(DemoTimeline.Actor.self, forKey: .from),
            to: try container.decodeIfPresent(DemoTimeline.Actor.self, forKey: .to),
            rule: try container.decodeIfPresent(String.self, forKey: .rule),
            text: try container.decode(String.self, forKey: .text),
            call: try container.decodeIfPresent(String.self, forKey: .call),
            kind: try container.decode(DemoTimeline.Kind.self, forKey: .kind))
    }

    /// Encodes an event; its time is in milliseconds, to the microsecond.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode((time.inMilliseconds * 1000).rounded() / 1000, forKey: .milliseconds)
        try container.encode(from, forKey: .from)
        try container.encodeIfPresent(to, forKey: .to)
        try container.encodeIfPresent(rule, forKey: .rule)
        try container.encode(text, forKey: .text)
        try container.encodeIfPresent(call, forKey: .call)
        try container.encode(kind, forKey: .kind)
    }
}

extension Duration {
    /// The duration in milliseconds, with fraction; for display.
    var inMilliseconds: Double {
        Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
    }
}

/// Numbers as people read them.
enum Display {
    /// A number with a fixed count of decimals.
    static func decimal(_ value: Double, _ places: Int) -> String {
        guard value.isFinite else { return "–" }
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = (abs(value) * scale).rounded()
        guard scaled < 9e15 else { return "\(value)" }
        let digits = String(Int64(scaled))
        let padded = String(repeating: "0", count: max(places + 1 - digits.count, 0)) + digits
        let sign = value < 0 && scaled > 0 ? "-" : ""
        return places == 0 ? sign + padded : sign + padded.dropLast(places) + "." + padded.suffix(places)
    }

    /// A time of the diagram: milliseconds with one decimal below ten seconds.
    static func milliseconds(_ time: Duration) -> String {
        decimal(time.inMilliseconds, 1)
    }
}
