// SPDX-License-Identifier: MIT

/// How the numbers of one source are written.
public struct PhoneNumberOptions: Hashable, Sendable {
    /// Which digits in front stand for "+".
    public enum InternationalPrefix: Hashable, Sendable {
        /// Those that are dialled in the default region: 00 in Germany, 011 in the United States.
        case ofRegion
        /// Those of the default region, and 00 wherever the source is from.
        case ofRegionOrDoubleZero
        /// None: only "+" begins an international number.
        case none
    }

    /// The region whose numbers are written without a country code; without one every number must have it.
    public var defaultRegion: PhoneRegion?
    /// Whether a number without "+" begins with its country code all the same, as in "4930123456".
    public var digitsAreInternational: Bool
    /// Which digits in front stand for "+".
    public var internationalPrefix: InternationalPrefix
    /// Whether numbers that no numbering plan has a place for are refused.
    public var requiresValid: Bool
    /// Whether numbers of the default region are wanted in their national form too; see ``PhoneNumber/nationalVariant``.
    public var includesNationalVariants: Bool

    /// Describes a source.
    ///
    /// - Parameters:
    ///   - defaultRegion: The region whose numbers are written without a country code.
    ///   - digitsAreInternational: Whether a number without "+" begins with its country code.
    ///   - internationalPrefix: Which digits in front stand for "+".
    ///   - requiresValid: Whether numbers without a place in a numbering plan are refused.
    ///   - includesNationalVariants: Whether the national form of domestic numbers is wanted too.
    public init(
        defaultRegion: PhoneRegion? = nil,
        digitsAreInternational: Bool = false,
        internationalPrefix: InternationalPrefix = .ofRegion,
        requiresValid: Bool = false,
        includesNationalVariants: Bool = false
    ) {
        self.defaultRegion = defaultRegion
        self.digitsAreInternational = digitsAreInternational
        self.internationalPrefix = internationalPrefix
        self.requiresValid = requiresValid
        self.includesNationalVariants = includesNationalVariants
    }
}
