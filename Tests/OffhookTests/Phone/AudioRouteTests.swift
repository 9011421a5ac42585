// SPDX-License-Identifier: MIT

import AVFAudio
import Foundation
import OffhookCore
import Testing
import VirtualPhone

@testable import Offhook

/// The ways for the sound, and what happens to the audio session.
@Suite(.timeLimit(.minutes(2))) struct AudioRouteTests {
    private let microphone = SoundPort(type: .builtInMic, name: "iPhone Microphone", uid: "mic")
    private let receiver = SoundPort(type: .builtInReceiver, name: "Receiver", uid: "r")
    private let speaker = SoundPort(type: .builtInSpeaker, name: "Speaker", uid: "s")
    private let headset = SoundPort(type: .bluetoothHFP, name: "Buds", uid: "buds")

    @Test("R51: receiver and speaker on a phone, the speaker alone elsewhere") func builtIn() {
        let phone = AudioRoutes(
            inputs: [microphone], currentInput: microphone, currentOutput: receiver, hasReceiver: true)
        #expect(phone.available.map(\.id) == ["receiver", "speaker"])
        #expect(phone.current == "receiver")
        let tablet = AudioRoutes(
            inputs: [microphone], currentInput: microphone, currentOutput: speaker, hasReceiver: false)
        #expect(tablet.available.map(\.kind) == [.speaker])
        #expect(tablet.current == "speaker")
    }

    @Test("R51: no receiver while something is plugged in; headphones without a microphone are a way too")
    func wired() {
        let plug = SoundPort(type: .headsetMic, name: "Headset", uid: "plug")
        let ears = SoundPort(type: .headphones, name: "Headphones", uid: "ears")
        let headset = AudioRoutes(
            inputs: [microphone, plug], currentInput: plug, currentOutput: ears, hasReceiver: true)
        #expect(headset.available.map(\.id) == ["speaker", "plug"])
        #expect(headset.current == "plug")
        let headphones = AudioRoutes(
            inputs: [microphone], currentInput: microphone, currentOutput: ears, hasReceiver: true)
        #expect(headphones.available.map(\.id) == ["speaker", "ears"])
        #expect(headphones.current == "ears")
    }

    @Test("R51: each headset by its name; the current one may be unknown") func headsets() {
        let car = SoundPort(type: .carAudio, name: "Car", uid: "car")
        let routes = AudioRoutes(
            inputs: [microphone, headset, car], currentInput: headset, currentOutput: headset, hasReceiver: true)
        #expect(routes.available.map(\.kind) == [.receiver, .speaker, .bluetooth, .car])
        #expect(routes.available.map(\.name) == ["Receiver", "Speaker", "Buds", "Car"])
        #expect(routes.current == "buds")
        #expect(
            AudioRoutes(inputs: [], currentInput: nil, currentOutput: nil, hasReceiver: true).current == nil)
    }

    private func routes(_ bench: SystemBench) -> AudioRoutes? {
        var last: AudioRoutes?
        for case .routesChanged(let routes) in bench.events { last = routes }
        return last
    }

    /// A call whose audio is configured, as the rules order it when the call is answered.
    private func talk(_ bench: SystemBench) async throws {
        await bench.open()
        try bench.app?.use { try $0.configureAudio() }
        try await bench.talk()
        await bench.hear(.audioActivated)
    }

    @Test("R51, R52, P34, P35: each way is taken, and the category stays") func select() async throws {
        let bench = SystemBench()
        defer { bench.close() }
        try await talk(bench)
        await bench.until("the routes are told") { routes(bench)?.current == "receiver" }
        bench.phone.connect(.bluetoothHFP(name: "Buds"))
        await bench.until("the headset has the sound") {
            routes(bench)?.available.map(\.kind) == [.receiver, .speaker, .bluetooth]
                && routes(bench)?.current == routes(bench)?.available.last?.id
        }
        let headset = try #require(routes(bench)?.available.last?.id)
        for id in ["speaker", headset, "receiver", "speaker", "receiver", headset] {
            try bench.app?.use { try $0.selectRoute(id) }
            await bench.until("\(id)") { routes(bench)?.current == id }
            let session = bench.phone.audioSession(of: SystemBench.bundle)
            #expect(session?.category == "AVAudioSessionCategoryPlayAndRecord")
            #expect(session?.mode == "AVAudioSessionModeVoiceChat")
            #expect(session?.options == 4)  // V2: Bluetooth, which the mode brings with it
        }
        #expect(throws: OffhookError.self) { try bench.app?.use { try $0.selectRoute("nothing") } }
        try bench.app?.use { try $0.selectRoute("receiver") }
        bench.phone.connect(.wiredHeadphones())
        await bench.until("headphones take the receiver's place") {
            routes(bench)?.available.contains { $0.id == "receiver" } == false
        }
        bench.expectClean()
    }

    @Test("R53, V7: an interruption begins and ends") func interruption() async throws {
        let bench = SystemBench()
        defer { bench.close() }
        try await talk(bench)
        try bench.phone.interruptAudio(by: .higherPriority)
        await bench.hear(.audioInterrupted(true))
        try bench.phone.endAudioInterruption()
        await bench.hear(.audioInterrupted(false))
    }

    @Test("R53: a reset of the media services is told, and the session takes its category again")
    func mediaServices() async throws {
        let bench = SystemBench()
        defer { bench.close() }
        try await talk(bench)
        bench.phone.faults.resetMediaServices()
        await bench.hear(.mediaServicesReset)
        #expect(bench.phone.audioSession(of: SystemBench.bundle)?.category != "AVAudioSessionCategoryPlayAndRecord")
        try bench.app?.use { try $0.configureAudio() }
        #expect(bench.phone.audioSession(of: SystemBench.bundle)?.category == "AVAudioSessionCategoryPlayAndRecord")
    }

    @Test("R71, R74, S1: with CallKit the session is never activated by the app") func neverActivates() async throws {
        let bench = SystemBench()
        defer { bench.close() }
        try await talk(bench)
        _ = bench.phone.cellular.incoming(from: "+12025550123")
        await bench.settle()
        try bench.phone.user.hangUp()
        await bench.hear(.audioDeactivated)
        bench.expectClean()
    }
}
