// SPDX-License-Identifier: MIT

public import Foundation
package import VirtualPhone
import Synchronization

/// The app's way to say how it uses sound.
open class AVAudioSession: NSObject {
    let process: AppProcess
    static let sessions = Mutex<[UUID: AVAudioSession]>([:])

    init(process: AppProcess) {
        self.process = process
    }

    /// The session of the running app.
    open class func sharedInstance() -> AVAudioSession {
        session(of: .required(for: "AVAudioSession"))
    }

    /// The session of a process.
    package static func session(of process: AppProcess) -> AVAudioSession {
        sessions.withLock { sessions in
            if let session = sessions[process.id] { return session }
            sessions = sessions.filter { $0.value.process.isRunning }
            let session = AVAudioSession(process: process)
            sessions[process.id] = session
            return session
        }
    }
}

// What may change lies with the phone.
extension AVAudioSession: @unchecked Sendable {}
