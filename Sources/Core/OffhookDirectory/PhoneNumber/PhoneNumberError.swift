// SPDX-License-Identifier: MIT

/// Why a text is not taken as a telephone number.
public enum PhoneNumberError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text has too few digits in a row, or characters between them that no number has.
    case notANumber
    /// Neither the text nor the options say which country the number is of, or the country code does not exist.
    case noCountry
    /// Too few digits are left after the prefix or the country code.
    case tooShort
    /// More digits than a number can have: 17 after the country code, or more than an `Int64` holds.
    case tooLong
    /// No numbering plan has a place for the number; only if the options ask for valid numbers.
    case notValid

    /// The reason in a few words, for a message.
    public var description: String {
        switch self {
        case .notANumber: "not a telephone number"
        case .noCountry: "no country code, and no default region was given"
        case .tooShort: "too few digits"
        case .tooLong: "too many digits"
        case .notValid: "no numbering plan has a place for it"
        }
    }
}
