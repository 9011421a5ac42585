// SPDX-License-Identifier: MIT

import Foundation

// R75, R76, P55: what the screen shows of an app whose call was answered.
extension PhoneCore {
    /// The user answered: the app comes to the screen for video, at once or when the phone is unlocked.
    mutating func userAnswered(_ call: UUID) {
        guard let index = callIndex(call), calls[index].other == nil else { return }
        switch settings.answerOpensApp {
        case .never: return
        case .video: guard calls[index].hasVideo else { return }
        case .always: break
        }
        if isLocked {
            calls[index].line.opensAtUnlock = true
            log(
                .phone, "the call screen stays until the phone is unlocked", rule: "R75", call: call,
                app: calls[index].bundle)
        } else {
            open(calls[index].bundle)
        }
    }

    /// The phone was unlocked: the app of a video call that was answered before comes to the screen.
    mutating func showVideoCall() {
        guard let call = ongoingCalls.last(where: \.line.opensAtUnlock) else { return }
        for index in calls.indices { calls[index].line.opensAtUnlock = false }
        open(call.bundle)
    }
}
