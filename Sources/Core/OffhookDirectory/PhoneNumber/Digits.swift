// SPDX-License-Identifier: MIT

/// A run of digits, values 0...9, in memory that someone else owns for as long as the run is used.
struct Digits {
    private(set) var base: UnsafeMutablePointer<UInt8>
    private(set) var count: Int

    /// Room that a number needs when a national prefix is exchanged for other digits.
    static let capacity = PhoneNumberParser.longestText + 16

    init(base: UnsafeMutablePointer<UInt8>, count: Int = 0) {
        self.base = base
        self.count = count
    }

    @inline(__always)
    subscript(index: Int) -> UInt8 { base[index] }

    /// Adds a digit; more than fit into a text are not kept.
    @inline(__always)
    mutating func append(_ digit: UInt8) {
        guard count < Digits.capacity else { return }
        base[count] = digit
        count += 1
    }

    mutating func append(_ digits: Digits) {
        for index in 0..<digits.count { append(digits[index]) }
    }

    func dropFirst(_ length: Int) -> Digits {
        Digits(base: base + min(length, count), count: count - min(length, count))
    }

    func prefix(_ length: Int) -> Digits {
        Digits(base: base, count: min(length, count))
    }

    /// Whether the digits begin with those of a positive number.
    func starts(with code: Int) -> Int? {
        let length = code < 10 ? 1 : code < 100 ? 2 : 3
        guard count >= length else { return nil }
        var value = 0
        for index in 0..<length { value = value * 10 + Int(base[index]) }
        return value == code ? length : nil
    }
}
