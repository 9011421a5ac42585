// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// Where a call sounds.
@Suite(.timeLimit(.minutes(1)))
struct CallRouteTests {
    private let headset = AudioDevice.bluetoothHFP(name: "Headset")

    /// A ringing phone with a Bluetooth headset.
    private func ring() async throws -> (PhoneBench, RawSession) {
        let bench = PhoneBench()
        bench.phone.connect(headset)
        try await bench.ring()
        let session = RawSession(try #require(bench.probe.app).process)
        session.setCategory("PlayAndRecord", mode: "VoiceChat")
        return (bench, session)
    }

    @Test("P34, S1: a call answered on the phone stays on the phone; the sound button moves it to the headset")
    func answeredOnPhone() async throws {
        let (bench, session) = try await ring()
        defer { bench.close() }
        #expect(session.value.outputPort == "BluetoothHFP")
        try bench.phone.user.answer()
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.phone.snapshot.isCallAudioActive)
        #expect(session.value.outputPort == "Receiver" && session.value.inputPort == "MicrophoneBuiltIn")
        #expect(bench.phone.screen.audioRoutes == [.receiver, .speaker, .device(headset)])
        _ = session.take()
        try bench.phone.user.chooseRoute(.device(headset))
        await bench.phone.settle()
        #expect(session.value.outputPort == "BluetoothHFP" && session.value.inputPort == "BluetoothHFP")
        guard case .routeChanged(let reason, let previous) = session.take().first else {
            Issue.record("no route change was told")
            return
        }
        #expect(reason == 4 && previous.outputs.map(\.type) == ["Receiver"])
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("P34: a call answered on the headset goes to the headset; when that goes, to the phone")
    func answeredOnHeadset() async throws {
        let (bench, session) = try await ring()
        defer { bench.close() }
        let nobody = AudioDevice.wiredHeadset()
        #expect(throws: PhoneUserError.self) { try bench.phone.user.answer(on: nobody) }
        try bench.phone.user.answer(on: headset)
        await bench.phone.advance(by: .seconds(1))
        #expect(session.value.outputPort == "BluetoothHFP")
        #expect(throws: PhoneUserError.self) { try bench.phone.user.answer(on: headset) }
        try bench.phone.disconnect(headset)
        #expect(session.value.outputPort == "Receiver")
        bench.phone.connect(headset)
        #expect(session.value.outputPort == "BluetoothHFP")
    }

    @Test("P34: a wire goes before the answering device, and the setting lets the headset keep every call")
    func wire() async throws {
        let (bench, session) = try await ring()
        defer { bench.close() }
        bench.phone.connect(.wiredHeadset())
        try bench.phone.user.answer()
        await bench.phone.advance(by: .seconds(1))
        #expect(session.value.outputPort == "Headphones" && session.value.inputPort == "MicrophoneWired")
        #expect(!bench.phone.screen.audioRoutes.contains(.receiver))
        let (other, session2) = try await ring()
        defer { other.close() }
        other.phone.change { $0.callFollowsAnsweringDevice = false }
        try other.phone.user.answer()
        await other.phone.advance(by: .seconds(1))
        #expect(session2.value.outputPort == "BluetoothHFP")
    }

    @Test("P35: the mode decides: videoChat is on the speaker, and its earpiece cannot be chosen")
    func videoChat() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let session = RawSession(try #require(bench.probe.app).process)
        #expect(bench.phone.screen.audioRoutes == [])
        session.setCategory("PlayAndRecord", mode: "VideoChat")
        #expect(session.value.outputPort == "Speaker")
        #expect(bench.phone.screen.audioRoutes == [.speaker])
        #expect(throws: PhoneUserError.notOffered("this audio route")) {
            try bench.phone.user.chooseRoute(.receiver)
        }
        session.setCategory("PlayAndRecord", mode: "VoiceChat")
        #expect(session.value.outputPort == "Receiver")
        session.setCategory("PlayAndRecord", mode: "VoiceChat", options: 0x8)
        #expect(session.value.outputPort == "Speaker" && bench.phone.screen.audioRoutes == [.speaker])
    }

    @Test("V3, R51, R52: speaker and back by the sound button leave the category; the next call starts afresh")
    func soundButton() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let session = RawSession(try #require(bench.probe.app).process)
        session.setCategory("PlayAndRecord", mode: "VoiceChat")
        try bench.phone.user.chooseRoute(.speaker)
        #expect(session.value.outputPort == "Speaker" && session.value.category.hasSuffix("PlayAndRecord"))
        try bench.phone.user.chooseRoute(.receiver)
        #expect(session.value.outputPort == "Receiver")
        try bench.phone.user.chooseRoute(.speaker)
        try bench.phone.user.hangUp()
        await bench.phone.settle()
        #expect(bench.phone.screen.audioRoutes == [] && session.value.outputPort == "Receiver")
        #expect(throws: PhoneUserError.self) { try bench.phone.user.chooseRoute(.speaker) }
        #expect(session.process.send(.overrideOutputPort(port: 7)) != .done)
    }
}
