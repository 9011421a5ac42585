// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Something that is to be done with a conversation: asked for by the app or the user, performed by the delegate.
///
/// The delegate completes each action with ``fulfill()`` or ``fail()`` before ``timeoutDate``. An action that the app
/// asks for comes to the delegate as the same object. May be used on any thread.
public class ConversationAction {
    /// How far an action is.
    public enum State: Hashable, Sendable {
        /// The delegate has not been asked to perform it.
        case idle
        /// The delegate performs it.
        case running
        /// It was fulfilled.
        case complete
        /// It failed; the reason is for people who debug.
        case failed(reason: String)
    }

    struct Progress {
        var uuid = UUID()
        var timeoutDate: Date
        var state = State.idle
        /// The manager that the action was handed to; an action that none has cannot be completed (T7).
        weak var performer: ManagerCore?
    }

    let progress: Locked<Progress>
    private let conversation: UUID

    /// The conversation that the action is for.
    public var conversationUUID: UUID { conversation }
    /// Names the action.
    public var uuid: UUID { progress.withLock { $0.uuid } }
    /// When the action fails by itself: fixed when the action is made, in the phone's time (T6).
    public var timeoutDate: Date { progress.withLock { $0.timeoutDate } }
    /// How far the action is.
    public var state: ConversationAction.State { progress.withLock { $0.state } }

    init(_ conversationUUID: UUID, timeoutDate: Date) {
        conversation = conversationUUID
        progress = Locked(Progress(timeoutDate: timeoutDate))
    }

    /// Makes an action of no kind, which the phone refuses to perform (T2).
    public convenience init(conversationUUID: UUID, timeoutDate: Date) {
        self.init(conversationUUID, timeoutDate: timeoutDate)
    }

    /// Marks the action as done; only the first completion of an action being performed counts (T7).
    public func fulfill() {
        complete(date: nil)
    }

    /// Marks the action as failed: a conversation that was to start or be joined ends (A4).
    public func fail() {
        guard let performer = finish(.failed(reason: "the app failed it")) else { return }
        performer.process.send(.actionFailed(action: uuid))
    }

    // MARK: - For the kinds of actions

    /// What the action does, for the phone.
    var boundaryKind: ActionValue.Kind { .other }
    /// Whom it calls, for the phone.
    var boundaryMembers: [MemberValue]? { nil }

    /// The deadline of an action that is made now (T6).
    static func deadline(after seconds: TimeInterval) -> Date {
        (AppProcess.current?.now ?? Date()).addingTimeInterval(seconds)
    }
}

// What it has beyond its conversation, and its kinds beyond it, never change or are behind `progress`' lock.
extension ConversationAction: @unchecked Sendable {}

extension ConversationAction {
    var boundaryValue: ActionValue {
        var value = ActionValue(uuid: uuid, call: conversationUUID, kind: boundaryKind, timeoutDate: timeoutDate)
        value.members = boundaryMembers
        return value
    }

    /// Whether no manager was given the action yet.
    var isNew: Bool {
        progress.withLock { $0.state == .idle && $0.performer == nil }
    }

    /// Whether the action was fulfilled or failed.
    var isComplete: Bool {
        switch state {
        case .idle, .running: return false
        case .complete, .failed: return true
        }
    }

    func hand(to performer: ManagerCore) {
        progress.withLock { $0.performer = performer }
    }

    /// The delegate is about to be asked; false when the action is over already.
    func start() -> Bool {
        progress.withLock { progress in
            guard progress.state == .idle else { return false }
            progress.state = .running
            return true
        }
    }

    /// Completes the action successfully and tells the phone; `date` is nil for now.
    func complete(date: Date?) {
        guard let performer = finish(.complete) else { return }
        performer.process.send(.actionFulfilled(action: uuid, date: date))
    }

    /// The action fails without a word of the delegate's; the phone knows already.
    func fail(because reason: String) {
        progress.withLock { progress in
            switch progress.state {
            case .idle, .running: progress.state = .failed(reason: reason)
            case .complete, .failed: break
            }
        }
    }

    /// Ends the action here.
    ///
    /// - Returns: Who tells the phone; nil when nobody has to. Of an action that the delegate was not asked to perform
    ///   the phone hears too, and complains; the action goes on (T7).
    private func finish(_ state: State) -> ManagerCore? {
        progress.withLock { progress in
            switch progress.state {
            case .idle: return progress.performer
            case .running:
                progress.state = state
                return progress.performer
            case .complete, .failed: return nil
            }
        }
    }

    /// The action as the delegate receives it when the app did not ask for it.
    static func received(_ value: ActionValue, performer: ManagerCore) -> ConversationAction {
        let action = make(value)
        action.progress.withLock {
            $0 = Progress(uuid: value.uuid, timeoutDate: value.timeoutDate, performer: performer)
        }
        return action
    }

    private static func make(_ value: ActionValue) -> ConversationAction {
        guard let call = value.call else {
            return ConversationAction(conversationUUID: UUID(), timeoutDate: value.timeoutDate)
        }
        switch value.kind {
        case .start(let handle, _, let isVideo):
            let members = value.members ?? [MemberValue(handle: handle)]
            return StartConversationAction(
                conversationUUID: call, handles: members.map(Handle.init), isVideo: isVideo)
        case .answer: return JoinConversationAction(conversationUUID: call)
        case .end: return EndConversationAction(conversationUUID: call)
        case .setHeld(let isPaused): return PauseConversationAction(conversationUUID: call, isPaused: isPaused)
        case .setMuted(let isMuted): return MuteConversationAction(conversationUUID: call, isMuted: isMuted)
        case .setGroup(let other?):
            return MergeConversationAction(conversationUUID: call, conversationUUIDToMergeWith: other)
        case .setGroup(nil): return UnmergeConversationAction(conversationUUID: call)
        case .playDTMF(let digits, let type):
            return PlayToneAction(
                conversationUUID: call, digits: digits, tone: PlayToneAction.Tone(boundaryValue: type))
        case .setTranslating(let isTranslating, let local, let remote):
            return SetTranslatingAction(
                conversationID: call, isTranslating: isTranslating,
                localLanguage: Locale.Language(identifier: local), remoteLanguage: Locale.Language(identifier: remote))
        case .other: return ConversationAction(conversationUUID: call, timeoutDate: value.timeoutDate)
        }
    }
}
