// SPDX-License-Identifier: MIT

import Foundation

/// How wide a value is written, and on which side.
public struct OSLogStringAlignment: Sendable {
    var columns = 0
    var isLeft = false

    /// As wide as the value.
    public static var none: OSLogStringAlignment { OSLogStringAlignment() }

    /// At the right of so many columns.
    public static func right(columns: @autoclosure () -> Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns())
    }

    /// At the left of so many columns.
    public static func left(columns: @autoclosure () -> Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns(), isLeft: true)
    }

    func apply(_ text: String) -> String {
        let padding = String(repeating: " ", count: max(0, columns - text.count))
        return isLeft ? text + padding : padding + text
    }
}

/// How a whole number is written.
public struct OSLogIntegerFormatting: Sendable {
    var radix = 10
    var hasPrefix = false
    var isUppercase = false
    var minimumDigits = 0

    /// In decimal digits.
    public static var decimal: OSLogIntegerFormatting { OSLogIntegerFormatting() }
    /// In hexadecimal digits.
    public static var hex: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 16) }
    /// In octal digits.
    public static var octal: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 8) }

    /// In decimal digits, at least so many.
    public static func decimal(
        explicitPositiveSign: Bool = false, minDigits: @autoclosure () -> Int = 0
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(minimumDigits: minDigits())
    }

    /// In hexadecimal digits, with `0x` and in capitals if asked for.
    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
        minDigits: @autoclosure () -> Int = 0
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(
            radix: 16, hasPrefix: includePrefix, isUppercase: uppercase, minimumDigits: minDigits())
    }

    func apply<Number: BinaryInteger>(_ number: Number) -> String {
        let digits = String(number.magnitude, radix: radix, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: max(0, minimumDigits - digits.count))
        return (number < 0 ? "-" : "") + (hasPrefix ? "0x" : "") + zeros + digits
    }
}

/// How a number with a fraction is written.
public struct OSLogFloatFormatting: Sendable {
    var precision = 6
    var conversion = "f"

    /// With six digits after the point.
    public static var fixed: OSLogFloatFormatting { OSLogFloatFormatting() }
    /// With an exponent when that is shorter.
    public static var hybrid: OSLogFloatFormatting { OSLogFloatFormatting(conversion: "g") }
    /// With an exponent.
    public static var exponential: OSLogFloatFormatting { OSLogFloatFormatting(conversion: "e") }

    /// With so many digits after the point.
    public static func fixed(
        precision: @autoclosure () -> Int, explicitPositiveSign: Bool = false, uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        OSLogFloatFormatting(precision: precision())
    }

    func apply(_ number: Double) -> String {
        String(format: "%.\(max(0, precision))\(conversion)", number)
    }
}

/// How a truth value is written.
public enum OSLogBoolFormat: Sendable {
    /// `true` and `false`.
    case truth
    /// `YES` and `NO`.
    case answer
}
