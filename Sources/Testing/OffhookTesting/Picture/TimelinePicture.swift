// SPDX-License-Identifier: MIT

import Foundation
public import VirtualPhone

/// A timeline as a picture: a sequence diagram with the rule of every step, broken rules in red.
///
/// ```swift
/// try TimelinePicture(phone, title: "Answered on the lock screen").write(to: "answered.html")
/// ```
public struct TimelinePicture: Hashable, Sendable {
    private let diagram: SequenceDiagram
    private let violations: [Violation]
    private let deaths: [CauseOfDeath]

    /// Draws what happened on a phone until now.
    public init(_ phone: VirtualPhone, title: String) {
        let snapshot = phone.snapshot
        diagram = TimelinePicture.diagram(snapshot.timeline.entries.map { ("", $0) }, title: title)
        violations = snapshot.violations
        deaths = snapshot.deaths.filter { $0.rule != nil }
    }

    /// Draws what happened on the phones of a lab until now.
    public init(_ lab: PhoneLab, title: String) {
        diagram = TimelinePicture.diagram(lab.timeline.entries.map { ($0.phone, $0.entry) }, title: title)
        violations = lab.violations
        deaths = lab.phones.flatMap(\.deaths).filter { $0.rule != nil }
    }

    /// Draws a timeline.
    public init(_ timeline: Timeline, title: String, violations: [Violation] = []) {
        diagram = TimelinePicture.diagram(timeline.entries.map { ("", $0) }, title: title)
        self.violations = violations
        deaths = []
    }

    /// The picture as characters, for a terminal or a log.
    ///
    /// - Parameters:
    ///   - width: Columns to fill; 80 at least.
    ///   - colour: Whether to use the colours of a terminal.
    /// - Returns: Lines, each with its end.
    public func text(width: Int = 110, colour: Bool = false) -> String {
        TextDiagram(diagram: diagram, width: max(width, 80), colour: colour).render()
    }

    /// The picture as a page that needs nothing else: light and dark, no script, no font, no picture from elsewhere.
    public var html: String {
        """
        <!DOCTYPE html>
        <html xmlns="http://www.w3.org/1999/xhtml" lang="en">
        <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>\(Markup.escape(diagram.title))</title>
        <style>
        \(DiagramStyle.page)
        h1 { font-size: 28px; letter-spacing: -0.02em; font-weight: 640; margin: 0 0 18px; }
        .card { background: var(--card); border: 1px solid var(--line); border-radius: 16px; }
        .broken { color: var(--bad); background: var(--badwash); border-radius: 12px; padding: 12px 18px; margin: 0 0 14px; }
        .broken p { margin: 0; } .broken .advice { color: var(--ink); }
        footer { margin-top: 28px; color: var(--soft); font-size: 13.5px; }
        \(DiagramStyle.diagram)
        </style>
        </head>
        <body>
        <main>
        <h1>\(Markup.escape(diagram.title))</h1>
        \(faults)
        <div class="card scroll">
        \(SVGDiagram(diagram: diagram).render())
        </div>
        <footer>Times are milliseconds since the first line; ids such as K3 name the phone's rules.</footer>
        </main>
        </body>
        </html>

        """
    }

    /// Writes ``html`` to a file.
    ///
    /// - Throws: Foundation's error when the file cannot be written.
    public func write(to path: String) throws {
        try Data(html.utf8).write(to: URL(fileURLWithPath: path))
    }

    private var faults: String {
        let broken = violations.map { (what: "\($0.what) [\($0.rule)]", advice: $0.advice, app: $0.app) }
        let died = deaths.map { (what: "terminated: \($0.code) [\($0.rule ?? "")]", advice: $0.message, app: $0.app) }
        return (broken + died).map { fault in
            """
            <div class="broken"><p><b>\(Markup.escape(fault.app))</b>: \(Markup.escape(fault.what))</p>\
            <p class="advice">\(Markup.escape(fault.advice))</p></div>
            """
        }.joined(separator: "\n")
    }
}

