// SPDX-License-Identifier: MIT

import Foundation

/// A call's place among the phone's other calls.
struct CallLine: Hashable, Sendable {
    /// When the call became active, as a number that rises over all calls of the phone; zero before.
    var activation: UInt64 = 0
    /// Since when the call is connected, by the phone's clock, whatever date the app gave.
    var connectedSince: Date?
    /// The other call was ended by its remote side: only the user brings this call's audio back (G3).
    var isAudioWithheld = false
    /// The app did not hold the call when it was asked to (G4).
    var refusesHold = false
    /// The app did not end the call when it was asked to.
    var refusesEnd = false
    /// Tones of the keypad that wait for the one before (G7).
    var tones: [Tone] = []
    /// The languages, while the call is translated (G8).
    var translation: Translation?
    /// What Call Directory calls the caller (D9).
    var directoryLabel: String?
    /// The app comes to the screen at the next unlock: a video call was answered on the locked phone (P55).
    var opensAtUnlock = false
    /// The person has already acted on the ringing.
    var personActedOnRing = false
    /// The person has already hung up, or tried to.
    var personHungUp = false

    struct Tone: Hashable, Sendable {
        var digits: String
        /// CXPlayDTMFCallAction.ActionType's raw value: 1 single tone, 2 soft pause, 3 hard pause.
        var type: Int
    }

    struct Translation: Hashable, Sendable {
        var local: String
        var remote: String
    }
}

/// An action on a call of no installed app that waits for a transaction of an app's.
struct LineStep: Hashable, Sendable {
    var after: UUID
    var call: UUID
    var kind: ActionValue.Kind
    var origin: Timeline.Actor
}

/// What the user wants to continue in an app whose application object is not there yet (R123).
struct PendingActivity: Hashable, Sendable {
    var activity: UserActivityValue
    /// When the phone complains; nil once it has.
    var limit: Date?
}

/// The standing intentions of the person who holds the phone.
struct Person: Hashable, Sendable {
    var intention: UserIntention?
    var since = Date.distantPast
}
