// SPDX-License-Identifier: MIT

/// A telephone number of the world: country code and national number, as CallKit's call directory takes it.
///
/// Numbers compare as the directory sorts them. A value is not necessarily a number that is in use, nor one that a
/// numbering plan has a place for: ``isValid`` tells the latter.
public struct PhoneNumber: Hashable, Comparable, Sendable {
    /// The digits of the E.164 form without "+", as one number: `CXCallDirectoryPhoneNumber`.
    public let rawValue: Int64

    /// Wraps a number that begins with a country code; `nil` if it does not, or has fewer than two digits after it.
    ///
    /// - Parameter rawValue: Country code and national number.
    public init?(rawValue: Int64) {
        guard let parts = PhoneNumber.parts(of: rawValue), parts.national >= 2 else { return nil }
        self.rawValue = rawValue
    }

    init(parsed rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// The country code, 1 to 3 digits: 49 of +49 30 123456.
    public var countryCode: Int { PhoneNumber.parts(of: rawValue)?.code ?? 0 }

    /// The E.164 form, with "+".
    public var e164: String { "+\(rawValue)" }

    /// Whether the numbering plan of the country has a place for this number; not whether someone has it.
    public var isValid: Bool {
        let plans = NumberingPlans.world
        guard let parts = PhoneNumber.parts(of: rawValue), let country = plans.country(parts.code) else { return false }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
            guard let base = buffer.baseAddress else { return false }
            var rest = rawValue
            for index in (0..<parts.national).reversed() {
                base[index] = UInt8(rest % 10)
                rest /= 10
            }
            return plans.accepts(country.valid, Digits(base: base, count: parts.national))
        }
    }

    /// The number as it is dialled within its country, national prefix included, if that can be told from others.
    ///
    /// Some networks show a caller from the same country in this form. Leading zeros have no place in a number, so
    /// +81 3 1234 5678, dialled 03 1234 5678, gives 312345678.
    ///
    /// - Returns: `nil` for numbers of a code that belongs to no country, such as +800.
    public var nationalVariant: Int64? {
        let plans = NumberingPlans.world
        guard let parts = PhoneNumber.parts(of: rawValue), let country = plans.country(parts.code) else { return nil }
        let region = plans.regions[country.main]
        guard region.id != 0 else { return nil }
        var scale: Int64 = 1
        for _ in 0..<parts.national { scale *= 10 }
        let (prefix, overflow) = region.nationalPrefix.multipliedReportingOverflow(by: scale)
        return overflow ? nil : prefix + rawValue % scale
    }

    /// The country code of some digits, and how many digits follow it.
    static func parts(of rawValue: Int64) -> (code: Int, national: Int)? {
        guard rawValue > 0 else { return nil }
        var length = 0
        var rest = rawValue
        var head = rawValue
        while rest > 0 {
            rest /= 10
            length += 1
            if length > 3 { head /= 10 }
        }
        // `head` is the first three digits, or all of them.
        let plans = NumberingPlans.world
        let digits = min(length, 3)
        for used in 1...digits {
            let code = Int(used == digits ? head : used == digits - 1 ? head / 10 : head / 100)
            if plans.country(code) != nil { return (code, length - used) }
        }
        return nil
    }

    /// The order of the call directory: ascending by ``rawValue``.
    public static func < (left: PhoneNumber, right: PhoneNumber) -> Bool {
        left.rawValue < right.rawValue
    }
}
