// SPDX-License-Identifier: MIT

extension User {
    /// From now on the person answers whatever rings, so long after it began; during another call as ``answer(_:)``.
    ///
    /// Standing intentions act in the phone's time, at the moment they name, in one order with the phone's own
    /// deadlines; of two at one moment the phone's comes first. The last intention counts.
    public func answers(after time: Duration) async {
        await intend(.answers(after: time))
    }

    /// From now on the person declines whatever rings, so long after it began.
    public func declines(after time: Duration) async {
        await intend(.declines(after: time))
    }

    /// From now on the person ends each call so long after it connected, and leaves what rings to the other taps.
    public func hangsUp(after time: Duration) async {
        await intend(.hangsUp(after: time))
    }

    /// From now on the person answers what rings, and ends each call so long after it connected.
    public func answers(after time: Duration, hangsUpAfter talk: Duration) async {
        await intend(.answersAndHangsUp(answerAfter: time, hangUpAfter: talk))
    }

    /// From now on the person does nothing by itself.
    public func ignores() async {
        await intend(.ignores)
    }

    private func intend(_ intention: UserIntention) async {
        phone.handle(.user(.intend(intention)))
        await phone.settle()
    }
}
