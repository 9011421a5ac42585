// SPDX-License-Identifier: MIT

public import OffhookCore

/// What an app can do with calls.
///
/// Every command returns what became of it and never throws: `applied`, `rejected` with the reason, `timedOut`, or
/// `unknown` when nobody can tell (R83). Whoever prefers errors writes `try await calls.answer(call).get()`.
///
/// A command is an operation with an id. The same id with the same arguments is the same operation: it is done once, and
/// every caller gets its one result, also after a restart of the app; with other arguments the result is a rejection with
/// `conflict` (R82). `within` is how long it may take, at most 30 s; nil is the policy's time. Cancelling the task that
/// waits ends neither the wait nor the operation nor the call.
///
/// Every command may be rejected with `notStarted` before ``CallCenter/start()`` and after ``CallCenter/stop()``, with
/// `unsupported` where there is no CallKit, and with `callNotFound` or `callEnded` when its call is not there any more.
extension CallCenter {
    /// Calls somebody.
    ///
    /// The server takes the call first, then the phone (R42); returns when the phone shows the call. Whether the other
    /// side answers comes through ``calls``. The new call's id is the operation's, so that a repeated operation is the
    /// same call.
    ///
    /// - Parameters:
    ///   - handle: Whom to call, 1 to 256 bytes.
    ///   - displayName: The name to show, 1 to 256 bytes; nil lets the phone look the handle up in Contacts.
    ///   - video: Whether to offer video.
    ///   - operation: The operation's id, a UUID; a new one unless given.
    ///   - time: How long it may take.
    /// - Returns: What became of it; `call` is the call's identity. Rejected with `busy` while no further call can live,
    ///   `refusedByServer`, `serverUnreachable`, `refusedByPhone`, `invalidArgument`.
    public func startCall(
        to handle: Handle, displayName: String? = nil, video: Bool = false, operation: OperationID = OperationID(),
        within time: TimeSpan? = nil
    ) async -> OperationResult {
        let call = CallID(high: operation.high, low: operation.low)
        let details = CallDetails(handle: handle, displayName: displayName, video: video)
        return await engine.perform(.start(call, details), operation, within: time)
    }

    /// Answers a ringing call, as the user would on the call screen; returns when the call is won.
    ///
    /// - Returns: What became of it. Rejected with `callEnded` if the call ended or another device was faster, and with
    ///   `invalidState` for a call that does not ring here.
    public func answer(
        _ call: CallID, operation: OperationID = OperationID(), within time: TimeSpan? = nil
    ) async -> OperationResult {
        await engine.perform(.answer(call), operation, within: time)
    }

    /// Ends a call in any state: declines one that rings, cancels one that is on its way.
    ///
    /// - Returns: What became of it; a call that is over already is no failure. Rejected with `callNotFound` for one that
    ///   never was.
    public func end(
        _ call: CallID, operation: OperationID = OperationID(), within time: TimeSpan? = nil
    ) async -> OperationResult {
        await engine.perform(.end(call), operation, within: time)
    }

    /// Mutes or unmutes this side, in the app and on the call screen alike (P36).
    ///
    /// - Returns: What became of it. Rejected with `mediaNotReady` while the call rings, or when its media did not follow.
    public func setMuted(
        _ muted: Bool, for call: CallID, operation: OperationID = OperationID(), within time: TimeSpan? = nil
    ) async -> OperationResult {
        await engine.perform(.setMuted(call, muted), operation, within: time)
    }

    /// Holds or resumes a call.
    ///
    /// - Returns: What became of it. Rejected with `invalidState` before voice flows.
    public func setHeld(
        _ held: Bool, for call: CallID, operation: OperationID = OperationID(), within time: TimeSpan? = nil
    ) async -> OperationResult {
        await engine.perform(.setHeld(call, held), operation, within: time)
    }

