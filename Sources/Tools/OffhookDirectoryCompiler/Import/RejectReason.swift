// SPDX-License-Identifier: MIT

public import OffhookDirectory

/// Why a line of a list is not taken; each is counted apart (P48, bug 18 of call directories: disputed counts).
public enum RejectReason: Hashable, Sendable, CustomStringConvertible {
    /// The text is no telephone number.
    case number(PhoneNumberError)
    /// A pattern or a range is malformed.
    case pattern
    /// A pattern with wildcards between its digits stands for more ranges than a line may: see ``NumberPattern``.
    case patternTooWide
    /// The line is longer than ``RecordSplitter/longestRecord``.
    case lineTooLong
    /// The line has no such column or field.
    case fieldMissing
    /// A CSV field has a quote in its middle, or one that nothing closes.
    case badQuotes
    /// The line is no JSON object.
    case badJSON
    /// The label is not UTF-8.
    case labelNotUTF8
    /// The label has control characters.
    case labelHasControlCharacters
    /// The label is longer than ``DirectoryFormat/maximumLabelBytes``.
    case labelTooLong
    /// The entry is neither blocked nor labelled: the source says nothing about what to do with it.
    case nothingToDo

    /// A few words, the same for every line that is refused for this reason.
    public var description: String {
        switch self {
        case .number(let error): return error.description
        case .pattern: return "malformed pattern or range"
        case .patternTooWide: return "pattern stands for too many ranges"
        case .lineTooLong: return "line too long"
        case .fieldMissing: return "column or field missing"
        case .badQuotes: return "quotes do not match"
        case .badJSON: return "not a JSON object"
        case .labelNotUTF8: return "label is not UTF-8"
        case .labelHasControlCharacters: return "label has control characters"
        case .labelTooLong: return "label too long"
        case .nothingToDo: return "neither blocked nor labelled"
        }
    }
}
