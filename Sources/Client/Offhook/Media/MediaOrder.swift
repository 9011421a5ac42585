// SPDX-License-Identifier: MIT

import OffhookCore

/// One call of a media session's method, as a value that waits in line.
enum MediaOrder: Sendable {
    case receive(MediaSignal)
    case setAudioOpen(Bool)
    case setMuted(Bool)
    case setHeld(Bool)
    case playTones(String)
    case setCamera(CameraFacing?)
    case setTranslation(Translation?)
    case close

    /// The method, as a failure names it.
    var method: String {
        switch self {
        case .receive: "receive(_:)"
        case .setAudioOpen: "setAudioOpen(_:)"
        case .setMuted: "setMuted(_:)"
        case .setHeld: "setHeld(_:)"
        case .playTones: "playTones(_:)"
        case .setCamera: "setCamera(_:)"
        case .setTranslation: "setTranslation(_:)"
        case .close: "close()"
        }
    }

    func run(on session: any MediaSession) {
        switch self {
        case .receive(let signal): session.receive(signal)
        case .setAudioOpen(let open): session.setAudioOpen(open)
        case .setMuted(let muted): session.setMuted(muted)
        case .setHeld(let held): session.setHeld(held)
        case .playTones(let tones): session.playTones(tones)
        case .setCamera(let camera): session.setCamera(camera)
        case .setTranslation(let translation): session.setTranslation(translation)
        case .close: session.close()
        }
    }
}
