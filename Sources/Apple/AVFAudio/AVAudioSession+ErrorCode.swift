// SPDX-License-Identifier: MIT

/// A whole number as audio frameworks have it.
public typealias AVAudioInteger = Int

extension AVAudioSession {
    /// Codes of the session's errors, thrown as an `NSError` of `NSOSStatusErrorDomain`.
    public enum ErrorCode: AVAudioInteger, Sendable {
        /// No error.
        case none = 0
        /// The phone's media services stopped.
        case mediaServicesFailed = 1836282486
        /// Input or output still runs (V1).
        case isBusy = 560030580
        /// The category does not fit.
        case incompatibleCategory = 560161140
        /// Another session cannot be interrupted.
        case cannotInterruptOthers = 560557684
        /// The app lacks an entitlement.
        case missingEntitlement = 1701737535
        /// Siri is listening.
        case siriIsRecording = 1936290409
        /// Sound may not start now.
        case cannotStartPlaying = 561015905
        /// Recording may not start now.
        case cannotStartRecording = 561145187
        /// An argument is not valid.
        case badParam = -50
        /// A session of higher priority, such as a call, is active (S4).
        case insufficientPriority = 561017449
        /// There is not enough hardware.
        case resourceNotAvailable = 561145203
        /// For a reason not known.
        case unspecified = 2003329396
        /// The session is gone.
        case expiredSession = 561210739
        /// The session is not active.
        case sessionNotActive = 1768841571
    }
}
