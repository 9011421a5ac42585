// SPDX-License-Identifier: MIT

public import Foundation

/// Places sound between left and right.
public protocol AVAudioStereoMixing: NSObjectProtocol {
    /// From -1, left, to 1, right.
    var pan: Float { get set }
}
