// SPDX-License-Identifier: MIT

import Foundation

/// The device's audio as an engine's framework has it: one switch for all sessions, closed when it is made.
protocol AudioSwitch: AnyObject, Sendable {
    /// Lets the framework run audio inside the phone's audio window, or stops it (M6).
    func setEnabled(_ enabled: Bool)
}

/// Turns an engine's one audio switch by what its sessions were told: it is on while any of them is open.
final class SharedAudioSwitch {
    private let audio: any AudioSwitch
    private let lock = NSLock()
    private var open: Set<ObjectIdentifier> = []

    init(_ audio: any AudioSwitch) {
        self.audio = audio
    }

    /// Notes what a session was told; the switch is turned before this returns.
    func set(_ isOpen: Bool, for session: AnyObject) {
        lock.lock()
        defer { lock.unlock() }
        let wasEnabled = !open.isEmpty
        if isOpen { open.insert(ObjectIdentifier(session)) } else { open.remove(ObjectIdentifier(session)) }
        if open.isEmpty == wasEnabled { audio.setEnabled(!wasEnabled) }
    }
}

// Protected by `lock`.
extension SharedAudioSwitch: @unchecked Sendable {}
