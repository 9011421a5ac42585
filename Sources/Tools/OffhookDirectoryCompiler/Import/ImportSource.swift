// SPDX-License-Identifier: MIT

public import OffhookDirectory

/// One list that goes into a directory: where it comes from, and how it is to be read.
public struct ImportSource: Sendable {
    /// How the lines of a list are written.
    public enum Format: Hashable, Sendable {
        /// A number a line; what follows a tab or a semicolon is its label; `#` at the beginning is a comment.
        case text
        /// RFC 4180, with the columns named.
        case csv(CSVColumns)
        /// A JSON object a line, with the members `number`, and optionally `label` and `block`.
        case jsonLines
        /// A pattern or a range a line: see ``NumberPattern``; label and comments as in ``text``.
        case patterns
    }

    /// What the list's numbers are there for.
    public enum Purpose: Hashable, Sendable {
        /// Calls from them are blocked; a label is shown besides when the line has one.
        case block
        /// Their labels are shown; the text is for lines that have none.
        case identify(defaultLabel: String?)
        /// They are taken out of the directory, whatever other lists say.
        case exclude
    }

    /// Names the list in reports.
    public var name: String
    /// How the lines are written.
    public var format: Format
    /// What the numbers are there for; a `block` field of a line has the last word.
    public var purpose: Purpose
    /// How the numbers are written.
    public var numbers: PhoneNumberOptions
    /// Gives the next bytes, empty at the end; called from the compiling thread.
    public var read: @Sendable (_ maximum: Int) throws -> [UInt8]

    /// Describes a list.
    public init(
        name: String, format: Format, purpose: Purpose, numbers: PhoneNumberOptions = PhoneNumberOptions(),
        read: @escaping @Sendable (_ maximum: Int) throws -> [UInt8]
    ) {
        self.name = name
        self.format = format
        self.purpose = purpose
        self.numbers = numbers
        self.read = read
    }
}

/// Where a CSV list has its fields.
public struct CSVColumns: Hashable, Sendable {
    /// Finds a column.
    public enum Column: Hashable, Sendable {
        /// By its place, from 0.
        case index(Int)
        /// By its name in the first line, compared without case.
        case named(String)
    }

    /// The column of the number.
    public var number: Column
    /// The column of the label; nil when there is none.
    public var label: Column?
    /// The column that says whether to block (1, true, yes, block) or not (0, false, no, empty); nil when there is none.
    public var block: Column?
    /// What separates fields, an ASCII character.
    public var separator: UInt8
    /// Whether the first line names the columns; always so when a column is found by its name.
    public var hasHeader: Bool

    /// Describes the columns.
    public init(
        number: Column = .index(0), label: Column? = nil, block: Column? = nil, separator: UInt8 = UInt8(ascii: ","),
        hasHeader: Bool = false
    ) {
        self.number = number
        self.label = label
        self.block = block
        self.separator = separator
        self.hasHeader = hasHeader || [number, label, block].contains { if case .named = $0 { true } else { false } }
    }
}
