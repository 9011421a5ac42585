// SPDX-License-Identifier: MIT

import OffhookCore

/// Values that the phone's tests share.
enum Fixture {
    static let call = CallID(high: 1, low: 1)
    static let other = CallID(high: 2, low: 2)
    static let spare = CallID(high: 9, low: 9)
    static let alice = Handle(value: "alice")
    static let details = CallDetails(handle: alice, displayName: "Alice")
    static let bob = CallDetails(handle: Handle(value: "bob"), displayName: "Bob")
    static let action = ActionID(high: 7, low: 7)
    static let second = ActionID(high: 8, low: 8)
    static let start = Instant(milliseconds: 1_000_000)
    static let broken = CallFailure(.refusedByPhone, "refused")

    /// A time after the start, in milliseconds.
    static func at(_ milliseconds: Int64) -> Instant {
        Instant(milliseconds: start.milliseconds + milliseconds)
    }

    /// An invitation that is good for a minute.
    static func invitation(_ call: CallID = call, expiresAt: Instant = at(60_000)) -> Invitation {
        Invitation(
            call: call, callerName: "Alice", callerHandle: alice, issuedAt: start, expiresAt: expiresAt)
    }

    static func signal(_ text: String) -> MediaSignal {
        MediaSignal(kind: .candidate, body: text)
    }
}

extension CallMachine {
    /// Takes several events at one time and gives the effects of the last.
    @discardableResult
    mutating func run(_ events: Event..., at now: Instant = Fixture.start) -> [Effect] {
        var effects: [Effect] = []
        for event in events { effects = handle(event, at: now) }
        return effects
    }

    /// An incoming call that rings.
    static func ringing(policy: CallPolicy = CallPolicy()) -> CallMachine {
        var call = CallMachine(Fixture.invitation(), policy: policy, at: Fixture.start)
        call.run(.opened, .reported(nil))
        return call
    }

    /// An incoming call whose answer waits for the server.
    static func claiming() -> CallMachine {
        var call = ringing()
        call.run(.answerPerformed(Fixture.action))
        return call
    }

    /// An incoming call that is won and waits for media.
    static func won() -> CallMachine {
        var call = claiming()
        call.run(.answered)
        return call
    }

    /// An incoming call with voice.
    static func talking() -> CallMachine {
        var call = won()
        call.run(.mediaArrived)
        return call
    }

    /// An incoming call on hold.
    static func onHold() -> CallMachine {
        var call = talking()
        call.run(.holdPerformed(Fixture.action, true))
        return call
    }

    /// An outgoing call that the server took.
    static func accepted() -> CallMachine {
        var call = CallMachine(Fixture.call, to: Fixture.bob, at: Fixture.start)
        call.run(.opened, .inviteAccepted)
        return call
    }

    /// An outgoing call that CallKit shows.
    static func calling() -> CallMachine {
        var call = accepted()
        call.run(.startPerformed(Fixture.action))
        return call
    }

    /// An outgoing call that was answered.
    static func picked() -> CallMachine {
        var call = calling()
        call.run(.answered)
        return call
    }

    /// One call in every state, and in each state's variants.
    static var everyState: [CallMachine] {
        var ended = talking()
        ended.run(.remoteEnded(.remoteEnded))
        var endedBeforeReport = CallMachine(Fixture.invitation(), at: Fixture.start)
        endedBeforeReport.run(.opened, .remoteEnded(.callerCancelled))
        var endedBeforeStart = accepted()
        endedBeforeStart.run(.remoteEnded(.busy))
        var policy = CallPolicy()
        policy.answer = .immediately
        var immediate = ringing(policy: policy)
        immediate.run(.answerPerformed(Fixture.second))
        return [
            CallMachine(Fixture.invitation(), at: Fixture.start),
            ringing(), claiming(), immediate, won(), talking(), onHold(),
            CallMachine(Fixture.call, to: Fixture.bob, at: Fixture.start),
            accepted(), calling(), picked(), ended, endedBeforeReport, endedBeforeStart,
        ]
    }
}

extension PhoneMachine {
    /// Takes events at one time and gives the effects of the last; each save succeeds at once and is left out.
    @discardableResult
    mutating func run(_ events: Event..., at now: Instant = Fixture.start) -> [Effect] {
        var effects: [Effect] = []
        for event in events {
            effects = []
            var inbox = [event]
            while !inbox.isEmpty {
                for effect in handle(inbox.removeFirst(), at: now) {
                    if case .save(let point) = effect {
                        inbox.append(.saved(point, nil))
                    } else {
                        effects.append(effect)
                    }
                }
            }
        }
        return effects
    }

    /// A phone on which a pushed call rings.
    static func ringing() -> PhoneMachine {
        var phone = PhoneMachine()
        phone.run(
            .pushArrived(PushID(1), .invitation(Fixture.invitation()), mustReport: true, spare: Fixture.spare),
            .reportCompleted(Fixture.call, nil))
        return phone
    }

    /// A phone in a call with voice and an open window.
    static func talking() -> PhoneMachine {
        var phone = ringing()
        phone.run(
            .answerPerformed(Fixture.action, Fixture.call), .server(Fixture.call, .answered), .audioActivated,
            .media(Fixture.call, .arrived))
        return phone
    }
}

extension Array where Element == PhoneEffect {
    /// The effects without what the app is told of calls.
    var withoutPublishing: [PhoneEffect] {
        filter { if case .publish = $0 { false } else { true } }
    }
}

extension OperationID {
    /// An identifier of a count.
    init(_ number: Int) {
        self.init(high: 0, low: UInt64(number))
    }
}

extension PhoneEffect {
    /// The app hears that its operation was done.
    static func applied(_ id: OperationID, of call: CallID = Fixture.call, at now: Instant = Fixture.start) -> Self {
        .finish(OperationResult(id, call: call, .applied, at: now))
    }

    /// The app hears that its operation was not done.
    static func rejected(
        _ id: OperationID, of call: CallID = Fixture.call, _ failure: CallFailure, at now: Instant = Fixture.start
    ) -> Self {
        .finish(OperationResult(id, call: call, .rejected, failure: failure, at: now))
    }

    /// Why an operation was not done.
    var failure: CallFailure? {
        if case .finish(let result) = self { result.failure } else { nil }
    }
}
