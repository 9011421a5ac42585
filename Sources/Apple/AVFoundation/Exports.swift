// SPDX-License-Identifier: MIT

// As Apple's AVFoundation does: apps that import it alone use AVAudioSession.
@_exported public import AVFAudio
