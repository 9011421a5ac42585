// SPDX-License-Identifier: MIT

/// Whether a value in a line of the log may be read by others.
public struct OSLogPrivacy: Sendable {
    /// What stands for a hidden value.
    public enum Mask: Sendable {
        /// A number that is the same for the same value.
        case hash
        /// Nothing but that it is hidden.
        case none
    }
    enum Option: Sendable {
        case automatic, open, hidden
    }

    var option: Option
    var mask: Mask = .none

    /// Numbers are shown; strings and objects are hidden.
    public static var auto: OSLogPrivacy { OSLogPrivacy(option: .automatic) }
    /// Shown.
    public static var `public`: OSLogPrivacy { OSLogPrivacy(option: .open) }
    /// Hidden.
    public static var `private`: OSLogPrivacy { OSLogPrivacy(option: .hidden) }
    /// Hidden, even where private values are shown.
    public static var sensitive: OSLogPrivacy { OSLogPrivacy(option: .hidden) }

    /// As ``auto``, with a mask.
    public static func auto(mask: Mask) -> OSLogPrivacy {
        OSLogPrivacy(option: .automatic, mask: mask)
    }

    /// Hidden, with a mask.
    public static func `private`(mask: Mask) -> OSLogPrivacy {
        OSLogPrivacy(option: .hidden, mask: mask)
    }

    /// Hidden, with a mask.
    public static func sensitive(mask: Mask) -> OSLogPrivacy {
        OSLogPrivacy(option: .hidden, mask: mask)
    }

    /// What the log shows of a value.
    func shown(_ text: String, isObject: Bool) -> String {
        switch option {
        case .open: return text
        case .automatic where !isObject: return text
        case .automatic, .hidden: break
        }
        switch mask {
        case .none: return "<private>"
        case .hash:
            let hash = text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            return "<mask.hash: '\(String(hash, radix: 16))'>"
        }
    }
}
