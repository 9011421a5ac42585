// SPDX-License-Identifier: MIT

extension NaiveApp {
    /// Something that calling apps really do wrong; the ids name the pains of docs/pains.md.
    enum Mistake: Hashable, Sendable, CaseIterable {
        // MARK: Pushes
        /// A push that cannot be read is only completed (P01, P02).
        case dropsUnreadablePushes
        /// A push past its time is only completed (P01, P03).
        case dropsExpiredPushes
        /// The time in a push is not looked at: it rings whenever it comes (P20).
        case ignoresExpiry
        /// A push that comes while the user is in a room of the app's own is only completed (P01).
        case dropsPushesInRoom
        /// A push that comes while the observer sees any call is only completed (P23).
        case dropsPushesDuringCalls
        /// A push of type `cancel` ends its call, and reports nothing (P04).
        case endsOnCancelPush
        /// The completion handler is called when the report succeeds, not when it fails (P05).
        case completesOnSuccessOnly
        /// The app's own call and its media are made before the report, and stay when it is refused (P05, P06).
        case opensMediaBeforeReport
        /// The process ends itself when its data cannot be read (P07).
        case exitsWithoutData
        /// A call is ended at once when the app's data cannot be read (P09).
        case endsWithoutData
        /// The push registry is made by the first view controller: not when a push launches the app (P08).
        case registersInViewController
        /// The push delegate has the method of iOS 26.4 alone (P10).
        case hasOnlyNewPushMethod

        // MARK: Identity
        /// A pushed call is reported under a UUID of the app's own (P11, P13).
        case inventsIdentity
        /// The conversation's id is the call's UUID, call after call (P12).
        case reusesConversation
        /// A library in the app makes a provider of its own after the app's (P15).
        case hasSecondProvider
        /// Every incoming call gets a new provider in place of the old one (P16).
        case replacesProvider

        // MARK: Ends
        /// The other side's end is requested as if it were the user's (P17).
        case requestsRemoteEnd
        /// Every end is requested twice (P17).
        case endsTwice
        /// The other side's end closes the media, and is not reported (P18).
        case forgetsRemoteEnd
        /// A process that a push launched has no connection to the server (P19, P21).
        case hasNoSocketAfterPush
        /// A second call is declined at the server and reported to nobody; both sides of a glare do it (P22).
        case dropsCallsWhenBusy

        // MARK: Cold start
        /// What the user taps goes to the server through the app's host (its JavaScript, its Dart), if that is up (P24,
        /// P27).
        case speaksThroughHost
        /// An answer is fulfilled when the host asks for it (P25).
        case fulfillsThroughHost
        /// The provider gets its delegate after the first report (P26).
        case setsDelegateAfterReport
    }
}
