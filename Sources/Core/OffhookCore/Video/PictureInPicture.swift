// SPDX-License-Identifier: MIT

/// The small picture of a video call over other apps, beside the call's own state (R117).
///
/// ```
///               call with video                 asked for, or background
///   unavailable ───────────────► available ────────────────────────────────► shown
///        ▲                          │  ▲                                       │
///        │                          │  │ stopped, restored, waited 2 s         │ restore asked for
///        │                          │  └───────────────── restoring ◄──────────┘
///        └──────────────────────────┴──────── the call ended, or its video ───────
/// ```
///
/// Invariants: a picture is shown only for a live, answered video call; `restored` answers each restore once, at most two
/// seconds after it was asked for.
public struct PictureInPicture: Hashable, Sendable, Codable {
    /// What the picture shows.
    public enum Content: String, Hashable, Sendable, Codable, CaseIterable {
        /// The other side's picture.
        case remote
        /// This side's picture, while the other side shows none.
        case local
        /// The app's own picture, while there is neither.
        case branded
    }

    /// Where the picture is.
    public enum State: Hashable, Sendable, Codable {
        /// There is no live, answered video call. Leaves to: available.
        case unavailable
        /// It could be shown. Leaves to: shown, unavailable.
        case available(CallID)
        /// It is shown. Leaves to: available, restoring, unavailable.
        case shown(CallID, Content)
        /// The app's view is awaited in its place. Leaves to: available, unavailable.
        case restoring(CallID, until: Instant)
    }

    /// What happens to the picture.
    public enum Event: Hashable, Sendable, Codable {
        /// A call changed.
        case callChanged(Call)
        /// The app left the foreground (true), or came back.
        case background(Bool)
        /// The app wants the picture.
        case startAsked
        /// The user or the app closed the picture.
        case stopped
        /// The user wants the app's own view back.
        case restoreAsked
        /// The app's view is there.
        case viewReady
        /// Time has passed.
        case tick
    }

    /// What the picture orders.
    public enum Effect: Hashable, Sendable, Codable {
        /// Show it for a call.
        case start(CallID, Content)
        /// Show something else in it.
        case show(Content)
        /// Close it.
        case stop
        /// Answer the restore: whether the app's view was there in time.
        case restored(Bool)
    }

    /// How long a restore waits for the app's view.
    public static let patience: TimeSpan = .seconds(2)

    /// Where the picture is.
    public private(set) var state: State = .unavailable
    /// Whether leaving the app shows it.
    public let isAutomatic: Bool
    private var content = Content.branded

    /// Makes the picture of a device without a call.
    ///
    /// - Parameter isAutomatic: Whether leaving the app shows it; else only `startAsked` does.
    public init(isAutomatic: Bool = true) {
        self.isAutomatic = isAutomatic
    }

    /// When to send `tick`; nil when nothing is due.
    public var deadline: Instant? {
        switch state {
        case .unavailable, .available, .shown: nil
        case .restoring(_, let until): until
        }
    }

    /// Takes one event.
    public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        switch event {
        case .callChanged(let call): take(call)
        case .background(let leaves): leaves && isAutomatic ? start() : []
        case .startAsked: start()
        case .stopped: stop()
        case .restoreAsked: restore(at: now)
        case .viewReady: finish(in: true)
        case .tick: deadline.map { now >= $0 } ?? false ? finish(in: false) : []
        }
    }

    private mutating func take(_ call: Call) -> [Effect] {
        let hasPicture = call.mayShowPicture
        switch state {
        case .unavailable:
            guard hasPicture else { return [] }
            content = call.pictureContent
            state = .available(call.id)
            return []
        case .available(let shown):
            guard call.id == shown else { return [] }
            content = call.pictureContent
            if !hasPicture { state = .unavailable }
            return []
        case .shown(let shown, let old):
            guard call.id == shown else { return [] }
            guard hasPicture else {
                state = .unavailable
                return [.stop]
            }
            content = call.pictureContent
            guard content != old else { return [] }
            state = .shown(shown, content)
            return [.show(content)]
        case .restoring(let shown, _):
            guard call.id == shown else { return [] }
            content = call.pictureContent
            guard !hasPicture else { return [] }
            state = .unavailable
            return [.restored(false)]
        }
    }

    private mutating func start() -> [Effect] {
        switch state {
        case .available(let call):
            state = .shown(call, content)
            return [.start(call, content)]
        case .unavailable, .shown, .restoring:
            return []
        }
    }

    private mutating func stop() -> [Effect] {
        switch state {
        case .shown(let call, _):
            state = .available(call)
            return [.stop]
        case .unavailable, .available, .restoring:
            return []
        }
    }

    private mutating func restore(at now: Instant) -> [Effect] {
        switch state {
        case .shown(let call, _):
            state = .restoring(call, until: now + PictureInPicture.patience)
            return []
        case .restoring:
            return []
        case .unavailable, .available:
            return [.restored(false)]
        }
    }

    private mutating func finish(in time: Bool) -> [Effect] {
        switch state {
        case .restoring(let call, _):
            state = .available(call)
            return [.restored(time)]
        case .unavailable, .available, .shown:
            return []
        }
    }
}

extension Call {
    /// Whether it is live, answered and a video call: offered as one, or with a picture now.
    fileprivate var mayShowPicture: Bool {
        switch state {
        case .connecting, .active, .held: details.video || remoteVideo || localVideo != .off
        case .incoming, .outgoing, .ended: false
        }
    }

    fileprivate var pictureContent: PictureInPicture.Content {
        if remoteVideo { return .remote }
        return localVideo == .on ? .local : .branded
    }
}
