// SPDX-License-Identifier: MIT

/// Decides which invitation may ring, and remembers what every push is owed (R60-R68).
///
/// ```
///  push ──► readable? ─no──────────────► undecodable ─┐
///              │yes                                    │
///           over already? ─yes─────────► ended(reason) ┤
///              │no                                     │   mustReport: report under a fresh
///           lives here? ─yes───────────► duplicate     ┼─► UUID, end it, complete the push
///              │no                                     │   else: complete the push
///           past its time? ─yes──┐                     │
///              │no               ├─► tombstone, expired┤
///           another call? ─yes───┘   or busy           ┘
///              │no
///           ring: report under the call's own UUID, then complete the push
/// ```
///
/// The same checks, without the forced report, hold for an invitation from the socket (R68).
///
/// Invariants: every push that must be reported leads to exactly one report inside the callback; every push is completed
/// exactly once; a fresh UUID never touches a real call (R63); an ended call never rings again (R65, R66).
public struct PushLedger: Hashable, Sendable, Codable {
    /// What happens to the ledger.
    public enum Event: Hashable, Sendable, Codable {
        /// A push came; `spare` is a fresh UUID made for it.
        case pushArrived(PushID, PushContent, mustReport: Bool, spare: CallID)
        /// An invitation came over the socket.
        case invited(Invitation)
        /// CallKit answered a report, well or badly.
        case reportCompleted(CallID)
        /// A call made here lives on this device; one that rings lives from its decision on.
        case callBegan(CallID)
        /// A call is over, known here or not (R65).
        case callEnded(CallID, EndReason)
        /// CallKit dropped everything (R22): no report will be answered.
        case reset
    }

    /// What the ledger orders.
    public enum Effect: Hashable, Sendable, Codable {
        /// Let it ring under its own identity.
        case ring(Invitation)
        /// Report under a fresh UUID what must not ring.
        case reportSpare(CallID, CallDetails)
        /// End the report made under a fresh UUID.
        case endSpare(CallID, EndReason)
        /// Complete the push.
        case completePush(PushID)
        /// Tell what became of the invitation.
        case tell(InvitationOutcome, CallID?)
    }

    private struct Spare: Hashable, Codable {
        var push: PushID
        var reason: EndReason
    }

    /// How long an ended call is remembered (R87).
    public static let memory: TimeSpan = .seconds(24 * 3600)
    /// What stands for the caller of a push that cannot be read; the shell shows its own words.
    public static let unknownCaller = CallDetails(handle: Handle(value: "unknown"))
    /// How many ended calls are remembered (R87).
    public static let capacity = 1000

    private var live: Set<CallID> = []
    private var reasons: [CallID: EndReason] = [:]
    private var tombstones: [Checkpoint.EndedCall] = []
    private var spares: [CallID: Spare] = [:]
    private var rings: [CallID: PushID] = [:]
    private let limit: Int
    /// How many live calls share a group with an earlier one: a group counts once (T5).
    var merged = 0
    /// How many calls of other apps and of the phone's own live; with a limit of one they leave no room (P23).
    var others = 0
    /// A call that crosses one of this device's own, while its invitation is judged: the server decides (race 7).
    var crossing: CallID?

    /// Makes an empty ledger.
    ///
    /// - Parameter limit: How many calls and groups of calls may live at once; further ones are busy.
    public init(limit: Int = 1) {
        self.limit = limit
    }

    /// The calls that are over, oldest first.
    public var endedCalls: [Checkpoint.EndedCall] { tombstones }

    /// Takes in the ended calls that an earlier process left; what is known here is newer.
    public mutating func adopt(_ ended: [Checkpoint.EndedCall]) {
        var earlier: [Checkpoint.EndedCall] = []
        earlier.reserveCapacity(ended.count)
        reasons.reserveCapacity(ended.count)
        for call in ended where reasons.updateValue(call.reason, forKey: call.call) == nil { earlier.append(call) }
        tombstones = earlier + tombstones
    }

    /// Why the call is known to be over; nil when it is not.
    public func reasonEnded(_ call: CallID) -> EndReason? {
        reasons[call]
    }

