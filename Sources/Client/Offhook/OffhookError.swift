// SPDX-License-Identifier: MIT

public import OffhookCore

/// Why a call of Offhook's failed.
public struct OffhookError: Error, Sendable {
    /// An error's kind; new kinds may come, so it is a string with known values.
    public struct Code: Hashable, Sendable, RawRepresentable {
        /// The kind's name.
        public var rawValue: String
        /// Makes a kind, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// `start()` was not called, or `stop()` was.
        public static let notStarted = Code(.notStarted)
        /// An argument cannot be used; the message says what it should be.
        public static let invalidArgument = Code(.invalidArgument)
        /// This system has no CallKit.
        public static let unsupported = Code(.unsupported)
        /// Another call is going on.
        public static let busy = Code(.busy)
        /// The call is not in a state for this.
        public static let invalidState = Code(.invalidState)
        /// No such call, or it is long over.
        public static let callNotFound = Code(.callNotFound)
        /// The call has no media yet, or its media did not follow.
        public static let mediaNotReady = Code(.mediaNotReady)
        /// The time ran out.
        public static let deadlineExceeded = Code(.deadlineExceeded)
        /// CallKit refused; the message names its error.
        public static let refusedByPhone = Code(.refusedByPhone)
        /// Do Not Disturb, the block list or another filter kept the call from ringing.
        public static let filtered = Code(.filtered)
        /// The server refused; the message is the server's.
        public static let refusedByServer = Code(.refusedByServer)
        /// The server could not be reached in time.
        public static let serverUnreachable = Code(.serverUnreachable)
        /// Media broke or never came.
        public static let mediaFailed = Code(.mediaFailed)
        /// The peer's certificate is not the one its description named.
        public static let peerIdentity = Code(.peerIdentity)
        /// The call ended first.
        public static let callEnded = Code(.callEnded)
        /// CallKit dropped all calls.
        public static let providerReset = Code(.providerReset)
        /// The operation's id was used for another command.
        public static let conflict = Code(.conflict)
        /// The user does not allow it: microphone or camera.
        public static let permissionDenied = Code(.permissionDenied)
        /// The device's storage did not take it: full, locked or broken.
        public static let notStored = Code(.notStored)
        /// The process died or was stopped in between: nobody can tell whether it was done.
        public static let outcomeUnknown = Code(rawValue: "outcomeUnknown")
        /// The app's process ended in between.
        public static let processEnded = Code(.processEnded)
        /// The session token is missing, wrong or expired.
        public static let unauthorized = Code(rawValue: "unauthorized")

        init(_ code: CallFailure.Code) {
            rawValue = code.rawValue
        }
    }

    /// What kind of error.
    public var code: Code
    /// What happened and what to do; never names, handles or tokens.
    public var message: String
    /// The error below, if there is one.
    public var underlying: (any Error)?

    /// Makes an error.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// Makes the error of a failure of the call rules.
    public init(_ failure: CallFailure) {
        self.init(Code(failure.code), failure.message)
    }
}

extension OffhookError: CustomStringConvertible {
    /// Code and message.
    public var description: String { "\(code.rawValue): \(message)" }
}
