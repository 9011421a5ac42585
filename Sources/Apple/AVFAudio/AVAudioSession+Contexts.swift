// SPDX-License-Identifier: MIT

public import Foundation

extension AVAudioSession {
    /// Why the session was interrupted.
    open class InterruptionContext: NSObject {
        private let storedReason: InterruptionReason

        /// The reason.
        open var reason: AVAudioSession.InterruptionReason { storedReason }

        init(reason: InterruptionReason) {
            storedReason = reason
        }
    }

    /// Why the session became inactive.
    open class DeactivationContext: NSObject {
        private let storedSource: DeactivationSource
        private let interruption: InterruptionContext?

        /// Who deactivated it.
        open var source: AVAudioSession.DeactivationSource { storedSource }
        /// The interruption that did; nil when none did.
        open var interruptionContext: AVAudioSession.InterruptionContext? { interruption }

        init(source: DeactivationSource, interruption: InterruptionContext?) {
            storedSource = source
            self.interruption = interruption
        }
    }

    /// Whether the app should go on.
    open class ResumptionContext: NSObject {
        private let stored: ResumptionRecommendation

        /// What the phone recommends.
        open var recommendation: AVAudioSession.ResumptionRecommendation { stored }

        init(recommendation: ResumptionRecommendation) {
            stored = recommendation
        }
    }
}

// Never changes.
extension AVAudioSession.InterruptionContext: @unchecked Sendable {}
// Never changes.
extension AVAudioSession.DeactivationContext: @unchecked Sendable {}
// Never changes.
extension AVAudioSession.ResumptionContext: @unchecked Sendable {}