    /// Whether the id is a throwaway one whose report is under way.
    public func isSpare(_ call: CallID) -> Bool {
        spares[call] != nil
    }

    /// Takes one event.
    public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        switch event {
        case .pushArrived(let push, let content, let mustReport, let spare):
            return take(push, content, mustReport: mustReport, spare: spare, at: now)
        case .invited(let invitation):
            let outcome = judge(invitation, at: now)
            return outcome == .accepted
                ? [.ring(invitation), .tell(.accepted, invitation.call)] : [.tell(outcome, invitation.call)]
        case .reportCompleted(let call):
            if let spare = spares.removeValue(forKey: call) {
                return [.endSpare(call, spare.reason), .completePush(spare.push)]
            }
            return rings.removeValue(forKey: call).map { [.completePush($0)] } ?? []
        case .callBegan(let call):
            live.insert(call)
            return []
        case .callEnded(let call, let reason):
            live.remove(call)
            bury(call, reason, at: now)
            return []
        case .reset:
            let pushes = spares.values.map(\.push) + rings.values
            spares = [:]
            rings = [:]
            return pushes.sorted { $0.number < $1.number }.map { .completePush($0) }
        }
    }

    private mutating func take(
        _ push: PushID, _ content: PushContent, mustReport: Bool, spare: CallID, at now: Instant
    ) -> [Effect] {
        let invitation: Invitation?
        let outcome: InvitationOutcome
        switch content {
        case .invitation(let value):
            invitation = value
            outcome = judge(value, at: now)
        case .undecodable:
            invitation = nil
            outcome = .undecodable
        }
        if outcome == .accepted, let invitation {
            rings[invitation.call] = push
            return [.ring(invitation), .tell(.accepted, invitation.call)]
        }
        guard mustReport else { return [.tell(outcome, invitation?.call), .completePush(push)] }
        spares[spare] = Spare(push: push, reason: outcome.spareReason)
        let details = invitation?.details ?? PushLedger.unknownCaller
        return [.reportSpare(spare, details), .tell(outcome, invitation?.call)]
    }

    /// The may-ring decision (R62, C7); leaves a tombstone for what was turned away (R66).
    private mutating func judge(_ invitation: Invitation, at now: Instant) -> InvitationOutcome {
        forget(at: now)
        let call = invitation.call
        if let reason = reasonEnded(call) { return .ended(reason) }
        if live.contains(call) || call == crossing { return .duplicate }
        if now > invitation.expiresAt {
            bury(call, .unanswered, at: now)
            return .expired
        }
        if live.count - merged + (limit == 1 ? others : 0) >= limit {
            bury(call, .busy, at: now)
            return .busy
        }
        live.insert(call)
        return .accepted
    }

    /// Remembers the first reason for a call's end.
    private mutating func bury(_ call: CallID, _ reason: EndReason, at now: Instant) {
        guard reasons[call] == nil else { return }
        reasons[call] = reason
        tombstones.append(Checkpoint.EndedCall(call, reason, at: now))
        forget(at: now)
    }

    private mutating func forget(at now: Instant) {
        var old = max(0, tombstones.count - PushLedger.capacity)
        while old < tombstones.count, tombstones[old].at + PushLedger.memory < now { old += 1 }
        guard old > 0 else { return }
        for tombstone in tombstones[..<old] { reasons[tombstone.call] = nil }
        tombstones.removeFirst(old)
    }
}

/// What a push turned out to hold.
public enum PushContent: Hashable, Sendable, Codable {
    /// An invitation.
    case invitation(Invitation)
    /// Nothing that can be read as one.
    case undecodable
}

extension InvitationOutcome {
    /// The reason under which a report that must not ring is ended.
    var spareReason: EndReason {
        switch self {
        case .accepted, .duplicate, .busy, .undecodable: .failed
        case .ended(let reason): reason
        case .expired: .unanswered
        }
    }
}

extension Invitation {
    /// What the call screen shows of the invitation.
    public var details: CallDetails {
        CallDetails(handle: callerHandle, displayName: callerName, video: video)
    }
}
