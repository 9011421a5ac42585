// SPDX-License-Identifier: MIT

/// Finds what was probably meant by a mistyped word.
enum Suggestion {
    /// The nearest of the candidates, when it is near enough to be a slip.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        let ranked = candidates.map { (distance: distance(word, $0), candidate: $0) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        let isBeginning = word.count >= 2 && best.candidate.hasPrefix(word)
        if isBeginning || best.distance <= max(1, min(word.count, best.candidate.count) / 3) { return best.candidate }
        return candidates.first { word.count >= 2 && $0.hasPrefix(word) }
    }

    /// How many letters to insert, delete, replace or swap to get from one word to the other.
    static func distance(_ left: String, _ right: String) -> Int {
        let from = Array(left.lowercased())
        let to = Array(right.lowercased())
        var older: [Int] = []
        var previous = Array(0...to.count)
        for row in 0..<from.count {
            var current = [row + 1]
            for column in 0..<to.count {
                let replaced = previous[column] + (from[row] == to[column] ? 0 : 1)
                var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, from[row] == to[column - 1], from[row - 1] == to[column] {
                    best = min(best, older[column - 1] + 1)
                }
                current.append(best)
            }
            older = previous
            previous = current
        }
        return previous[to.count]
    }
}
