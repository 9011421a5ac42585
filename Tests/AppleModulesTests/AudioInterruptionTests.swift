// SPDX-License-Identifier: MIT

import AVFAudio
import Foundation
import Testing
import VirtualPhone

/// Who takes the sound from whom, and what the apps hear of it.
@Suite(.timeLimit(.minutes(1)))
struct AudioInterruptionTests {
    @Test("V7: an alarm interrupts an active session, and its end says whether to resume", arguments: [true, false])
    func alarm(_ resumes: Bool) async throws {
        let bench = AudioBench()
        defer { bench.close() }
        let session = try await bench.session()
        let heard = Heard(session)
        try session.setCategory(.playback)
        try session.setActive(true)
        try bench.phone.interruptAudio(by: .alarm)
        await bench.phone.settle()
        #expect(heard.take() == ["began 0 main"])
        #expect(bench.phone.audioSession(of: AudioBench.bundle)?.isActive == false)
        #expect(audioError { try session.setActive(true) } == 560_557_684)
        #expect(throws: PhoneUserError.self) { try bench.phone.interruptAudio(by: .siri) }
        try bench.phone.endAudioInterruption(shouldResume: resumes)
        await bench.phone.settle()
        #expect(heard.take() == [resumes ? "ended resume main" : "ended stay main"])
        try session.setActive(true)
        #expect(throws: PhoneUserError.self) { try bench.phone.endAudioInterruption() }
        await bench.phone.settle()
        #expect(heard.take() == [])
    }

    @Test("V7: a session that is not active is not interrupted; Siri refuses to share the microphone")
    func siri() async throws {
        let bench = AudioBench()
        defer { bench.close() }
        let session = try await bench.session()
        try session.setCategory(.record)
        await bench.phone.settle()
        let heard = Heard(session)
        try bench.phone.interruptAudio(by: .siri)
        #expect(audioError { try session.setActive(true) } == 1_936_290_409)
        try bench.phone.endAudioInterruption()
        await bench.phone.settle()
        #expect(heard.take() == [])
        try session.setActive(true)
    }

