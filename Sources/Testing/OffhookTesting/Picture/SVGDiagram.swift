// SPDX-License-Identifier: MIT

/// Draws a timeline as a sequence diagram in SVG; colours come from the page's style sheet.
package struct SVGDiagram {
    /// What to draw.
    package var diagram: SequenceDiagram

    /// The drawing's width in its own units, about pixels.
    package let width = 1180.0

    private let gutter = 168.0
    private let headHeight = 64.0
    private let lineHeight = 16.0
    private let wrapColumns = 64

    /// Draws a diagram.
    package init(diagram: SequenceDiagram) {
        self.diagram = diagram
    }

    private var lanes: [SequenceDiagram.Lane] { diagram.lanes }
    private var pitch: Double {
        lanes.count > 1 ? (width - gutter - 76) / Double(lanes.count - 1) : 0
    }

    /// The drawing as an `svg` element.
    package func render() -> String {
        var body: [String] = []
        var top = headHeight + 10
        var previous: Duration?
        for event in diagram.events {
            if let before = previous, event.time - before >= .seconds(1) {
                body += pause(event.time - before, top: top)
                top += 34
            }
            let words = TextWrap.balanced(event.text, to: wrapColumns)
            body += row(event, words: words, top: top)
            top += 19 + lineHeight * Double(words.count)
            previous = event.time
        }
        let height = top + 40
        let opening =
            "<svg class=\"diagram\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
            + "viewBox=\"0 0 \(Markup.number(width)) \(Markup.number(height))\" "
            + "aria-label=\"Sequence diagram: \(Markup.escape(diagram.title))\">"
        let parts = [opening] + bands(height: height) + lifelines(height: height) + body + ["</svg>"]
        return parts.joined(separator: "\n")
    }

    private func x(_ lane: Int) -> Double {
        gutter + Double(lane) * pitch
    }

    /// What belongs together stands on one ground: a person with the phone, the machines between.
    private func bands(height: Double) -> [String] {
        let groups = Set(lanes.map(\.group)).sorted()
        return groups.map { group in
            let places = lanes.indices.filter { lanes[$0].group == group }.map(x)
            let (first, last) = (places.min() ?? gutter, places.max() ?? gutter)
            let side = min(lanes.count > 1 ? pitch / 2 - 6 : 62, 62)
            return Markup.rectangle(
                x: first - side, y: 0, width: last - first + 2 * side, height: height, radius: 12, class: "band")
        }
    }

    private func lifelines(height: Double) -> [String] {
        lanes.indices.flatMap { lane -> [String] in
            let (first, second) = (lanes[lane].owner, lanes[lane].role)
            let place = x(lane)
            let name = second.isEmpty ? first.prefix(1).uppercased() + first.dropFirst() : "\(first)'s \(second)"
            return [
                Markup.line(x1: place, y1: headHeight - 10, x2: place, y2: height - 36, class: "life"),
                Markup.text(name, x: place, y: 34, class: "actor", anchor: .middle),
                Markup.text(name, x: place, y: height - 16, class: "actor", anchor: .middle),
                Markup.circle(x: place, y: headHeight - 12, radius: 3, class: "lifehead"),
            ]
        }
    }

    private func row(_ event: SequenceDiagram.Event, words: [String], top: Double) -> [String] {
        let tone = event.kind.rawValue
        let from = x(event.from)
        let arrowY = top + lineHeight * Double(words.count) + 6
        var parts: [String] = []
        let to = event.to.map(x) ?? from
        let isNote = to == from
        let baseline = isNote ? arrowY - 4 : arrowY
        parts.append(
            Markup.text(Display.milliseconds(event.time), x: 58, y: baseline, class: "time", anchor: .end))
        if let rule = event.rule {
            let pillWidth = max(Double(rule.count) * 7 + 10, 26)
            parts.append(
                Markup.rectangle(
                    x: 66, y: baseline - 11.5, width: pillWidth, height: 16, radius: 8, class: "pill \(tone)"))
            parts.append(Markup.text(rule, x: 66 + pillWidth / 2, y: baseline, class: "rule \(tone)", anchor: .middle))
        }
        // About as wide as a letter is in the fonts that a page may get.
        let letterWidth = event.kind == .step ? 6.6 : 7.6
        let longest = Double(words.map(\.count).max() ?? 0) * letterWidth
        if isNote {
            parts.append(Markup.circle(x: from, y: arrowY - 8, radius: 4.5, class: "dot \(tone)"))
            let fitsRight = from + 12 + longest < width - 8
            for (index, line) in words.enumerated() {
                parts.append(
                    Markup.text(
                        line, x: fitsRight ? from + 12 : from - 12,
                        y: arrowY - 4 - lineHeight * Double(words.count - 1 - index), class: "say \(tone)",
                        anchor: fitsRight ? .start : .end))
            }
            return parts
        }
        let (left, right) = (min(from, to), max(from, to))
        parts.append(Markup.line(x1: from, y1: arrowY, x2: to, y2: arrowY, class: "arrow \(tone)"))
        let back = to > from ? to - 8 : to + 8
        let head = "M\(Markup.number(back)) \(Markup.number(arrowY - 4.5)) L\(Markup.number(to)) "
        parts.append(
            "<path class=\"head \(tone)\" d=\"\(head)\(Markup.number(arrowY)) "
                + "L\(Markup.number(back)) \(Markup.number(arrowY + 4.5)) Z\" />")
        let fits = left + 8 + longest < width - 8
        for (index, line) in words.enumerated() {
            parts.append(
                Markup.text(
                    line, x: fits ? left + 8 : right - 8,
                    y: arrowY - 6 - lineHeight * Double(words.count - 1 - index), class: "say \(tone)",
                    anchor: fits ? .start : .end))
        }
        return parts
    }

    private func pause(_ length: Duration, top: Double) -> [String] {
        let middle = top + 17
        let text = "\(Display.decimal(length.inMilliseconds / 1000, 1)) s"
        return [
            Markup.line(x1: gutter - 40, y1: middle, x2: width - 20, y2: middle, class: "pause"),
            Markup.text(text, x: 58, y: middle + 4, class: "time", anchor: .end),
        ]
    }
}
