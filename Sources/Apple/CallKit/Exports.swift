// SPDX-License-Identifier: MIT

// As Apple's CallKit does: apps that import it alone use Foundation and AVAudioSession.
@_exported public import AVFAudio
@_exported public import AppleFoundation
@_exported public import Foundation
