// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// Random walks over the phone's sound: apps ask anything, devices and interruptions come and go, calls come between.
@Suite(.timeLimit(.minutes(2)))
struct AudioWalkTests {
    @Test("V7, V8, S4: whatever is asked, no crash; interruptions in pairs, and routes that can be", arguments: 1...40)
    func walk(_ seed: UInt64) {
        var walk = AudioWalk(seed: seed)
        for _ in 0..<1000 { walk.step() }
        #expect(walk.complaints == [], "seed \(seed)")
        #expect(walk.interruptions > 0 && walk.routeChanges > 0, "seed \(seed)")
    }
}

/// One walk: a machine, two apps that do nothing but use sound, and calls of the network.
struct AudioWalk {
    private var random: WalkGenerator
    private var core: PhoneCore
    private var now = Date(timeIntervalSinceReferenceDate: 0)
    private var processes: [String: UUID] = [:]
    private var endpoints: [UUID: UUID] = [:]
    private var interrupted: Set<UUID> = []
    private var call = UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 9))
    private(set) var interruptions = 0
    private(set) var routeChanges = 0
    private(set) var complaints: [String] = []
    private let bundles = ["a", "b"]
    private let devices: [AudioDevice] = [
        .wiredHeadset(), .wiredHeadphones(), .bluetoothHFP(name: "h"), .bluetoothA2DP(name: "h"), .carAudio(),
        .bluetoothHFP(name: "q", recordsInHighQuality: true, hearsFarField: true),
    ]
    private let categories = ["Ambient", "SoloAmbient", "Playback", "Record", "PlayAndRecord", "MultiRoute", "?"]
    private let modes = ["Default", "VoiceChat", "VideoChat", "MoviePlayback", "Measurement", "?"]

    init(seed: UInt64) {
        random = WalkGenerator(state: seed)
        var settings = PhoneSettings()
        settings.microphonePermissionAtFirst = .undetermined
        core = PhoneCore(system: SystemVersion(27), settings: settings, locked: false, seed: seed, now: now)
        for bundle in bundles {
            send(
                .installed(
                    InstalledApp(
                        bundleIdentifier: bundle, displayName: bundle, backgroundModes: [],
                        apsEnvironment: .development)))
        }
    }

    mutating func step() {
        let bundle = bundles[Int.random(in: 0...1, using: &random)]
        guard let process = processes[bundle] else {
            send(.opened(bundle))
            return
        }
        switch Int.random(in: 0..<22, using: &random) {
        case 0: send(.audio(.connected(pick(devices))))
        case 1: send(.audio(.disconnected(pick(devices))))
        case 2: send(.audio(.interruptionBegan(by: pick([.alarm, .siri, .microphoneMute, .higherPriority]))))
        case 3: send(.audio(.interruptionEnded(shouldResume: chance(2))))
        case 4: send(.audio(.routeChosen(pick([.receiver, .speaker, .device(pick(devices))]))))
        case 5: send(.audio(.microphonePromptAnswered(chance(2))))
        case 6: if chance(20) { send(.audio(.microphoneSwitched(bundle: bundle, allowed: chance(2)))) }
        case 7: if chance(10) { send(.fault(.mediaServicesReset)) }
        case 8: send(.otherCall(.incoming(call: call, kind: .cellular, handle: nil)))
        case 9: send(.user(.choose(pick([.answer, .decline]), call: nil)))
        case 10: send(.otherCall(.endedRemotely(call: call)))
        case 11: send(chance(2) ? .locked : .unlocked)
        case 12: if chance(15) { send(.closed(bundle)) }
        default: ask(process)
        }
        check()
    }

    private mutating func ask(_ process: UUID) {
        let number = pick([0, -1, 16_000, .nan, .infinity, 0.01, Double.greatestFiniteMagnitude])
        let request: AppRequest
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1:
            request = .setAudioCategory(
                category: "AVAudioSessionCategory" + pick(categories), mode: "AVAudioSessionMode" + pick(modes),
                options: UInt.random(in: 0...0xFF, using: &random) & pick([0, 0x3F, 0xFF, 1, 4, 0x24]))
        case 2, 3: request = .setAudioActive(active: !chance(4), options: pick([0, 1]))
        case 4: request = .overrideOutputPort(port: pick([0, 0x7370_6b72, 7]))
        case 5: request = .audioSession(.setRunning(io: process, running: chance(2), usesInput: chance(2)))
        case 6: request = .audioSession(.prefer(pick([.sampleRate(number), .bufferDuration(number)])))
        case 7:
            let uid = pick(["Built-In Microphone", devices[2].uid, devices[0].uid + "-mic", "?"])
            request = .audioSession(.prefer(pick([.input(uid: uid), .input(uid: nil), .inputChannels(Int.min)])))
        case 8: request = .audioSession(.setInputMuted(chance(2)))
        default: request = .audioSession(.requestRecordPermission(request: process))
        }
        let reply = send(.request(request, process: process))
        if case .setAudioActive(true, _) = request, reply == .done { interrupted.remove(process) }
    }

    /// What always holds.
    private mutating func check() {
        for process in processes.values {
            guard
                case .audioSession(let session)? = core.handle(.request(.readAudioSession, process: process), at: now)
                    .reply
            else {
                complaints.append("no session for a living process")
                continue
            }
            let records = ["Record", "PlayAndRecord", "MultiRoute"].contains { session.category.hasSuffix("y" + $0) }
            if session.route.inputs.count != (records ? 1 : 0) { complaints.append("inputs of \(session.category)") }
            let isSilent = session.category.hasSuffix("yRecord")
            if session.route.outputs.count != (isSilent ? 0 : 1) { complaints.append("outputs of \(session.category)") }
            if session.isRunning, !session.isActive { complaints.append("audio runs in an inactive session") }
            if !session.sampleRate.isFinite || session.sampleRate < 8_000 { complaints.append("a rate that is none") }
            if session.isActive, interrupted.contains(process) { complaints.append("active while interrupted") }
            for port in session.route.inputs where !session.availableInputs.contains(port) {
                complaints.append("an input that is not available: \(port.uid)")
            }
        }
    }

    @discardableResult
    private mutating func send(_ input: PhoneInput) -> AppReply? {
        let outcome = core.handle(input, at: now)
        for effect in outcome.effects {
            switch effect {
            case .launch(let process, let bundle, _):
                processes[bundle] = process
                let endpoint = random.uuid()
                endpoints[endpoint] = process
                send(.request(.audioSession(.attach(session: endpoint, main: endpoint)), process: process))
                send(.launchFinished(process: process))
            case .terminate(let process):
                processes = processes.filter { $0.value != process }
                interrupted.remove(process)
            case .deliver(_, let process, .audioSession(_, let event)): heard(event, process)
            default: break
            }
        }
        return outcome.reply
    }

    private mutating func heard(_ event: AudioSessionEvent, _ process: UUID) {
        switch event {
        case .interruptionBegan:
            interruptions += 1
            if !interrupted.insert(process).inserted { complaints.append("began twice") }
        case .interruptionEnded:
            if interrupted.remove(process) == nil { complaints.append("ended without a beginning") }
        case .mediaServicesWereReset: interrupted.remove(process)
        case .routeChanged: routeChanges += 1
        default: break
        }
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    private mutating func chance(_ count: Int) -> Bool {
        Int.random(in: 0..<count, using: &random) == 0
    }
}
