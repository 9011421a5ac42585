// SPDX-License-Identifier: MIT

import Foundation
import VirtualPhone

extension AVAudioSession {
    /// The session as the phone sees it.
    var phoneState: AudioSessionValue {
        guard case .audioSession(let state) = process.send(.readAudioSession) else {
            return AudioSessionValue(
                category: Category.soloAmbient.rawValue, mode: Mode.default.rawValue, options: 0, isActive: false,
                outputPort: Port.builtInSpeaker.rawValue, inputPort: nil)
        }
        return state
    }

    /// Asks the phone for a change; tells observers when the route became another one (V8).
    func change(_ request: AppRequest, reason: RouteChangeReason?) throws {
        let before = phoneState
        if case .failure(let error) = process.send(request) { throw error.audioError }
        guard let reason else { return }
        let after = phoneState
        if before.outputPort != after.outputPort || before.inputPort != after.inputPort {
            announceRouteChange(from: before, reason: reason)
        }
    }

    /// Apple posts this on a thread of its own; the object is the session.
    private func announceRouteChange(from previous: AudioSessionValue, reason: RouteChangeReason) {
        DispatchQueue.global().async {
            self.process.run {
                NotificationCenter.default.post(
                    name: AVAudioSession.routeChangeNotification, object: self,
                    userInfo: [
                        AVAudioSessionRouteChangeReasonKey: reason.rawValue,
                        AVAudioSessionRouteChangePreviousRouteKey: previous.route,
                    ])
            }
        }
    }
}

extension AudioSessionValue {
    var route: AVAudioSessionRouteDescription {
        AVAudioSessionRouteDescription(
            input: inputPort.map(AVAudioSession.Port.init(rawValue:)), output: .init(rawValue: outputPort))
    }
}

extension AVAudioSession.ErrorCode {
    /// The error that Apple's session throws for this code.
    var error: NSError {
        NSError(domain: NSOSStatusErrorDomain, code: rawValue)
    }
}

extension PhoneError {
    var audioError: NSError {
        NSError(domain: domain, code: code)
    }
}
