// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Plays digits of the keypad (G7).
public final class PlayToneAction: ConversationAction {
    /// What the digits are.
    public enum Tone: Hashable, Sendable {
        /// One digit.
        case single
        /// The digits after a pause of some seconds, written as a comma.
        case softPause
        /// The digits that wait for the user, written after a semicolon.
        case hardPause
    }

    /// The digits.
    public let digits: String
    /// What the digits are.
    public let tone: PlayToneAction.Tone

    /// Makes an action that plays digits.
    public init(conversationUUID: UUID, digits: String, tone: PlayToneAction.Tone) {
        self.digits = digits
        self.tone = tone
        super.init(conversationUUID, timeoutDate: Self.deadline(after: 5))
    }

    override var boundaryKind: ActionValue.Kind { .playDTMF(digits: digits, type: tone.boundaryValue) }
}

// What it has beyond its superclass never changes; the superclass's state is behind a lock.
extension PlayToneAction: @unchecked Sendable {}

extension PlayToneAction.Tone {
    var boundaryValue: Int {
        switch self {
        case .single: return 1
        case .softPause: return 2
        case .hardPause: return 3
        }
    }

    init(boundaryValue: Int) {
        switch boundaryValue {
        case 2: self = .softPause
        case 3: self = .hardPause
        default: self = .single
        }
    }
}
