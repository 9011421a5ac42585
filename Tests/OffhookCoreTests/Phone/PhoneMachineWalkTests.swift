// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@Suite struct PhoneMachineWalkTests {
    @Test("Every event in every state is taken, and completes the action it brings") func sweep() {
        let action = ActionID(high: 42, low: 42)
        let failure = Fixture.broken
        let signal = Fixture.signal("x")
        let events: [CallMachine.Event] = [
            .opened, .reported(nil), .reported(failure), .startPerformed(action), .startRefused(failure),
            .answerPerformed(action), .endPerformed(action), .endedByApp(nil), .endedByApp(failure),
            .holdPerformed(action, true), .holdPerformed(action, false), .mutePerformed(action, true),
            .mutePerformed(action, false), .actionTimedOut(action), .actionTimedOut(Fixture.action), .reset,
            .inviteAccepted, .inviteRefused(failure, .failed), .remoteRang, .answered, .remoteEnded(.remoteEnded),
            .remoteEnded(.answeredElsewhere), .signalReceived(signal), .peerUpdated(PeerUpdate(held: true)),
            .mediaSignal(signal), .mediaArrived, .mediaInterrupted(true), .mediaInterrupted(false),
            .mediaFailed(failure), .tick,
        ]
        for state in CallMachine.everyState {
            for event in events {
                for late: Int64 in [0, 1_000_000] {
                    var call = state
                    let effects = call.handle(event, at: Fixture.at(late))
                    let completions = effects.count { $0 == .fulfil(action) || $0 == .fail(action) }
                    switch event {
                    case .startPerformed, .endPerformed, .holdPerformed, .mutePerformed:
                        #expect(completions == 1, "\(event) in \(state.state)")
                    case .answerPerformed:
                        var waits = false
                        if case .connecting(let connecting) = call.state, let claim = connecting.claim {
                            waits = claim.action == action || claim.others.contains(action)
                        }
                        #expect(completions == (waits ? 0 : 1), "\(event) in \(state.state)")
                    default:
                        #expect(completions == 0, "\(event) in \(state.state)")
                    }
                    let ends = effects.count { if case .reportEnded = $0 { true } else { false } }
                    #expect(ends <= 1)
                }
            }
        }
    }

    @Test("Random walks keep the invariants", arguments: 0..<40) func walk(_ number: UInt64) {
        let seed = number &* 0x9E37_79B9_7F4A_7C15 &+ 0xD1B5_4A32_D192_ED03
        var walk = PhoneWalk(seed: seed)
        walk.take(steps: 2500)
        walk.settle()
        #expect(walk.complaints.isEmpty, "seed \(seed): \(walk.complaints.prefix(3))")
    }

    @Test("Random walks with several calls keep them, too: only one call or group speaks", arguments: 0..<40)
    func walkWithGroups(_ number: UInt64) {
        let seed = number &* 0x9E37_79B9_7F4A_7C15 &+ 0xA076_1D64_78BD_642F
        var walk = PhoneWalk(seed: seed, policy: .everything)
        walk.take(steps: 2500)
        walk.settle()
        #expect(walk.complaints.isEmpty, "seed \(seed): \(walk.complaints.prefix(3))")
    }

    @Test("The same events give the same effects") func deterministic() {
        var first = PhoneWalk(seed: 7)
        var second = PhoneWalk(seed: 7)
        first.take(steps: 1000)
        second.take(steps: 1000)
        #expect(first.history == second.history)
    }
}

/// A phone that gets whatever comes, sensible or not, with the promises of its rules checked at each step.
private struct PhoneWalk {
    var phone = PhoneMachine()
    var history: [PhoneEffect] = []
    var complaints: [String] = []
    private var random: UInt64
    private var now = Fixture.start
    private var count: UInt64 = 0
    private var recent: [CallID] = [CallID(high: 0, low: 1)]
    private var reports: [CallID] = []
    private var openActions: Set<ActionID> = []
    private var openPushes: Set<PushID> = []
    private var openCommands: Set<OperationID> = []
    private var reported: Set<CallID> = []
    private var ended: Set<CallID> = []
    /// Calls that an end action took out of CallKit.
    private var taken: Set<CallID> = []
    private var publishedEnds: Set<CallID> = []
    private var media: [CallID: Bool] = [:]

    /// Sessions and whether their hold gate is closed.
    private var held: [CallID: Bool] = [:]

