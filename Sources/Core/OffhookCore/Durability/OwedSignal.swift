// SPDX-License-Identifier: MIT

/// A word of this device that the server must hear, whatever happens to the process (P24, P27).
///
/// It is owed from the moment it is decided until the server confirmed it or ended the call itself. The server takes it
/// twice without harm.
public struct OwedSignal: Hashable, Sendable, Codable {
    /// The words that are owed.
    public enum Word: Hashable, Sendable, Codable {
        /// This device claims the call.
        case answer
        /// The user refuses the call.
        case decline
        /// This device is in another call.
        case busy
        /// The caller gives up.
        case cancel
        /// An answered call is over, or one that rang here failed.
        case hangup(EndReason)

        /// The word in a signal; nil for a signal that is not owed.
        public init?(_ signal: CallSignal) {
            switch signal {
            case .answer: self = .answer
            case .decline: self = .decline
            case .busy: self = .busy
            case .cancel: self = .cancel
            case .hangup(let reason): self = .hangup(reason)
            case .invite, .ringing, .media, .connected, .update: return nil
            }
        }

        /// The signal that says it.
        public var signal: CallSignal {
            switch self {
            case .answer: .answer
            case .decline: .decline
            case .busy: .busy
            case .cancel: .cancel
            case .hangup(let reason): .hangup(reason)
            }
        }
    }

    /// The call it is about.
    public var call: CallID
    /// What the server has to hear.
    public var word: Word
    /// When it was decided.
    public var since: Instant

    /// Makes an owed signal.
    public init(_ call: CallID, _ word: Word, since: Instant) {
        self.call = call
        self.word = word
        self.since = since
    }
}