extension TimelinePicture {
    /// Who stands where: each phone's user, system and app on one ground, what is between the phones on another.
    private struct Place: Hashable {
        enum Role: Int, Hashable {
            case user, phone, app, apns, server, network
        }
        var phone: String
        var role: Role
    }

    private static func diagram(_ lines: [(phone: String, entry: Timeline.Entry)], title: String) -> SequenceDiagram {
        guard let start = lines.first?.entry.time else { return SequenceDiagram(title: title, lanes: [], events: []) }
        let steps = lines.map { line in (ends: ends(of: line.entry, on: line.phone), entry: line.entry) }
        let places = arranged(steps.flatMap { [$0.ends.from, $0.ends.to].compactMap { $0 } })
        let index = Dictionary(uniqueKeysWithValues: places.enumerated().map { ($1, $0) })
        let phones = Array(Set(lines.map(\.phone))).sorted()
        var names = CallNames()
        let events = steps.compactMap { step -> SequenceDiagram.Event? in
            guard let from = index[step.ends.from] else { return nil }
            let isBroken =
                step.entry.text.hasPrefix("violation")
                || (step.entry.text.hasPrefix("terminated") && step.entry.rule != "T5")
            return SequenceDiagram.Event(
                time: .milliseconds(Int64((step.entry.time.timeIntervalSince(start) * 1000).rounded())), from: from,
                to: step.ends.to.flatMap { index[$0] }, rule: step.entry.rule,
                text: names.replacing(in: step.entry.text), kind: isBroken ? .violation : .step)
        }
        let lanes = places.map { place in lane(place, phones: phones) }
        return SequenceDiagram(title: title, lanes: lanes, events: events)
    }

    private static func lane(_ place: Place, phones: [String]) -> SequenceDiagram.Lane {
        let group = place.phone.isEmpty ? 1 : phones.firstIndex(of: place.phone).map { $0 == 0 ? 0 : $0 + 1 } ?? 1
        switch place.role {
        case .user: return .init(owner: place.phone.isEmpty ? "user" : place.phone, group: group)
        case .phone:
            return place.phone.isEmpty
                ? .init(owner: "phone", group: group) : .init(owner: place.phone, role: "phone", group: group)
        case .app:
            return place.phone.isEmpty
                ? .init(owner: "app", group: group) : .init(owner: place.phone, role: "app", group: group)
        case .apns: return .init(owner: "APNs", group: group)
        case .server: return .init(owner: "server", group: group)
        case .network: return .init(owner: "network", group: group)
        }
    }

    /// The places from left to right: the first phone, what is between, the other phones mirrored.
    private static func arranged(_ met: [Place]) -> [Place] {
        let present = Set(met)
        let phones = Array(Set(present.map(\.phone))).filter { !$0.isEmpty }.sorted()
        let own: [Place.Role] = [.user, .phone, .app]
        let between: [Place.Role] = [.network, .server, .apns]
        let shared = between.map { Place(phone: "", role: $0) }
        let alone = own.map { Place(phone: "", role: $0) }
        let first = phones.prefix(1).flatMap { phone in own.map { Place(phone: phone, role: $0) } }
        let others = phones.dropFirst().flatMap { phone in own.reversed().map { Place(phone: phone, role: $0) } }
        return (alone + first + shared + others).filter(present.contains)
    }

    private static func ends(of entry: Timeline.Entry, on phone: String) -> (from: Place, to: Place?) {
        let (user, device, app) = (
            Place(phone: phone, role: .user), Place(phone: phone, role: .phone), Place(phone: phone, role: .app)
        )
        switch entry.actor {
        case .user: return (user, device)
        case .phone: return (device, entry.app == nil || concernsPhoneAlone(entry.text) ? nil : app)
        case .app: return (app, entry.text == "launched" ? nil : device)
        case .apns: return (Place(phone: "", role: .apns), device)
        case .server: return (Place(phone: "", role: .server), nil)
        case .network: return (Place(phone: "", role: .network), device)
        }
    }

    private static func concernsPhoneAlone(_ text: String) -> Bool {
        ["rings", "call ended", "call connected", "check ", "launched", "outgoing call"].contains { text.hasPrefix($0) }
    }
}