    init(seed: UInt64, policy: CallPolicy = CallPolicy()) {
        random = seed | 1
        phone = PhoneMachine(policy: policy)
    }

    private mutating func roll(_ sides: Int) -> Int {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return Int(random % UInt64(sides))
    }

    private mutating func fresh() -> UInt64 {
        count += 1
        return count
    }

    private mutating func freshCall() -> CallID {
        let call = CallID(high: 1, low: fresh())
        recent.append(call)
        if recent.count > 4 { recent.removeFirst() }
        return call
    }

    private mutating func someCall() -> CallID {
        roll(3) > 0 ? (phone.calls.first?.id ?? recent[roll(recent.count)]) : recent[roll(recent.count)]
    }

    private mutating func action() -> ActionID {
        let action = ActionID(high: 2, low: fresh())
        openActions.insert(action)
        return action
    }

    private mutating func event() -> PhoneMachine.Event {
        let failure: CallFailure? = roll(4) == 0 ? Fixture.broken : nil
        let call = someCall()
        switch roll(32) {
        case 24: return .groupPerformed(action(), call, with: roll(2) == 0 ? nil : phone.calls.last?.id)
        case 25: return .tonesPerformed(action(), call, "1")
        case 26: return .audioInterrupted(roll(2) == 0)
        case 27: return .mediaServicesReset
        case 28:
            return .surroundingsChanged(
                Surroundings(
                    isForeground: roll(2) == 0, isUnlocked: roll(2) == 0, mayUseCamera: true,
                    mayUseMicrophone: roll(4) > 0))
        case 29: return .server(call, .joined(freshCall()))
        case 30: return .holdPerformed(action(), phone.calls.last?.id ?? call, roll(2) == 0)
        case 0, 1:
            let push = PushID(Int(fresh()))
            let invited = roll(2) == 0 ? freshCall() : call
            let expiry = Instant(milliseconds: now.milliseconds + Int64(roll(60_000)) - 2000)
            let content: PushContent =
                roll(5) == 0 ? .undecodable : .invitation(Fixture.invitation(invited, expiresAt: expiry))
            return .pushArrived(push, content, mustReport: roll(3) > 0, spare: CallID(high: 3, low: fresh()))
        case 2: return .invited(Fixture.invitation(roll(2) == 0 ? freshCall() : call, expiresAt: now + .seconds(30)))
        case 3, 4:
            guard !reports.isEmpty else { return .tick }
            return .reportCompleted(reports.remove(at: roll(reports.count)), failure)
        case 5: return .startPerformed(action(), call)
        case 6, 7: return .answerPerformed(action(), call)
        case 8: return .endPerformed(action(), call)
        case 9: return .holdPerformed(action(), call, roll(2) == 0)
        case 10: return .mutePerformed(action(), call, roll(2) == 0)
        case 11:
            guard let action = openActions.sorted(by: { $0.low < $1.low }).first else { return .tick }
            return .actionTimedOut(action)
        case 12: return .requestCompleted(.start(call, Fixture.bob), failure)
        case 13: return .requestCompleted(roll(2) == 0 ? .end(call) : .setMuted(call, true), failure)
        case 14: return .audioActivated
        case 15: return .audioDeactivated
        case 16: return roll(20) == 0 ? .providerReset : .tick
        case 17: return .server(call, .answered)
        case 18: return .server(call, roll(3) == 0 ? .ended(.remoteEnded) : .inviteAccepted)
        case 19: return .server(call, .media(Fixture.signal("s")))
        case 20: return .media(call, roll(8) == 0 ? .failed(Fixture.broken) : .arrived)
        case 21:
            let commands: [PhoneMachine.Command] = [
                .start(roll(2) == 0 ? freshCall() : call, Fixture.bob), .answer(call), .end(call),
                .setHeld(call, roll(2) == 0), .setMuted(call, roll(2) == 0), .setCamera(call, roll(2) == 0),
                .setGroup(call, with: phone.calls.last?.id), .playTones(call, "12"), .switchCamera(call, .back),
            ]
            return .command(OperationID(Int(fresh())), commands[roll(commands.count)])
        case 22: return .server(call, .inviteRefused(Fixture.broken, .failed))
        default: return .tick
        }
    }

    mutating func take(steps: Int) {
        for _ in 0..<steps {
            now = now + .milliseconds(roll(20) == 0 ? roll(20_000) : roll(200))
            feed(event())
        }
    }

