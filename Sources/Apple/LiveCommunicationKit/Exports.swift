// SPDX-License-Identifier: MIT

// The framework's interface speaks of AVAudioSession and of Foundation's types; apps that import it alone use them.
@_exported public import AVFAudio
@_exported public import AppleFoundation
@_exported public import Foundation