    /// Talks on in a held call: the one that is active is held, in the same transaction.
    ///
    /// - Parameters:
    ///   - call: The held call.
    ///   - operation: The operation's id; a new one unless given.
    ///   - time: How long it may take.
    /// - Returns: What became of it. Rejected with `invalidState` before voice flows.
    public func swap(
        to call: CallID, operation: OperationID = OperationID(), within time: TimeSpan? = nil
    ) async -> OperationResult {
        await engine.perform(.setHeld(call, false), operation, within: time)
    }

    /// Merges a call with another one into a group (R49).
    ///
    /// - Returns: What became of it. Rejected with `unsupported` where groups of calls are not offered.
    public func merge(
        _ call: CallID, with other: CallID, operation: OperationID = OperationID(), within time: TimeSpan? = nil
    ) async -> OperationResult {
        await engine.perform(.setGroup(call, with: other), operation, within: time)
    }

    /// Takes a call out of its group (R49).
    ///
    /// - Returns: What became of it. Rejected with `unsupported` where groups of calls are not offered.
    public func split(
        _ call: CallID, operation: OperationID = OperationID(), within time: TimeSpan? = nil
    ) async -> OperationResult {
        await engine.perform(.setGroup(call, with: nil), operation, within: time)
    }

    /// Sends DTMF in an active call: 1 to 32 of 0-9, `*`, `#`, `,` for a pause of 2 s, `;` for the end (R50).
    ///
    /// - Returns: What became of it; applied is sent, not heard. Rejected with `invalidArgument`, with `invalidState`
    ///   before voice flows, and with `unsupported` when the media engine has no DTMF.
    public func playTones(
        _ tones: String, in call: CallID, operation: OperationID = OperationID(), within time: TimeSpan? = nil
    ) async -> OperationResult {
        await engine.perform(.playTones(call, tones), operation, within: time)
    }

    /// Sends the sound of a call another way: one of ``AudioRoutes`` (R51).
    ///
    /// - Returns: What became of it. Rejected with `invalidArgument` for a route that is not offered.
    public func setRoute(
        _ route: AudioRoute.ID, for call: CallID, operation: OperationID = OperationID(), within time: TimeSpan? = nil
    ) async -> OperationResult {
        await engine.perform(.setRoute(call, route), operation, within: time)
    }

    /// Changes the name that the call screen and Recents show, 1 to 256 bytes; the handle stays (R37).
    ///
    /// - Returns: What became of it. Rejected with `invalidArgument`.
    public func setDisplayName(
        _ name: String, for call: CallID, operation: OperationID = OperationID(), within time: TimeSpan? = nil
    ) async -> OperationResult {
        await engine.perform(.setDisplayName(call, name), operation, within: time)
    }

    /// Turns this side's camera on or off (R115).
    ///
    /// - Returns: What became of it. Rejected with `permissionDenied`, with `mediaNotReady` while the phone is locked or
    ///   the call has no media, and with `unsupported` when the media engine has no video.
    public func setCamera(
        _ on: Bool, in call: CallID, operation: OperationID = OperationID(), within time: TimeSpan? = nil
    ) async -> OperationResult {
        await engine.perform(.setCamera(call, on), operation, within: time)
    }

    /// Chooses the camera; while it is off the choice is only remembered (R115).
    ///
    /// - Returns: What became of it. Rejected with `unsupported` when the media engine has no video.
    public func switchCamera(
        to facing: CameraFacing, in call: CallID, operation: OperationID = OperationID(), within time: TimeSpan? = nil
    ) async -> OperationResult {
        await engine.perform(.switchCamera(call, facing), operation, within: time)
    }

    /// Lets the phone translate a call's speech; nil ends it (R118).
    ///
    /// - Returns: What became of it. Rejected with `unsupported` where the phone does not translate.
    public func setTranslation(
        _ translation: Translation?, for call: CallID, operation: OperationID = OperationID(),
        within time: TimeSpan? = nil
    ) async -> OperationResult {
        await engine.perform(.setTranslation(call, translation), operation, within: time)
    }
}
