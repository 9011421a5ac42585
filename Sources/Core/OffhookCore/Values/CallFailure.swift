// SPDX-License-Identifier: MIT

/// Why a command or a call failed, for the app and for people.
public struct CallFailure: Hashable, Sendable, Codable {
    /// A failure's kind.
    public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
        /// Another call is going on (R43).
        case busy
        /// The call is not in a state for this.
        case invalidState
        /// No such call, or it is long over.
        case callNotFound
        /// The call has no media yet, or its media did not follow (R48).
        case mediaNotReady
        /// The command's time ran out.
        case deadlineExceeded
        /// CallKit refused the report or the transaction; the message names its error.
        case refusedByPhone
        /// Do Not Disturb, the block list or another filter kept the call from ringing (R25).
        case filtered
        /// The server refused; the message is the server's.
        case refusedByServer
        /// The server could not be reached in time.
        case serverUnreachable
        /// Media broke or never came.
        case mediaFailed
        /// The peer's certificate is not the one its description named: somebody sits between.
        case peerIdentity
        /// The call ended before the command could do its work.
        case callEnded
        /// CallKit dropped all calls (R22).
        case providerReset
        /// The phone, its system or the media engine cannot do it.
        case unsupported
        /// An argument cannot be used; the message says what it should be.
        case invalidArgument
        /// The operation's id was used for another command (R82).
        case conflict
        /// The user does not allow it: microphone or camera.
        case permissionDenied
        /// The device's storage did not take it: full, locked or broken (R81).
        case notStored
        /// The call center was not started yet, or it was stopped.
        case notStarted
        /// The app's process ended in between (R88).
        case processEnded
    }

    /// What kind of failure.
    public var code: Code
    /// What happened and what to do; never names, handles or tokens.
    public var message: String

    /// Makes a failure.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
