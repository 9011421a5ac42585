// SPDX-License-Identifier: MIT

/// What is different between two texts, line by line, with a few lines around it.
struct LineDifference {
    private enum Mark: Character {
        case same = " "
        case gone = "-"
        case new = "+"
    }
    private struct Line {
        var mark: Mark
        var text: Substring
    }

    private let lines: [Line]
    private let context = 3

    /// Compares two texts.
    init(_ old: String, _ new: String) {
        let (old, new) = (Self.split(old), Self.split(new))
        let difference = new.difference(from: old)
        var gone: Set<Int> = []
        var added: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): gone.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var lines: [Line] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if left < old.count, gone.contains(left) {
                lines.append(Line(mark: .gone, text: old[left]))
                left += 1
            } else if right < new.count, added.contains(right) {
                lines.append(Line(mark: .new, text: new[right]))
                right += 1
            } else {
                lines.append(Line(mark: .same, text: right < new.count ? new[right] : old[left]))
                left += 1
                right += 1
            }
        }
        self.lines = lines
    }

    private static func split(_ text: String) -> [Substring] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// The changed lines, each with a mark, and three lines around them; what is left out is marked by dots.
    func render() -> String {
        let changed = lines.indices.filter { lines[$0].mark != .same }
        var result: [String] = []
        var last = -1
        for index in lines.indices
        where changed.contains(where: { abs($0 - index) <= context }) {
            if index != last + 1 { result.append("  ...") }
            result.append("\(lines[index].mark.rawValue) \(lines[index].text)")
            last = index
        }
        if last != lines.count - 1, last >= 0 { result.append("  ...") }
        return result.joined(separator: "\n")
    }
}
