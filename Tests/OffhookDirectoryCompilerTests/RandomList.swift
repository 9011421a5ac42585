// SPDX-License-Identifier: MIT

import OffhookDirectory
import OffhookDirectoryCompiler

/// SplitMix64.
struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A list of ranges that overlap a lot, and what it means by the plainest of models.
struct RandomList {
    struct Line {
        var first: Int64
        var last: Int64
        var label: String?
    }

    var purpose: ImportSource.Purpose
    var lines: [Line]

    init(using random: inout Random) {
        let purposes: [ImportSource.Purpose] = [.block, .block, .identify(defaultLabel: "D"), .exclude]
        purpose = purposes[Int(random.next() % 4)]
        lines = []
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            let first = Int64.random(in: 100_000...100_400, using: &random)
            let length = random.next() % 3 == 0 ? Int64.random(in: 0...150, using: &random) : 0
            let label = random.next() % 2 == 0 ? nil : "L\(random.next() % 4)"
            lines.append(Line(first: first, last: first + length, label: label))
        }
    }

    func source(piece: Int) -> ImportSource {
        let text = lines.map { "\($0.first)..\($0.last)" + ($0.label.map { "\t\($0)" } ?? "") + "\n" }.joined()
        return Lists.source(text, format: .patterns, purpose: purpose, piece: piece)
    }

    static func meaning(of lists: [RandomList], conflict: LabelConflict) -> [Int64: DirectoryAttributes] {
        var blocked: Set<Int64> = []
        var excluded: Set<Int64> = []
        // Every label a number is given, with what decides between them: list, width, start, line.
        var labels: [Int64: [(rank: [Int64], label: String)]] = [:]
        for (source, list) in lists.enumerated() {
            for (index, line) in list.lines.enumerated() {
                let label: String?
                switch list.purpose {
                case .block: label = line.label
                case .identify(let fallback): label = line.label ?? fallback
                case .exclude: label = nil
                }
                let turn: Int64 = conflict == .last ? -1 : 1
                let rank = [
                    turn * Int64(source), line.last - line.first, turn * line.first, turn * Int64(index),
                ]
                for number in line.first...line.last {
                    if list.purpose == .block { blocked.insert(number) }
                    if list.purpose == .exclude { excluded.insert(number) }
                    if let label { labels[number, default: []].append((rank, label)) }
                }
            }
        }
        var meaning: [Int64: DirectoryAttributes] = [:]
        for number in blocked.union(labels.keys).subtracting(excluded) {
            let all = (labels[number] ?? []).sorted { $0.rank.lexicographicallyPrecedes($1.rank) }.map(\.label)
            let kept = conflict == .all ? all : Array(all.prefix(1))
            meaning[number] = DirectoryAttributes(blocked: blocked.contains(number), labels: kept)
        }
        return meaning
    }
}
