// SPDX-License-Identifier: MIT

/// Draws a timeline as a sequence diagram of characters: a lifeline for each actor, the words beside it.
package struct TextDiagram {
    /// What to draw.
    package var diagram: SequenceDiagram
    /// Columns to fill; 80 at least.
    package var width: Int
    /// Whether to use colour.
    package var colour: Bool

    /// Draws a diagram.
    package init(diagram: SequenceDiagram, width: Int, colour: Bool) {
        self.diagram = diagram
        self.width = width
        self.colour = colour
    }

    private static let timeColumns = 9

    private var lanes: [SequenceDiagram.Lane] { diagram.lanes }
    /// From one lifeline to the next.
    private var pitch: Int { width >= 116 ? 8 : width >= 104 ? 7 : 6 }
    /// A wide diagram has room for "race 21", a narrow one says "#21".
    private var ruleColumns: Int { width >= 104 ? 8 : 5 }
    private var margin: Int { Self.timeColumns + 4 }
    private var textStart: Int { margin + max(lanes.count - 1, 0) * pitch + 4 }

    /// The diagram's lines.
    package func render() -> String {
        var lines = header()
        var previous: Duration?
        for event in diagram.events {
            if let before = previous, event.time - before >= .seconds(1) { lines.append(pause(event.time - before)) }
            lines += row(event)
            previous = event.time
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func header() -> [String] {
        let first = Canvas(width: width + 16)
        var upper = first
        var lower = first
        upper.put("ms", endingAt: Self.timeColumns - 1)
        for (index, lane) in lanes.enumerated() {
            let name = lane.role.isEmpty ? ("", lane.owner) : (lane.owner, lane.role)
            upper.put(name.0, centredAt: column(index))
            lower.put(name.1, centredAt: column(index))
        }
        lower.put("rule", at: textStart)
        return [upper, lower].map { $0.text { piece, _ in TextStyle.bold.paint(piece, colour: colour) } }
    }

    private func row(_ event: SequenceDiagram.Event) -> [String] {
        var canvas = lifelines()
        canvas.put(Display.milliseconds(event.time), endingAt: Self.timeColumns - 1, .time)
        let ink: Ink = event.kind == .violation ? .bad : event.kind == .step ? .arrow : .strong
        if let to = event.to, to != event.from {
            arrow(from: event.from, to: to, ink, double: event.kind == .voice, in: &canvas)
        } else {
            canvas.put(mark(event.kind), at: column(event.from), ink)
        }
        let rule = event.rule ?? ""
        let isShort = rule.count >= ruleColumns && rule.hasPrefix("race ")
        canvas.put(isShort ? "#" + rule.dropFirst(5) : rule, at: textStart, event.kind == .violation ? .bad : .rule)
        let words = TextWrap.wrap(event.text, to: max(width - textStart - ruleColumns, 16))
        let wordInk: Ink = event.kind == .violation ? .bad : event.kind == .step ? .plain : .strong
        canvas.put(words.first ?? "", at: textStart + ruleColumns, wordInk)
        var lines = [canvas.text(paint)]
        for more in words.dropFirst() {
            var next = lifelines()
            next.put(more, at: textStart + ruleColumns, wordInk)
            lines.append(next.text(paint))
        }
        return lines
    }

    private func pause(_ length: Duration) -> String {
        var canvas = lifelines(symbol: "┊")
        canvas.put("… \(Display.decimal(length.inMilliseconds / 1000, 1)) s", at: textStart + ruleColumns, .line)
        return canvas.text(paint)
    }

    private func arrow(from: Int, to: Int, _ ink: Ink, double: Bool, in canvas: inout Canvas) {
        let (left, right) = (min(from, to), max(from, to))
        let shaft = double ? "═" : "─"
        for position in column(left) + 1..<column(right) { canvas.put(shaft, at: position, ink) }
        for index in left + 1..<max(right, left + 1) { canvas.put(double ? "╪" : "┼", at: column(index), ink) }
        canvas.put(from < to ? "├" : "┤", at: column(from), ink)
        canvas.put(from < to ? "▶" : "◀", at: from < to ? column(to) - 1 : column(to) + 1, ink)
    }

    private func mark(_ kind: SequenceDiagram.Kind) -> String {
        switch kind {
        case .step: "•"
        case .milestone: "◆"
        case .voice: "♪"
        case .violation: "✗"
        }
    }

    private func lifelines(symbol: String = "│") -> Canvas {
        var canvas = Canvas(width: width + 16)
        for index in lanes.indices { canvas.put(symbol, at: column(index), .line) }
        return canvas
    }

    private func column(_ index: Int) -> Int { margin + index * pitch }

    private func paint(_ text: String, _ ink: Ink) -> String {
        switch ink {
        case .plain: text
        case .line, .time: TextStyle.faint.paint(text, colour: colour)
        case .arrow: TextStyle.accent.paint(text, colour: colour)
        case .strong, .rule: TextStyle.bold.paint(text, colour: colour)
        case .bad: TextStyle.bad.paint(text, colour: colour)
        }
    }

    /// What a character of the diagram is, which decides its colour.
    private enum Ink { case plain, line, time, arrow, strong, rule, bad }

    /// One line of characters, each with its ink.
    private struct Canvas {
        var cells: [(character: Character, ink: Ink)]

        init(width: Int) {
            cells = Array(repeating: (" ", .plain), count: width)
        }

        mutating func put(_ text: String, at column: Int, _ ink: Ink = .plain) {
            for (offset, character) in text.enumerated() where cells.indices.contains(column + offset) {
                cells[column + offset] = (character, ink)
            }
        }

        mutating func put(_ text: String, endingAt column: Int, _ ink: Ink = .plain) {
            put(text, at: column - text.count + 1, ink)
        }

        mutating func put(_ text: String, centredAt column: Int, _ ink: Ink = .plain) {
            put(text, at: column - text.count / 2, ink)
        }

        /// The line without blanks at its end, painted piece by piece.
        func text(_ paint: (String, Ink) -> String) -> String {
            var result = ""
            var piece = ""
            var ink = Ink.plain
            let used = cells[..<((cells.lastIndex { $0.character != " " } ?? -1) + 1)]
            for cell in used {
                if cell.ink != ink, cell.character != " " || cell.ink != .plain {
                    result += piece.isEmpty ? "" : paint(piece, ink)
                    piece = ""
                    ink = cell.ink
                }
                piece.append(cell.character)
            }
            return result + paint(piece, ink)
        }
    }
}
