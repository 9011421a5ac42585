// SPDX-License-Identifier: MIT

import Foundation

extension PhoneCore {
    /// Something that waits for time.
    enum Due: Hashable, Sendable {
        case audioActivation
        case action(transaction: UUID, action: UUID)
        case ring(UUID)
        case secondCheck(UUID)
        case pushCompletion(UUID)
        case audioStop(UUID)
    }

    /// What is due next; of several at one moment the first of this order.
    var nextDue: (date: Date, due: Due)? {
        var next: (date: Date, due: Due)?
        func consider(_ date: Date?, _ due: Due) {
            guard let date else { return }
            if let earliest = next?.date, earliest <= date { return }
            next = (date, due)
        }
        consider(audio.activationDate, .audioActivation)
        for transaction in transactions {
            for action in transaction.actions where action.state != .complete {
                consider(action.value.timeoutDate, .action(transaction: transaction.uuid, action: action.value.uuid))
            }
        }
        for call in calls { consider(call.ringDeadline, .ring(call.uuid)) }
        for push in pushes {
            consider(push.secondCheck, .secondCheck(push.id))
            consider(push.completionLimit, .pushCompletion(push.id))
        }
        for (process, date) in audio.stopLimits { consider(date, .audioStop(process)) }
        return next
    }

    /// Does everything that is due.
    mutating func runDue() {
        while let next = nextDue, next.date <= now {
            switch next.due {
            case .audioActivation: activateAudio()
            case .action(let transaction, let action): timeOut(action, of: transaction)
            case .ring(let call): ringTimedOut(call)
            case .secondCheck(let push): checkTwo(push)
            case .pushCompletion(let push): checkCompletion(push)
            case .audioStop(let process): checkAudioStopped(process)
            }
        }
    }
}
