// SPDX-License-Identifier: MIT

public import Foundation

/// One of several places a port takes sound from.
///
/// The virtual phone's ports have none.
open class AVAudioSessionDataSourceDescription: NSObject {
    /// Names the data source.
    open var dataSourceID: NSNumber { 0 }
    /// The data source's name.
    open var dataSourceName: String { "" }
    /// Where it is.
    open var location: AVAudioSession.Location? { nil }
    /// Where it points.
    open var orientation: AVAudioSession.Orientation? { nil }
    /// The patterns it can have.
    open var supportedPolarPatterns: [AVAudioSession.PolarPattern]? { nil }
    /// The pattern it has.
    open var selectedPolarPattern: AVAudioSession.PolarPattern? { nil }
    /// The pattern the app wants.
    open var preferredPolarPattern: AVAudioSession.PolarPattern? { nil }

    /// Wishes a pattern.
    ///
    /// - Throws: ``AVAudioSession/ErrorCode/badParam`` for any pattern.
    open func setPreferredPolarPattern(_ pattern: AVAudioSession.PolarPattern?) throws {
        if pattern != nil { throw AVAudioSession.ErrorCode.badParam.error }
    }
}
