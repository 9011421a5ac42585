// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import VirtualPhone

/// The audio session of a raw app: what the phone tells it, and what it asks.
final class RawSession: Sendable {
    let process: AppProcess
    private let events = Locked<[AudioSessionEvent]>([])

    init(_ process: AppProcess) {
        self.process = process
        let (session, main) = (UUID(), UUID())
        let queue = DispatchQueue(label: "raw session")
        for endpoint in [session, main] {
            process.attach(endpoint, queue: queue) { [events] event in
                if case .audioSession(_, let event) = event { events.withLock { $0.append(event) } }
            }
        }
        process.send(.audioSession(.attach(session: session, main: main)))
    }

    /// What the phone told so far; it is forgotten.
    func take() -> [AudioSessionEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }

    /// Of these, the interruptions.
    func takeInterruptions() -> [AudioSessionEvent] {
        take().filter { event in
            switch event {
            case .interruptionBegan, .interruptionEnded: return true
            case .mediaServicesWereLost, .mediaServicesWereReset, .becameActive, .becameInactive,
                .resumptionRecommended, .routeChanged, .availableInputsChanged, .inputMuteChanged,
                .outputMuteChanged, .recordPermissionAnswered:
                return false
            }
        }
    }

    var value: AudioSessionValue {
        guard case .audioSession(let value) = process.send(.readAudioSession) else { return AudioSessionValue() }
        return value
    }

    @discardableResult
    func setCategory(_ category: String, mode: String = "Default", options: UInt = 0) -> AppReply {
        process.send(
            .setAudioCategory(
                category: "AVAudioSessionCategory" + category, mode: "AVAudioSessionMode" + mode, options: options))
    }

    @discardableResult
    func setActive(_ active: Bool, options: UInt = 0) -> AppReply {
        process.send(.setAudioActive(active: active, options: options))
    }
}
