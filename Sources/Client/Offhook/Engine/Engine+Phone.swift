// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import OffhookCore

extension Engine {
    /// The phone's frameworks, with CallKit or without it (R132); nil where there are none.
    static func phone(_ configuration: CallCenter.Configuration, _ queue: DispatchQueue) -> (any PhoneSystem)? {
        #if canImport(CallKit) && !os(macOS)
            guard configuration.callKit.isOn(in: configuration.region()) else {
                return InAppSystem(configuration, queue: queue)
            }
            return CallKitSystem(configuration, queue: queue)
        #else
            return nil
        #endif
    }

    /// The phone was unlocked: the session token may be readable now (R79).
    func receiveUnlocked() {
        rereadStorage()
        connect()
    }

    func selectRoute(_ route: AudioRoute.ID) {
        do {
            try system?.selectRoute(route)
        } catch {
            let message = "The sound did not go the other way: \(error)"
            streams.send(.warning(OffhookError(.invalidState, message, underlying: error)))
        }
    }

    /// Takes an ordinary notification's payload.
    func receiveNotification(_ payload: [UInt8]) -> Bool {
        onQueue { system?.receiveNotification(payload) ?? false }
    }

    /// Changes how calls look.
    func change(_ options: CallCenter.ProviderOptions) {
        queue.async { self.system?.change(options) }
    }

    /// Asks the user.
    func requestPermissions(video: Bool) async throws -> CallPermissions {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                guard self.phase == .running else {
                    return continuation.resume(throwing: OffhookError(.notStarted, "Call start() at launch first."))
                }
                guard let system = self.system else {
                    let error = OffhookError(.unsupported, "This system has no CallKit.")
                    return continuation.resume(throwing: error)
                }
                system.requestPermissions(video: video) { continuation.resume(returning: $0) }
            }
        }
    }
}

extension CallCenter.Configuration {
    /// The configuration with the policy that follows from the options and the media engine: the one place (R17).
    func completed(for media: MediaCapabilities) -> CallCenter.Configuration {
        var completed = self
        completed.policy.maximumCallGroups = max(1, provider.maximumCallGroups)
        completed.policy.maximumCallsPerCallGroup = max(1, provider.maximumCallsPerCallGroup)
        completed.policy.canTranslate = provider.supportsAudioTranslation
        completed.policy.canPlayTones = media.dtmf
        completed.policy.canShowVideo = media.video
        return completed
    }
}
