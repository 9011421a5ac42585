// SPDX-License-Identifier: MIT

import Foundation

/// Lays rows out for a terminal and for bench.json.
struct BenchmarkTable {
    /// The rows in the order measured.
    var rows: [BenchmarkRow]

    /// The table's lines; after two sizes of one figure follows how the cost of a piece of work grows with their number.
    func lines() -> [String] {
        let titles = ["id", "n", "value", "unit", "peer", "ratio", "note"]
        let cells = rows.map { row in
            [
                row.id, "\(row.n)", number(row.value), row.unit,
                row.peer.map { "\($0) \(row.peerValue.map(number) ?? "")" } ?? "–",
                row.ratio.map { "\(number($0))x" } ?? "–", row.note ?? "",
            ]
        }
        let widths = titles.indices.map { column in
            ([titles] + cells).map { $0[column].count }.max() ?? 0
        }
        return ([titles] + cells).map { line in
            let padded = line.enumerated().map { column, text in
                let space = String(repeating: " ", count: widths[column] - text.count)
                return [1, 2, 5].contains(column) ? space + text : text + space
            }
            return padded.joined(separator: "  ").replacingOccurrences(of: " +$", with: "", options: .regularExpression)
        }
    }

    /// The rows as JSON.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(rows)
    }

    private func number(_ value: Double) -> String {
        let places = abs(value) >= 1000 ? 0 : abs(value) >= 100 ? 1 : abs(value) >= 1 ? 2 : 4
        return String(format: "%.\(places)f", value)
    }
}

/// How cost grows with size.
enum Growth {
    /// The exponent e of total ~ n^e, of two measurements of the whole cost; 1 is proportional.
    static func exponent(_ small: (n: Int, total: Double), _ large: (n: Int, total: Double)) -> Double? {
        guard small.total > 0, large.total > 0, small.n > 0, large.n > small.n else { return nil }
        return log(large.total / small.total) / log(Double(large.n) / Double(small.n))
    }

    /// The exponent as a note.
    static func note(_ small: (n: Int, total: Double), _ large: (n: Int, total: Double)) -> String {
        exponent(small, large).map { String(format: "total grows as n^%.2f", $0) } ?? ""
    }
}

/// Memory of this process.
enum Memory {
    /// What is in use, in bytes; 0 when it cannot be read.
    static var resident: Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
            .dropFirst()
        return (pages?.first.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }
}

/// Clocks of a measurement.
enum Stopwatch {
    /// The processor time of this process in seconds, user and system, all threads.
    static func processorSeconds() -> Double {
        seconds(of: CLOCK_PROCESS_CPUTIME_ID)
    }

    /// The processor time of the calling thread in seconds.
    static func threadSeconds() -> Double {
        seconds(of: CLOCK_THREAD_CPUTIME_ID)
    }

    private static func seconds(of clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
