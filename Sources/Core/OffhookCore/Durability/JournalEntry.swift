// SPDX-License-Identifier: MIT

/// One thing that happened, as the app's code that watches calls is told it (R86).
///
/// An entry may be told more than once; its ``eventID`` is the same then.
public struct JournalEntry: Hashable, Sendable, Codable {
    /// What happened.
    public enum Content: Hashable, Sendable, Codable {
        /// A call changed; this is how it stands since.
        case callChanged(Call)
        /// An operation came to its end.
        case operationCompleted(OperationResult)
        /// Entries are missing: what is known must be read anew from the snapshot.
        case resyncRequired
    }

    /// Which kind of thing happened.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// A call changed.
        case callChanged
        /// An operation came to its end.
        case operationCompleted
        /// Entries are missing.
        case resyncRequired
    }

    /// Who made it happen.
    public enum Source: String, Hashable, Sendable, Codable, CaseIterable {
        /// The app, or time.
        case local
        /// The phone: CallKit, PushKit, the audio session.
        case platform
        /// The server or the other side.
        case signaling
        /// The media session.
        case media
        /// The start after a process that had ended.
        case recovery
    }

    /// Whose journal it is, as the generation's number.
    public var generation: Int
    /// The entry's place: strictly rising within a generation, over restarts too.
    public var sequence: UInt64
    /// Who made it happen.
    public var source: Source
    /// When it was recorded.
    public var at: Instant
    /// What happened.
    public var content: Content

    /// Makes an entry.
    public init(generation: Int, sequence: UInt64, source: Source, at: Instant, content: Content) {
        self.generation = generation
        self.sequence = sequence
        self.source = source
        self.at = at
        self.content = content
    }

    /// The sequence as a canonical decimal string, for hosts whose numbers end at 2^53.
    public var sequenceText: String { String(sequence) }

    /// Names the entry among all of this device; by it a repetition is known.
    public var eventID: String { "\(generation)-\(sequence)" }

    /// Which kind of thing happened.
    public var kind: Kind {
        switch content {
        case .callChanged: .callChanged
        case .operationCompleted: .operationCompleted
        case .resyncRequired: .resyncRequired
        }
    }

    /// The call it is about; nil when entries are missing.
    public var call: CallID? {
        switch content {
        case .callChanged(let call): call.id
        case .operationCompleted(let result): result.call
        case .resyncRequired: nil
        }
    }

    /// The operation it is about; nil when it is about none.
    public var operation: OperationID? {
        switch content {
        case .operationCompleted(let result): result.id
        case .callChanged, .resyncRequired: nil
        }
    }
}

extension PhoneMachine.Event {
    /// Who made the event happen, for the journal.
    public var source: JournalEntry.Source {
        switch self {
        case .pushArrived, .reportCompleted, .startPerformed, .answerPerformed, .endPerformed, .holdPerformed,
            .mutePerformed, .groupPerformed, .tonesPerformed, .translationPerformed, .otherPerformed, .actionTimedOut,
            .requestCompleted, .audioActivated, .audioDeactivated, .providerReset, .otherCalls, .routesChanged,
            .audioInterrupted, .mediaServicesReset, .surroundingsChanged:
            .platform
        case .invited, .server, .delivered: .signaling
        case .media: .media
        case .launched: .recovery
        case .saved, .command, .tick: .local
        }
    }
}
