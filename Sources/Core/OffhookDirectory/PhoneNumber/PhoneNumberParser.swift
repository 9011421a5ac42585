// SPDX-License-Identifier: MIT

/// Reads telephone numbers as people and lists write them, and gives them their E.164 form.
///
/// It understands what libphonenumber does: separators, "tel:" links, letters on keys, extensions (which are dropped),
/// digits of other scripts, international and national prefixes, carrier codes.
///
/// - Isolation: any thread
public struct PhoneNumberParser: Sendable {
    /// More characters than any text with a number has; longer ones are refused.
    static let longestText = 250

    /// How the source writes its numbers.
    public let options: PhoneNumberOptions
    let plans: NumberingPlans

    /// Makes a parser for a source.
    ///
    /// - Parameter options: How the source writes its numbers.
    public init(options: PhoneNumberOptions = PhoneNumberOptions()) {
        self.options = options
        plans = NumberingPlans.world
    }

    /// The version of the `phonenumbers` metadata that numbers are judged by, such as "9.0.43".
    public static var metadataVersion: String { NumberingPlans.world.version }

    /// Reads one number.
    ///
    /// - Parameter text: The number and at most separators, a label in front of it, and an extension after it.
    /// - Returns: The number.
    /// - Throws: ``PhoneNumberError`` that says why the text is refused.
    public func parse(_ text: String) throws(PhoneNumberError) -> PhoneNumber {
        var text = text
        return try text.withUTF8 { parsed(utf8: $0) }.get()
    }

    /// Reads one number from bytes, without making a string of them.
    ///
    /// - Parameter utf8: The text; bytes that are not UTF-8 count as characters that no number has.
    /// - Returns: The number.
    /// - Throws: ``PhoneNumberError`` that says why the text is refused.
    public func parse(utf8: UnsafeBufferPointer<UInt8>) throws(PhoneNumberError) -> PhoneNumber {
        try parsed(utf8: utf8).get()
    }

    /// The numbers under which the directory should know a number: itself, and its national form if the options ask.
    ///
    /// - Parameter number: A number of the source.
    /// - Returns: One or two values, in ascending order.
    public func entries(for number: PhoneNumber) -> [Int64] {
        guard options.includesNationalVariants, let region = options.defaultRegion,
            region.countryCode == number.countryCode, let variant = number.nationalVariant,
            variant != number.rawValue
        else { return [number.rawValue] }
        return [min(variant, number.rawValue), max(variant, number.rawValue)]
    }

    private func parsed(utf8: UnsafeBufferPointer<UInt8>) -> Result<PhoneNumber, PhoneNumberError> {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * Digits.capacity) { memory in
            guard let base = memory.baseAddress else { return .failure(.notANumber) }
            var digits = Digits(base: base)
            let hasPlus: Bool
            switch PlainNumberText.read(utf8, into: &digits) {
            case .number(let plus): hasPlus = plus
            case .refused: return .failure(.notANumber)
            case .unusual:
                digits = Digits(base: base)
                switch PhoneNumberText.read(utf8, into: &digits) {
                case .success(let plus): hasPlus = plus
                case .failure(let error): return .failure(error)
                }
            }
            return interpret(
                digits, hasPlus: hasPlus || options.digitsAreInternational,
                room: base + Digits.capacity)
        }
    }
}
