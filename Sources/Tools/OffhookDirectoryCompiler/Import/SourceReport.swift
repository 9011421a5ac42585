// SPDX-License-Identifier: MIT

/// What became of the lines of one list; every line is counted in exactly one of `ignored`, `accepted` and `rejected`.
public struct SourceReport: Hashable, Sendable {
    /// A refused line.
    public struct Rejection: Hashable, Sendable {
        /// The line, from 1.
        public var line: Int
        /// Why it is refused.
        public var reason: RejectReason

        /// Names a refused line.
        public init(line: Int, reason: RejectReason) {
            self.line = line
            self.reason = reason
        }
    }

    /// The most refused lines that are kept with their number; all are counted.
    public static let maximumExamples = 100

    /// The list.
    public var name: String
    /// Lines read: empty ones, comments and the header line too.
    public var lines = 0
    /// Empty lines, comments and the header line.
    public var ignored = 0
    /// Lines whose numbers went on to the directory.
    public var accepted = 0
    /// Refused lines by reason.
    public var rejected: [RejectReason: Int] = [:]
    /// The first refused lines.
    public var examples: [Rejection] = []
    /// Numbers that the accepted lines stand for, those of ranges included, national variants not.
    public var numbers: UInt64 = 0
    /// Numbers added in their national form.
    public var variants: UInt64 = 0
    /// Accepted entries that said nothing new: the same numbers with the same attributes had come before.
    public var duplicates = 0
    /// Accepted entries whose label lost against another one for the same number.
    public var conflicts = 0

    /// Refused lines.
    public var rejectedCount: Int { rejected.values.reduce(0, +) }

    mutating func reject(_ reason: RejectReason, line: Int) {
        let rejection = Rejection(line: line, reason: reason)
        rejected[reason, default: 0] += 1
        if examples.count < SourceReport.maximumExamples { examples.append(rejection) }
        last = rejection
    }

    /// The line refused last, until it is taken.
    var last: Rejection?
}
