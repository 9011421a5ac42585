// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Something that is to be done: asked for by the app or the user, performed by the provider's delegate.
///
/// The delegate completes each action with ``fulfill()`` or ``fail()`` before ``timeoutDate``.
open class CXAction: NSObject, NSSecureCoding, NSCopying {
    struct State {
        var uuid = UUID.fresh()
        var timeoutDate = Date.distantPast
        var isComplete = false
        /// The provider that performs the action; an action that none performs cannot be completed (T7).
        weak var performer: ProviderCore?
    }

    let state = Locked(State())

    /// Names the action; a copy has the same.
    open var uuid: UUID { state.withLock { $0.uuid } }
    /// Whether the action was fulfilled, failed, or timed out.
    open var isComplete: Bool { state.withLock { $0.isComplete } }
    /// When the action fails by itself: fixed when the action is made, in the phone's time (T6).
    open var timeoutDate: Date { state.withLock { $0.timeoutDate } }

    /// Makes an action.
    public override init() {
        super.init()
        let deadline = (AppProcess.current?.now ?? Date()).addingTimeInterval(type(of: self).timeLimit)
        state.withLock { $0.timeoutDate = deadline }
    }

    /// Marks the action as done.
    ///
    /// Only the first completion counts, and only of an action being performed (T7).
    open func fulfill() {
        complete(date: nil)
    }

    /// Marks the action as failed: a call that was to start or be answered ends (A4).
    ///
    /// Else as ``fulfill()``.
    open func fail() {
        markComplete()
        // The phone hears of a second completion too, and says so (R29, T8); only the first counts.
        performer?.process.send(.actionFailed(action: uuid))
    }

    // MARK: - Coding and copying

    /// Actions are archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads an action from an archive; nil when the archive holds none.
    public required init?(coder aDecoder: NSCoder) {
        super.init()
        guard let uuid = aDecoder.uuid(forKey: "UUID") else { return nil }
        let seconds = aDecoder.decodeDouble(forKey: "timeoutDate")
        guard seconds.isFinite else { return nil }
        let deadline = Date(timeIntervalSinceReferenceDate: seconds)
        let isComplete = aDecoder.decodeBool(forKey: "complete")
        state.withLock { $0 = State(uuid: uuid, timeoutDate: deadline, isComplete: isComplete) }
    }

    /// Writes the action to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(uuid, forKey: "UUID")
        coder.encode(timeoutDate.timeIntervalSinceReferenceDate, forKey: "timeoutDate")
        coder.encode(isComplete, forKey: "complete")
    }

    /// An action of the same kind with the same values and the same ``uuid``.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = duplicate()
        let values = state.withLock { State(uuid: $0.uuid, timeoutDate: $0.timeoutDate, isComplete: $0.isComplete) }
        copy.state.withLock { $0 = values }
        return copy
    }

    // MARK: - For the kinds of actions

    /// How long the delegate has (T6).
    class var timeLimit: TimeInterval { 5 }
    /// What the action does, for the phone.
    var boundaryKind: ActionValue.Kind { .other }
    /// The call it is for, for the phone.
    var boundaryCall: UUID? { nil }
    /// An action of the same kind with the same values of this kind.
    func duplicate() -> CXAction { CXAction() }
    /// Calls the delegate's method for this kind; false when it has none (T11).
    func perform(on delegate: any CXProviderDelegate, provider: CXProvider) -> Bool { false }
}

extension CXAction {
    var boundaryValue: ActionValue {
        ActionValue(uuid: uuid, call: boundaryCall, kind: boundaryKind, timeoutDate: timeoutDate)
    }

    /// Completes the action successfully and tells the phone; `date` is nil for now.
    func complete(date: Date?) {
        markComplete()
        performer?.process.send(.actionFulfilled(action: uuid, date: date))
    }

    /// The provider that performs it; nil for one that none performs, which cannot be completed (T7).
    private var performer: ProviderCore? {
        state.withLock { $0.performer }
    }

    /// Completes the action here alone, if a provider performs it.
    func markComplete() {
        state.withLock { $0.isComplete = $0.isComplete || $0.performer != nil }
    }

    /// The action as the delegate receives it: an object of its own with the identity of the requested one.
    static func received(_ value: ActionValue, performer: ProviderCore) -> CXAction {
        let action = make(value)
        let state = State(uuid: value.uuid, timeoutDate: value.timeoutDate, performer: performer)
        action.state.withLock { $0 = state }
        return action
    }

    private static func make(_ value: ActionValue) -> CXAction {
        guard let call = value.call else { return CXAction() }
        switch value.kind {
        case .start(let handle, let contactIdentifier, let isVideo):
            let action = CXStartCallAction(call: call, handle: CXHandle(handle))
            action.contactIdentifier = contactIdentifier
            action.isVideo = isVideo
            return action
        case .answer: return CXAnswerCallAction(call: call)
        case .end: return CXEndCallAction(call: call)
        case .setHeld(let onHold): return CXSetHeldCallAction(call: call, onHold: onHold)
        case .setMuted(let muted): return CXSetMutedCallAction(call: call, muted: muted)
        case .setGroup(let other): return CXSetGroupCallAction(call: call, callUUIDToGroupWith: other)
        case .playDTMF(let digits, let type):
            return CXPlayDTMFCallAction(call: call, digits: digits, type: .init(rawValue: type) ?? .singleTone)
        case .setTranslating(let isTranslating, let local, let remote):
            return CXSetTranslatingCallAction(
                call: call, isTranslating: isTranslating, localLanguage: local, remoteLanguage: remote)
        case .other: return CXCallAction(call: call)
        }
    }
}

extension NSCoder {
    func encode(_ uuid: UUID?, forKey key: String) {
        guard let uuid else { return }
        encode(NSString(string: uuid.uuidString), forKey: key)
    }

    func uuid(forKey key: String) -> UUID? {
        string(forKey: key).flatMap(UUID.init(uuidString:))
    }

    func encode(_ string: String?, forKey key: String) {
        guard let string else { return }
        encode(NSString(string: string), forKey: key)
    }

    func string(forKey key: String) -> String? {
        object(NSString.self, forKey: key).map { String(describing: $0) }
    }

    /// nil when the archive has nothing under this key, which Foundation on Linux takes for an error.
    func object<Object: NSObject & NSCoding>(_ type: Object.Type, forKey key: String) -> Object? {
        containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
    }
}
