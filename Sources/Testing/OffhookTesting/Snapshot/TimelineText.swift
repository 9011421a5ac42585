// SPDX-License-Identifier: MIT

import Foundation
public import VirtualPhone

/// Timelines as text that is the same in every run: virtual times, and names in place of identities.
struct TimelineText {
    /// A line and the phone it is from; nil when there is one phone alone.
    struct Line {
        var phone: String?
        var entry: Timeline.Entry
    }

    private let lines: [Line]

    init(_ lines: [Line]) {
        self.lines = lines
    }

    /// One line an entry: seconds since the first, phone, actor, call, what happened, rule.
    func render() -> String {
        guard let start = lines.first?.entry.time else { return "(nothing happened)\n" }
        let phoneWidth = lines.compactMap { $0.phone?.count }.max() ?? 0
        var names = CallNames()
        return lines.map { line in
            let seconds = line.entry.time.timeIntervalSince(start)
            var text = String(format: "%9.3f  ", seconds)
            if phoneWidth > 0 { text += TextWrap.pad(line.phone ?? "", to: phoneWidth) + "  " }
            text += TextWrap.pad(line.entry.actor.rawValue, to: 7) + "  "
            text += TextWrap.pad(line.entry.call.map { names.name(of: $0) } ?? "", to: 6) + "  "
            text += names.replacing(in: line.entry.text)
            if let rule = line.entry.rule { text += " [\(rule)]" }
            return text + "\n"
        }.joined()
    }
}

/// Names calls in the order in which they appear: call-1, call-2.
struct CallNames {
    private var names: [UUID: String] = [:]

    mutating func name(of call: UUID) -> String {
        if let name = names[call] { return name }
        let name = "call-\(names.count + 1)"
        names[call] = name
        return name
    }

    /// A text in which each UUID that was named, or is met now, is its name.
    mutating func replacing(in text: String) -> String {
        guard text.contains("-") else { return text }
        var result = ""
        var word = ""
        func isPart(_ character: Character) -> Bool { character.isHexDigit || character == "-" }
        func flush(_ names: inout CallNames) {
            if word.count == 36, let call = UUID(uuidString: word) { word = names.name(of: call) }
            result += word
            word = ""
        }
        for character in text {
            if isPart(character) {
                word.append(character)
            } else {
                flush(&self)
                result.append(character)
            }
        }
        flush(&self)
        return result
    }
}

extension Timeline {
    /// The timeline as text that is the same in every run of a test in virtual time.
    ///
    /// Seconds since the first line, actor, call, what happened, rule. Calls are named in the order in which they
    /// appear: call-1, call-2.
    public var stableText: String {
        TimelineText(entries.map { TimelineText.Line(phone: nil, entry: $0) }).render()
    }
}
