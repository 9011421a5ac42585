// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookNet
import OffhookTesting
import Testing
import VirtualPhone

/// The sequences of ``AudioPains`` and ``RoutePains``, with Offhook's engine.
@Suite(.timeLimit(.minutes(1))) struct EngineAudioPains {
    @Test("P28, P29, DTS4: Offhook configures with the answer, and opens its media when the phone has activated")
    func mediaInTheWindow() async throws {
        var settings = PhoneSettings()
        settings.audioActivationDelay = .seconds(2)
        let world = try await EngineLab(settings)
        defer { world.lab.shutDown() }
        let call = try await world.talk()
        #expect(world.bob.phone.screen.isLocked && world.shown?.status == .timer)
        #expect(world.bob.media.entries(call).first == .made(.answerer))
        #expect(world.switches(call) == [] && !world.bob.phone.snapshot.isCallAudioActive)
        await world.lab.advance(by: .seconds(2))
        #expect(world.switches(call) == [true] && world.bob.phone.snapshot.isCallAudioActive)
        #expect(world.bob.calls?.currentCalls.map(\.state) == [.active])
        #expect(world.count("set the audio category") == 1 && world.count("activated its audio session") == 0)
        world.expectClean()
    }

    @Test("P30, P31: a second caller is busy, and the first call keeps its sound", arguments: [true, false])
    func secondCaller(_ isPushed: Bool) async throws {
        var settings = PhoneSettings()
        settings.refusesReportAboveMaximumGroups = true
        let world = try await EngineLab(settings)
        defer { world.lab.shutDown() }
        let carol = try await world.lab.join("carol")
        let call = try await world.talk()
        let before = world.bob.media.entries(call)
        if isPushed {
            world.bob.phone.push(
                to: world.bob.bundle, .offhook(caller: "Carol", handle: "carol", at: world.lab.now))
        } else {
            await carol.call("bob")
        }
        await world.lab.advance(by: .seconds(10))
        #expect(world.bob.media.entries(call) == before && world.switches(call) == [true])
        #expect(world.bob.phone.snapshot.isCallAudioActive && world.bob.phone.screen.incoming.isEmpty)
        #expect(world.bob.calls?.currentCalls.map(\.state) == [.active])
        #expect(world.lab.server.decisions.contains(.allBusy) == !isPushed)
        #expect(carol.phone.snapshot.calls.isEmpty)
        world.expectClean()
    }

    @Test("P32: call after call, each has its window") func callAfterCall() async throws {
        let world = try await EngineLab()
        defer { world.lab.shutDown() }
        for round in 1...3 {
            let call = try await world.talk()
            #expect(world.switches(call) == [true] && world.bob.phone.snapshot.isCallAudioActive)
            try world.bob.phone.user.hangUp()
            await world.lab.advance(by: .seconds(5))
            #expect(world.count("activated the audio session") == round)
            #expect(world.count("deactivated the audio session") == round)
        }
        world.expectClean()
    }

    @Test("P33, DTS5: a cellular call between is ended by its remote side: held, until the user takes it off hold")
    func endedFromAfar() async throws {
        let world = try await EngineLab()
        defer { world.lab.shutDown() }
        let call = try await world.talk()
        world.bob.phone.cellular.incoming(from: "+14155550100")
        try world.bob.phone.user.choose(.holdAndAccept)
        await world.lab.advance(by: .seconds(5))
        #expect(world.bob.calls?.currentCalls.map(\.state) == [.held] && world.switches(call) == [true, false])
        try world.bob.phone.cellular.endRemotely()
        await world.lab.advance(by: .seconds(30))
        #expect(world.bob.calls?.currentCalls.map(\.state) == [.held] && world.shown?.status == .onHold)
        try world.bob.phone.user.setHeld(false)
        await world.lab.advance(by: .seconds(1))
        #expect(world.bob.calls?.currentCalls.map(\.state) == [.active])
        #expect(world.switches(call) == [true, false, true] && world.bob.phone.snapshot.isCallAudioActive)
        world.expectClean()
    }

    @Test("P33, DTS5: the app takes the call off hold, no session comes: held, told so, and the screen brings it back")
    func takenOffHoldByTheApp() async throws {
        let world = try await EngineLab()
        defer { world.lab.shutDown() }
        let call = try await world.talk()
        world.bob.phone.cellular.incoming(from: "+14155550100")
        try world.bob.phone.user.choose(.holdAndAccept)
        await world.lab.advance(by: .seconds(5))
        try world.bob.phone.cellular.endRemotely()
        await world.lab.advance(by: .seconds(5))
        let result = Guarded<OperationResult?>(nil)
        let calls = try #require(world.bob.calls)
        Task {
            let done = await calls.setHeld(false, for: call, within: .seconds(10))
            result.withLock { $0 = done }
        }
        while calls.currentCalls.first?.isResuming != true { await world.lab.settle() }
        #expect(calls.currentCalls.map(\.state) == [.held])
        await world.lab.advance(by: .seconds(15))
        #expect(result.withLock { $0?.status } != .applied)
        #expect(calls.currentCalls.map(\.state) == [.held] && world.shown?.status == .onHold)
        #expect(world.switches(call) == [true, false])
        try world.bob.phone.user.setHeld(false)
        await world.lab.advance(by: .seconds(1))
        #expect(calls.currentCalls.map(\.state) == [.active])
        #expect(world.switches(call) == [true, false, true] && world.bob.phone.snapshot.isCallAudioActive)
        world.expectClean()
    }

    @Test("P34, P35: a voice call goes to the headset it is answered on, else to the earpiece; the user can choose")
    func routes() async throws {
        let headset = AudioDevice.bluetoothHFP(name: "Headset")
        let world = try await EngineLab()
        defer { world.lab.shutDown() }
        world.bob.phone.connect(headset)
        try await world.talk()
        #expect(world.output == "Receiver")
        #expect(world.bob.phone.screen.audioRoutes == [.receiver, .speaker, .device(headset)])
        try world.bob.phone.user.chooseRoute(.speaker)
        await world.lab.settle()
        #expect(world.output == "Speaker")
        try world.bob.phone.user.hangUp()
        await world.lab.advance(by: .seconds(5))
        try await world.ring()
        try world.bob.phone.user.answer(on: headset)
        await world.lab.advance(by: .seconds(1))
        #expect(world.output == "BluetoothHFP")
        world.expectClean()
    }
}