    @Test("V7: from iOS 27 on activity and recommendations are told with their contexts, on the main queue")
    func contexts() async throws {
        let bench = AudioBench(system: SystemVersion(27))
        defer { bench.close() }
        let session = try await bench.session()
        let heard = Heard(session)
        try session.setCategory(.playback)
        try session.setActive(true)
        try bench.phone.interruptAudio(by: .higherPriority)
        try bench.phone.endAudioInterruption(shouldResume: true)
        #expect(try await session.activate())
        #expect(try await session.deactivate())
        await bench.phone.settle()
        #expect(
            heard.take() == [
                "active main", "began 0 main", "inactive system by default main", "ended resume main",
                "recommends shouldResume main", "active main", "inactive app main",
            ])
    }

    @Test("V7: a muted built-in microphone interrupts sessions with input, unless the option says no")
    func mutedMicrophone() async throws {
        let bench = AudioBench()
        defer { bench.close() }
        let session = try await bench.session()
        try session.setCategory(.playAndRecord, options: .overrideMutedMicrophoneInterruption)
        try session.setActive(true)
        await bench.phone.settle()
        let heard = Heard(session)
        try bench.phone.interruptAudio(by: .microphoneMute)
        try bench.phone.endAudioInterruption()
        await bench.phone.settle()
        #expect(heard.take() == [])
        try session.setCategory(.playAndRecord)
        try bench.phone.interruptAudio(by: .microphoneMute)
        try bench.phone.endAudioInterruption()
        await bench.phone.settle()
        #expect(heard.take() == ["began 2 main", "ended resume main"])
    }

    @Test("V7, V5: a session that does not mix interrupts another one; notifyOthersOnDeactivation resumes it")
    func otherApp() async throws {
        let bench = AudioBench(bundles: ["music.app", "game.app", "video.app"])
        defer { bench.close() }
        let (music, game) = (try await bench.session("music.app"), try await bench.session("game.app"))
        let video = try await bench.session("video.app")
        let (heardMusic, heardGame) = (Heard(music), Heard(game))
        try music.setCategory(.playback)
        try game.setCategory(.ambient)
        try video.setCategory(.playback)
        try music.setActive(true)
        try game.setActive(true)
        await bench.phone.settle()
        #expect(heardMusic.take() == [] && heardGame.take() == [])
        try video.setActive(true)
        await bench.phone.settle()
        #expect(heardMusic.take() == ["began 0 main"] && heardGame.take() == [])
        try video.setActive(false, options: .notifyOthersOnDeactivation)
        await bench.phone.settle()
        #expect(heardMusic.take() == ["ended resume main"])
        try music.setActive(true)
        try video.setActive(true)
        try video.setActive(false)
        await bench.phone.settle()
        #expect(heardMusic.take() == ["began 0 main"])
        try music.setActive(true)
        try video.setCategory(.playback, options: .mixWithOthers)
        try video.setActive(true)
        await bench.phone.settle()
        #expect(heardMusic.take() == [])
    }

    @Test("V7: playing stops when its device goes, from iOS 17 on, unless the app does not want that")
    func routeDisconnected() async throws {
        let bench = AudioBench()
        defer { bench.close() }
        bench.phone.connect(.wiredHeadphones())
        let session = try await bench.session()
        try session.setCategory(.playback)
        try session.setActive(true)
        let heard = Heard(session)
        try bench.phone.disconnect(.wiredHeadphones())
        await bench.phone.settle()
        #expect(Set(heard.take()) == ["route oldDeviceUnavailable from Headphones", "began 4 main"])
        bench.phone.connect(.wiredHeadphones())
        try session.setActive(true)
        try session.setPrefersInterruptionOnRouteDisconnect(false)
        await bench.phone.settle()
        _ = heard.take()
        try bench.phone.disconnect(.wiredHeadphones())
        await bench.phone.settle()
        #expect(heard.take() == ["route oldDeviceUnavailable from Headphones"])
    }

    @Test("R53, V7: a reset of the media services is told, and the session has its defaults")
    func mediaReset() async throws {
        let bench = AudioBench()
        defer { bench.close() }
        let process = try await bench.open()
        let session = process.run { AVAudioSession.sharedInstance() }
        let sound = process.run { SoundIO() }
        try session.setCategory(.playAndRecord, mode: .videoChat, options: .allowBluetoothA2DP)
        try session.setPreferredSampleRate(16_000)
        try session.setPrefersNoInterruptionsFromSystemAlerts(true)
        try session.setActive(true)
        try sound.start()
        await bench.phone.settle()
        let heard = Heard(session)
        bench.phone.faults.resetMediaServices()
        await bench.phone.settle()
        #expect(heard.take().filter { $0.hasSuffix("main") } == ["lost main", "reset main"])
        #expect(session.category == .soloAmbient && session.mode == .default && session.categoryOptions == [])
        #expect(session.preferredSampleRate == 0 && !session.prefersNoInterruptionsFromSystemAlerts)
        let state = try #require(bench.phone.audioSession(of: AudioBench.bundle))
        #expect(!state.isActive && !state.isRunning)
        #expect(throws: SoundIO.Refused.self) { try sound.start() }
        try session.setCategory(.playAndRecord, mode: .voiceChat)
        try session.setActive(true)
        try sound.start()
    }

    @Test("V6: another app's running audio can be seen")
    func otherAudio() async throws {
        let bench = AudioBench(bundles: ["music.app", "game.app"])
        defer { bench.close() }
        let process = try await bench.open("music.app")
        let music = process.run { AVAudioSession.sharedInstance() }
        let sound = process.run { SoundIO() }
        let game = try await bench.session("game.app")
        try music.setCategory(.playback)
        try music.setActive(true)
        #expect(!game.isOtherAudioPlaying && !game.secondaryAudioShouldBeSilencedHint)
        try sound.start(usesInput: false)
        #expect(game.isOtherAudioPlaying && game.secondaryAudioShouldBeSilencedHint && !music.isOtherAudioPlaying)
        sound.stop()
        #expect(!game.isOtherAudioPlaying)
    }
}
