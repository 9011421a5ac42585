// SPDX-License-Identifier: MIT

public import Foundation

/// Names a layout of channels, as audio frameworks number them: the layout above, the number of channels below.
public typealias AudioChannelLayoutTag = UInt32

/// A count of channels.
public typealias AVAudioChannelCount = UInt32

/// Which channel goes where.
///
/// The virtual phone knows layouts by their tag alone.
open class AVAudioChannelLayout: NSObject {
    private let tag: AudioChannelLayoutTag

    /// Makes a layout.
    ///
    /// - Returns: nil for a tag without a number of channels.
    public init?(layoutTag: AudioChannelLayoutTag) {
        guard layoutTag & 0xFFFF != 0 else { return nil }
        tag = layoutTag
    }

    /// The layout's tag.
    open var layoutTag: AudioChannelLayoutTag { tag }
    /// The number of channels.
    open var channelCount: AVAudioChannelCount { tag & 0xFFFF }

    /// Apple's tags for mono and stereo; channels without a place for more.
    static func discrete(_ channels: Int) -> AudioChannelLayoutTag {
        let layout: UInt32 = channels == 1 ? 100 : channels == 2 ? 101 : 147
        return layout << 16 | UInt32(channels)
    }

    /// Whether another object stands for the same layout.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? AVAudioChannelLayout)?.tag == tag
    }

    /// Equal layouts have equal hashes.
    open override var hash: Int { tag.hashValue }
}
