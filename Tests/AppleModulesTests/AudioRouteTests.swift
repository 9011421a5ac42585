// SPDX-License-Identifier: MIT

import AVFAudio
import Foundation
import Testing
import VirtualPhone

/// Devices, routes and what observers hear of them.
@Suite(.timeLimit(.minutes(1)))
struct AudioRouteTests {
    private func outputs(_ session: AVAudioSession) -> [AVAudioSession.Port] {
        session.currentRoute.outputs.map(\.portType)
    }

    private func inputs(_ session: AVAudioSession) -> [AVAudioSession.Port] {
        session.currentRoute.inputs.map(\.portType)
    }

    @Test("V3: the receiver is the default, an override to the speaker lasts until the route changes or none")
    func override() async throws {
        let bench = AudioBench()
        defer { bench.close() }
        let session = try await bench.session()
        #expect(audioError { try session.overrideOutputAudioPort(.speaker) } == -50)
        try session.setCategory(.playAndRecord)
        #expect(outputs(session) == [.builtInReceiver] && inputs(session) == [.builtInMic])
        try session.overrideOutputAudioPort(.speaker)
        #expect(outputs(session) == [.builtInSpeaker])
        try session.overrideOutputAudioPort(.none)
        #expect(outputs(session) == [.builtInReceiver])
        try session.overrideOutputAudioPort(.speaker)
        bench.phone.connect(.wiredHeadset())
        #expect(outputs(session) == [.headphones] && inputs(session) == [.headsetMic])
        try bench.phone.disconnect(.wiredHeadset())
        #expect(outputs(session) == [.builtInReceiver])
        try session.overrideOutputAudioPort(.speaker)
        try session.setCategory(.playAndRecord)
        #expect(outputs(session) == [.builtInReceiver])
        try session.setCategory(.playAndRecord, options: .defaultToSpeaker)
        #expect(outputs(session) == [.builtInSpeaker])
    }

    @Test("V6: the available inputs depend on the category; a wished input takes the route with it")
    func availableInputs() async throws {
        let bench = AudioBench()
        defer { bench.close() }
        bench.phone.connect(.bluetoothHFP(name: "Headset"))
        let session = try await bench.session()
        try session.setCategory(.playback)
        #expect(session.availableInputs?.isEmpty == true && session.inputNumberOfChannels == 0)
        #expect(outputs(session) == [.builtInSpeaker])
        try session.setCategory(.playAndRecord)
        #expect(session.availableInputs?.map(\.portType) == [.builtInMic])
        try session.setCategory(.playAndRecord, mode: .voiceChat)
        #expect(session.availableInputs?.map(\.portType) == [.builtInMic, .bluetoothHFP])
        #expect(outputs(session) == [.bluetoothHFP] && inputs(session) == [.bluetoothHFP])
        try session.setPreferredInput(session.availableInputs?.first)
        #expect(session.preferredInput?.portType == .builtInMic)
        #expect(outputs(session) == [.builtInReceiver] && inputs(session) == [.builtInMic])
        try session.setPreferredInput(session.availableInputs?.last)
        #expect(outputs(session) == [.bluetoothHFP])
        let gone = session.preferredInput
        try bench.phone.disconnect(.bluetoothHFP(name: "Headset"))
        #expect(session.preferredInput == nil && inputs(session) == [.builtInMic])
        #expect(audioError { try session.setPreferredInput(gone) } == -50)
        try session.setPreferredInput(nil)
        try session.setCategory(.record)
        #expect(outputs(session) == [] && inputs(session) == [.builtInMic])
    }

    @Test("V4: hands-free devices need the option, music devices theirs in a call and none else")
    func bluetooth() async throws {
        let bench = AudioBench()
        defer { bench.close() }
        bench.phone.connect(.bluetoothHFP(name: "Earbuds"))
        bench.phone.connect(.bluetoothA2DP(name: "Earbuds"))
        let session = try await bench.session()
        #expect(outputs(session) == [.bluetoothA2DP])
        try session.setCategory(.playAndRecord)
        #expect(outputs(session) == [.builtInReceiver])
        try session.setCategory(.playAndRecord, options: .allowBluetoothA2DP)
        #expect(outputs(session) == [.bluetoothA2DP] && inputs(session) == [.builtInMic])
        try session.setCategory(.playAndRecord, options: [.allowBluetoothA2DP, .allowBluetoothHFP])
        #expect(outputs(session) == [.bluetoothHFP] && session.currentRoute.outputs.first?.portName == "Earbuds")
        bench.phone.connect(.carAudio(name: "Car"))
        #expect(outputs(session) == [.carAudio] && inputs(session) == [.carAudio])
    }

    @Test("V8: a changed route is announced with its reason and the route before, on a thread of the session's")
    func reasons() async throws {
        let bench = AudioBench()
        defer { bench.close() }
        let session = try await bench.session()
        let heard = Heard(session)
        func next() async -> [String] {
            await bench.phone.settle()
            return heard.take().filter { $0 != "inputs" }
        }
        try session.setCategory(.playAndRecord)
        #expect(await next() == ["route categoryChange from Speaker"])
        try session.setMode(.voiceChat)
        #expect(await next() == [])
        try session.overrideOutputAudioPort(.speaker)
        #expect(await next() == ["route override from Receiver"])
        bench.phone.connect(.bluetoothHFP(name: "Headset"))
        #expect(await next() == ["route newDeviceAvailable from Speaker"])
        try bench.phone.disconnect(.bluetoothHFP(name: "Headset"))
        #expect(await next() == ["route oldDeviceUnavailable from BluetoothHFP"])
        #expect(throws: PhoneUserError.self) { try bench.phone.disconnect(.wiredHeadset()) }
        #expect(await next() == [])
    }

    @Test("V8, V6: inputs that come and go are announced from iOS 26 on", arguments: [18, 26])
    func inputsChange(_ major: Int) async throws {
        let bench = AudioBench(system: SystemVersion(major))
        defer { bench.close() }
        let session = try await bench.session()
        try session.setCategory(.playAndRecord)
        await bench.phone.settle()
        let heard = Heard(session)
        bench.phone.connect(.wiredHeadset())
        await bench.phone.settle()
        #expect(heard.take().contains("inputs") == (major >= 26))
    }

    @Test("V8: with several phones in a process an observer of its own session hears of its own alone")
    func severalPhones() async throws {
        let (one, two) = (AudioBench(), AudioBench())
        defer {
            one.close()
            two.close()
        }
        let (first, second) = (try await one.session(), try await two.session())
        let (ofFirst, ofSecond) = (Heard(first), Heard(second))
        let anybody = Locked<[Bool]>([])
        let token = NotificationCenter.default.addObserver(
            forName: AVAudioSession.routeChangeNotification, object: nil, queue: nil
        ) { note in
            guard let session = note.object as? AVAudioSession, session === first || session === second else { return }
            // Who observes everybody can still tell whose it is.
            anybody.withLock { $0.append(AVAudioSession.sharedInstance() === session) }
        }
        try first.setCategory(.playAndRecord)
        await one.phone.settle()
        #expect(ofFirst.take().contains("route categoryChange from Speaker"))
        #expect(ofSecond.take().isEmpty)
        #expect(anybody.withLock { $0 } == [true])
        NotificationCenter.default.removeObserver(token)
    }
}