    /// Answers every report and lets all time pass: then nothing may be owed any more.
    mutating func settle() {
        while let call = reports.popLast() { feed(.reportCompleted(call, nil)) }
        for call in phone.calls where !call.snapshot.hasEnded { feed(.endPerformed(action(), call.id)) }
        for call in phone.calls { feed(.startPerformed(action(), call.id)) }
        while let deadline = phone.deadline {
            now = max(now, deadline)
            feed(.tick)
        }
        if !openActions.isEmpty { complaints.append("actions never completed: \(openActions)") }
        if !openPushes.isEmpty { complaints.append("pushes never completed: \(openPushes)") }
        if !openCommands.isEmpty { complaints.append("commands never finished: \(openCommands)") }
        if !phone.calls.isEmpty { complaints.append("calls left: \(phone.calls)") }
        let open = media.filter(\.value)
        if !open.isEmpty { complaints.append("media never stopped: \(open)") }
    }

    private mutating func feed(_ event: PhoneMachine.Event) {
        var mustReport = false
        switch event {
        case .pushArrived(let push, _, let must, _):
            openPushes.insert(push)
            mustReport = must
        case .command(let command, _, _): openCommands.insert(command)
        case .actionTimedOut(let action): openActions.remove(action)
        case .providerReset:
            openActions = []
            reports = []
        default: break
        }
        var endedHere: CallID?
        if case .endPerformed(_, let id) = event,
            phone.calls.contains(where: { $0.id == id && $0.standing != .untold })
        {
            endedHere = id
        }
        let effects = phone.handle(event, at: now)
        if mustReport {
            let reports = effects.count { if case .reportIncoming = $0 { true } else { false } }
            if reports != 1 { complaints.append("\(reports) reports for \(event)") }
        }
        for effect in effects { check(effect) }
        let speakers = phone.snapshots.filter { media[$0.id] == true && held[$0.id] != true }
        for speaker in speakers.dropFirst() where !speaker.groupedWith.contains(speakers[0].id) {
            complaints.append("two speak after \(event): \(speakers.map(\.id))")
        }
        if let endedHere { taken.insert(endedHere) }
        history += effects
    }

    private mutating func check(_ effect: PhoneEffect) {
        switch effect {
        case .reportIncoming(let call, _):
            reports.append(call)
            if !reported.insert(call).inserted { complaints.append("reported twice: \(call)") }
        case .reportEnded(let call, _, _):
            if !ended.insert(call).inserted { complaints.append("end reported twice: \(call)") }
            if taken.contains(call) { complaints.append("end reported after an end action: \(call)") }
        case .fulfil(let action), .fail(let action):
            if openActions.remove(action) == nil { complaints.append("completed twice or never given: \(action)") }
        case .completePush(let push):
            if openPushes.remove(push) == nil { complaints.append("push completed twice: \(push)") }
        case .finish(let result):
            if openCommands.remove(result.id) == nil { complaints.append("finished twice: \(result)") }
        case .startMedia(let call, _):
            if media[call] != nil { complaints.append("media started twice: \(call)") }
            media[call] = true
        case .stopMedia(let call):
            if media[call] != true { complaints.append("media stopped without a start: \(call)") }
            media[call] = false
        case .setAudioOpen(let call, let open):
            if open && !phone.window.isOpen { complaints.append("audio outside the window: \(call)") }
            if media[call] != true { complaints.append("audio without a session: \(call)") }
        case .setMediaHeld(let call, let isHeld):
            if media[call] != true { complaints.append("\(effect) without a session") }
            held[call] = isHeld
        case .setMediaMuted(let call, _), .deliverSignal(let call, _),
            .playTones(let call, _),
            .setCamera(let call, _), .setTranslation(let call, _):
            if media[call] != true { complaints.append("\(effect) without a session") }
        case .publish(let call):
            if call.hasEnded, !publishedEnds.insert(call.id).inserted { complaints.append("ended twice: \(call.id)") }
        case .save(let point):
            feed(.saved(point, roll(20) == 0 ? Fixture.broken : nil))
        case .request, .configureAudio, .connectSignaling, .send, .tell, .reportStartedConnecting, .reportConnected,
            .reportUpdated, .selectRoute, .donate, .publishRoutes:
            break
        }
    }
}
