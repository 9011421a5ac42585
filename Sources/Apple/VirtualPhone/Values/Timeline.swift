// SPDX-License-Identifier: MIT

public import Foundation

/// What happened on the phone, in order.
public struct Timeline: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Who did something.
    public enum Actor: String, Hashable, Sendable, Codable {
        /// The person who holds the phone.
        case user
        /// The system: iOS with its daemons.
        case phone
        /// The app's process.
        case app
        /// Apple's push service.
        case apns
        /// The calling server.
        case server
        /// The network and what comes over it.
        case network
    }

    /// One line of the timeline.
    public struct Entry: Hashable, Sendable, Codable, CustomStringConvertible {
        /// When it happened, by the phone's clock.
        public var time: Date
        /// Who did it.
        public var actor: Actor
        /// The rule that asks for it or speaks of it, such as `K3`.
        public var rule: String?
        /// What happened, without names, numbers or tokens (R12).
        public var text: String
        /// The call it is about.
        public var call: UUID?
        /// The bundle identifier of the app it is about.
        public var app: String?

        /// Makes an entry.
        public init(
            time: Date, actor: Actor, rule: String? = nil, text: String, call: UUID? = nil, app: String? = nil
        ) {
            self.time = time
            self.actor = actor
            self.rule = rule
            self.text = text
            self.call = call
            self.app = app
        }

        /// The entry as a line: actor, text, rule.
        public var description: String {
            "\(actor.rawValue): \(text)" + (rule.map { " [\($0)]" } ?? "")
        }
    }

    /// The entries, oldest first.
    public var entries: [Entry]
    /// How many older entries were forgotten (`PhoneSettings.timelineLimit`).
    public var dropped = 0

    /// Makes a timeline.
    public init(entries: [Entry] = []) {
        self.entries = entries
    }

    /// One line an entry, with seconds since the first.
    public var description: String {
        guard let start = entries.first?.time else { return "(empty)" }
        return entries.map { entry in
            String(format: "%9.3f  ", entry.time.timeIntervalSince(start)) + entry.description
        }.joined(separator: "\n")
    }
}
