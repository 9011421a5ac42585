// SPDX-License-Identifier: MIT

import OffhookCore

/// What happened in a world, or in many, in numbers.
public struct WorldTally: Hashable, Sendable {
    /// How many events the rules of phones and server took.
    public private(set) var events = 0
    /// How many acts came to pass.
    public internal(set) var acts = 0
    /// How many processes died.
    public internal(set) var deaths = 0
    /// How often the server died.
    public internal(set) var serverDeaths = 0
    /// How many things failed by plan.
    public internal(set) var faults = 0
    /// How many effects were carried out on phones.
    public private(set) var effects = 0
    /// How many calls ended for each reason, in the order of `EndReason.allCases`.
    public private(set) var ends = [Int](repeating: 0, count: EndReason.allCases.count)
    /// How many calls had voice.
    public private(set) var talks = 0
    /// How many operations came out each way, in the order of `OperationResult.Status.allCases`.
    public private(set) var results = [Int](repeating: 0, count: OperationResult.Status.allCases.count)
    /// How often each phone event came, in the order of ``phoneEvents``.
    public private(set) var phoneCounts = [Int](repeating: 0, count: WorldTally.phoneEvents.count)
    /// How often each server event came, in the order of ``brokerEvents``.
    public private(set) var brokerCounts = [Int](repeating: 0, count: WorldTally.brokerEvents.count)
    /// Which pairs of a call's state and standing came up, as bits.
    private var seen: UInt64 = 0

    /// Makes an empty tally.
    public init() {}

    /// The names of the phone's events.
    public static let phoneEvents = [
        "pushArrived", "reportCompleted", "startPerformed", "answerPerformed", "endPerformed", "holdPerformed",
        "mutePerformed", "groupPerformed", "tonesPerformed", "translationPerformed", "otherPerformed",
        "actionTimedOut", "requestCompleted", "audioActivated", "audioDeactivated", "providerReset", "otherCalls",
        "routesChanged", "audioInterrupted", "mediaServicesReset", "surroundingsChanged", "invited", "server",
        "delivered", "media", "launched", "saved", "command", "tick",
    ]
    /// The names of the server's events.
    public static let brokerEvents = [
        "placed", "received", "deviceConnected", "deviceDisconnected", "deviceRemoved", "pushAccepted", "pushFailed",
        "replaced", "restarted", "tick", "crossed",
    ]

    /// How many pairs of direction, state and standing came up, of those that exist.
    public var statesSeen: Int { seen.nonzeroBitCount }

    mutating func count(_ event: PhoneMachine.Event) {
        events += 1
        let kind =
            switch event {
            case .pushArrived: 0
            case .reportCompleted: 1
            case .startPerformed: 2
            case .answerPerformed: 3
            case .endPerformed: 4
            case .holdPerformed: 5
            case .mutePerformed: 6
            case .groupPerformed: 7
            case .tonesPerformed: 8
            case .translationPerformed: 9
            case .otherPerformed: 10
            case .actionTimedOut: 11
            case .requestCompleted: 12
            case .audioActivated: 13
            case .audioDeactivated: 14
            case .providerReset: 15
            case .otherCalls: 16
            case .routesChanged: 17
            case .audioInterrupted: 18
            case .mediaServicesReset: 19
            case .surroundingsChanged: 20
            case .invited: 21
            case .server: 22
            case .delivered: 23
            case .media: 24
            case .launched: 25
            case .saved: 26
            case .command: 27
            case .tick: 28
            }
        phoneCounts[kind] += 1
    }

    mutating func count(_ event: BrokerEvent) {
        events += 1
        let kind =
            switch event {
            case .placed: 0
            case .received: 1
            case .deviceConnected: 2
            case .deviceDisconnected: 3
            case .deviceRemoved: 4
            case .pushAccepted: 5
            case .pushFailed: 6
            case .replaced: 7
            case .restarted: 8
            case .tick: 9
            case .crossed: 10
            }
        brokerCounts[kind] += 1
    }

    mutating func count(_ effect: PhoneEffect) {
        effects += 1
    }

    mutating func see(_ call: Call) {
        switch call.state {
        case .ended(let reason):
            ends[reason.number] += 1
            if call.connectedAt != nil { talks += 1 }
        case .incoming, .outgoing, .connecting, .active, .held: break
        }
    }

    mutating func see(_ result: OperationResult) {
        let kind =
            switch result.status {
            case .applied: 0
            case .rejected: 1
            case .timedOut: 2
            case .unknown: 3
            }
        results[kind] += 1
    }

    mutating func see(_ machine: PhoneMachine) {
        for call in machine.calls {
            let state =
                switch call.state {
                case .incoming: 0
                case .outgoing: 1
                case .connecting(let connecting): connecting.claim == nil ? 2 : 3
                case .active: 4
                case .held: 5
                case .ended: 6
                }
            let standing =
                switch call.standing {
                case .untold: 0
                case .telling: 1
                case .told: 2
                case .gone: 3
                }
            seen |= 1 << UInt64((call.direction == .incoming ? 0 : 28) + state * 4 + standing)
        }
    }

    /// Adds what happened in another world.
    public mutating func add(_ other: WorldTally) {
        events += other.events
        acts += other.acts
        deaths += other.deaths
        serverDeaths += other.serverDeaths
        faults += other.faults
        effects += other.effects
        talks += other.talks
        seen |= other.seen
        for index in ends.indices { ends[index] += other.ends[index] }
        for index in results.indices { results[index] += other.results[index] }
        for index in phoneCounts.indices { phoneCounts[index] += other.phoneCounts[index] }
        for index in brokerCounts.indices { brokerCounts[index] += other.brokerCounts[index] }
    }
}

extension EndReason {
    fileprivate var number: Int {
        switch self {
        case .localHangup: 0
        case .declined: 1
        case .remoteEnded: 2
        case .callerCancelled: 3
        case .unanswered: 4
        case .busy: 5
        case .failed: 6
        case .answeredElsewhere: 7
        case .declinedElsewhere: 8
        case .unreachable: 9
        }
    }
}
