// SPDX-License-Identifier: MIT

/// A version of iOS, such as 26.4; rules that came with a version look at it (K8).
public struct SystemVersion: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The number before the dot.
    public var major: Int
    /// The number after the dot.
    public var minor: Int

    /// Names a version.
    public init(_ major: Int, _ minor: Int = 0) {
        self.major = major
        self.minor = minor
    }

    /// The version as Apple writes it.
    public var description: String { "\(major).\(minor)" }

    /// Orders versions by age.
    public static func < (left: SystemVersion, right: SystemVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }
}
