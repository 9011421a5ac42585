// SPDX-License-Identifier: MIT

/// A kind of push.
///
/// The virtual phone has tokens and pushes for ``voIP`` alone; the other kinds are for extensions and watches, and an
/// app that registers for them gets nothing.
public struct PKPushType: RawRepresentable, Hashable, Sendable {
    /// Apple's name of the kind.
    public let rawValue: String

    /// Makes a kind of any name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A call comes in.
    public static let voIP: PKPushType = PKPushType(rawValue: "PKPushTypeVoIP")
    /// A watch complication has news.
    public static let complication: PKPushType = PKPushType(rawValue: "PKPushTypeComplication")
    /// A file provider's files changed.
    public static let fileProvider: PKPushType = PKPushType(rawValue: "PKPushTypeFileProvider")
}
