// SPDX-License-Identifier: MIT

/// A region with a numbering plan: a country or a territory.
public struct PhoneRegion: Hashable, Sendable {
    /// The position in the table of numbering plans.
    let index: Int

    /// Finds a region; `nil` if no numbering plan is known for it.
    ///
    /// - Parameter code: Two letters of ISO 3166-1, such as "DE" or "de".
    public init?(_ code: String) {
        let letters = Array(code.utf8)
        guard letters.count == 2 else { return nil }
        let upper = letters.map { (97...122).contains($0) ? $0 - 32 : $0 }
        let id = UInt16(upper[0]) << 8 | UInt16(upper[1])
        guard id != 0, let index = NumberingPlans.world.regions.firstIndex(where: { $0.id == id }) else { return nil }
        self.index = index
    }

    private init(index: Int) {
        self.index = index
    }

    /// All regions, ordered by ``code``.
    public static var all: [PhoneRegion] {
        NumberingPlans.world.regions.indices.filter { NumberingPlans.world.regions[$0].id != 0 }
            .map { PhoneRegion(index: $0) }
    }

    /// The two letters of ISO 3166-1, in upper case.
    public var code: String {
        let id = NumberingPlans.world.regions[index].id
        return String(decoding: [UInt8(id >> 8), UInt8(id & 0xFF)], as: UTF8.self)
    }

    /// The country code, which other regions may share: 1 for "US" and for "CA".
    public var countryCode: Int { NumberingPlans.world.regions[index].countryCode }
}
