// SPDX-License-Identifier: MIT

import OffhookTesting

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
        fileprivate var title: (String, String) {
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
    typealias Kind = SequenceDiagram.Kind

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

extension DemoTimeline {
    /// The picture of it: a person with the phone on one ground, the machines between on another.
    var diagram: SequenceDiagram {
        let actors = actors
        let lanes = actors.map { actor in
            let group =
                switch actor {
                case .alice, .alicePhone, .aliceApp: 0
                case .server, .apns: 1
                case .bobApp, .bobPhone, .bob: 2
                }
            return SequenceDiagram.Lane(owner: actor.title.0, role: actor.title.1, group: group)
        }
        let events = events.compactMap { event -> SequenceDiagram.Event? in
            guard let from = actors.firstIndex(of: event.from) else { return nil }
            return SequenceDiagram.Event(
                time: event.time, from: from, to: event.to.flatMap(actors.firstIndex(of:)), rule: event.rule,
                text: event.text, kind: event.kind)
        }
        return SequenceDiagram(title: title, lanes: lanes, events: events)
    }
}
