// SPDX-License-Identifier: MIT

/// Holds the constants of the file format; docs/directory-format.md explains them.
public enum DirectoryFormat {
    /// The version this code writes, and the latest it reads.
    public static let version = 1
    /// The most bytes of UTF-8 a label has.
    public static let maximumLabelBytes = 4096
    /// The most labels one number has.
    public static let maximumLabels = 64

    static let magic: [UInt8] = [0x4F, 0x48, 0x4B, 0x44, 0x49, 0x52, 0x0D, 0x0A]
    static let endMagic: [UInt8] = [0x4F, 0x48, 0x4B, 0x44, 0x45, 0x4E, 0x44, 0x0A]
    static let headerBytes = 16
    static let trailerBytes = 112
    static let indexEntryBytes = 32
    static let blockItems = 4096
    // A run of consecutive numbers with equal attributes is stored as a range from this length on.
    static let rangeLength: UInt64 = 64
    static let setSample = 32
    static let labelSample = 16
    static let maximumNumber = UInt64(Int64.max) - 1
    static let maximumSets = 1 << 24
}

// The code of gaps between numbers: Rice codes whose parameter follows the gaps seen so far. The few gaps that are far
// above the others, from one block of numbers in use to the next, have an Elias gamma code in the place of the unary one.
struct GapModel {
    // Eight times the moving mean of the gaps.
    private(set) var weight: UInt64

    static let maximumParameter = 32
    // A gap of so many times 2^parameter or more has the gamma code, one of 2^20 times the plain one.
    static let shortUnary = 4
    static let longestUnary = 24

    init(parameter: Int) {
        weight = UInt64(12) << UInt64(parameter)
    }

    @inline(__always) var parameter: Int {
        Swift.min(60 - (weight | 8).leadingZeroBitCount, GapModel.maximumParameter)
    }

    // `weight` stays below 2^42: a gap counts for at most 8 times 2^parameter.
    @inline(__always) mutating func update(_ gap: UInt64, parameter: Int) {
        weight = weight &- (weight >> 3) &+ Swift.min(gap, 8 << UInt64(truncatingIfNeeded: parameter))
    }
}
