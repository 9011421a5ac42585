// SPDX-License-Identifier: MIT

public import VirtualPhone

/// What happened on the phones of a ``PhoneLab`` and between them, in order.
public struct LabTimeline: Hashable, Sendable, CustomStringConvertible {
    /// One line of it.
    public struct Entry: Hashable, Sendable {
        /// The phone's name.
        public var phone: String
        /// What happened there.
        public var entry: Timeline.Entry

        /// Makes a line.
        public init(phone: String, entry: Timeline.Entry) {
            self.phone = phone
            self.entry = entry
        }
    }

    /// The lines, oldest first.
    public var entries: [Entry]

    /// Makes a timeline.
    public init(entries: [Entry] = []) {
        self.entries = entries
    }

    /// The timeline as text that is the same in every run with the same seed.
    public var stableText: String {
        TimelineText(entries.map { TimelineText.Line(phone: $0.phone, entry: $0.entry) }).render()
    }

    /// The same as ``stableText``.
    public var description: String { stableText }
}
