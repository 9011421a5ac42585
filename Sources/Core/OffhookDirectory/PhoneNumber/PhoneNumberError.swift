// SPDX-License-Identifier: MIT

/// Why a text is not taken as a telephone number.
public enum PhoneNumberError: Error, Hashable, Sendable {
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
}
