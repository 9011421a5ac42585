// SPDX-License-Identifier: MIT

import AVFAudio
import CallKit
import Foundation
import PushKit
import Testing
import VirtualPhone

/// Queues of every kind, and threads that all come at once.
@Suite(.timeLimit(.minutes(2)))
struct QueueAbuseTests {
    @Test("P1: a global, a concurrent and a shared queue serve as delegate queues, and so does one with a target")
    func queues() async {
        let shared = DispatchQueue(label: "shared")
        let kinds: [@Sendable () -> DispatchQueue] = [
            { .global() }, { .global(qos: .userInitiated) }, { .main },
            { DispatchQueue(label: "concurrent", attributes: .concurrent) }, { shared },
            { DispatchQueue(label: "targeted", target: .global(qos: .background)) },
        ]
        for (index, kind) in kinds.enumerated() {
            let script = AbusedApp.Script { _, _ in }
            let phone = AbusedApp.phone(script: script, queue: kind)
            await AbusedApp.tour(phone, script)
            #expect(script.count(.answer) > 0 && script.count(.activate) > 0, "queue \(index)")
            phone.shutDown()
            script.newest.withLock { $0 = nil }
        }
    }

    @Test("T5: a queue that outlives its process serves the next process of the app")
    func queueOfTwoProcesses() async {
        let queue = DispatchQueue(label: "static")
        let script = AbusedApp.Script { _, _ in }
        let phone = AbusedApp.phone(script: script, queue: { queue })
        await AbusedApp.tour(phone, script)
        try? phone.user.close(AbusedApp.bundle)
        phone.open(AbusedApp.bundle)
        await phone.settle()
        let process = queue.sync { AppProcess.current }
        #expect(process === script.newest.withLock { $0?.process })
        #expect(process?.isRunning == true)
        phone.shutDown()
        script.newest.withLock { $0 = nil }
    }

    @Test("What a process attaches after its end is not kept, and the shared queues name no process")
    func nothingIsKept() async {
        final class Marker: Sendable {}
        let phone = AbusedApp.phone(script: AbusedApp.Script { _, _ in })
        let process = AppProcess(bundleIdentifier: "late", link: phone)
        let queue = DispatchQueue(label: "late")
        weak var early: Marker?
        weak var late: Marker?
        do {
            let (first, second) = (Marker(), Marker())
            (early, late) = (first, second)
            process.attach(UUID(), queue: queue) { _ in withExtendedLifetime(first) {} }
            process.attach(UUID(), queue: .global()) { _ in }
            process.attach(UUID(), queue: .main) { _ in }
            #expect(early != nil)
            #expect(queue.sync { AppProcess.current } === process)
            process.terminate()
            process.attach(UUID(), queue: queue) { _ in withExtendedLifetime(second) {} }
        }
        #expect(early == nil && late == nil)
        phone.shutDown()
    }

    @Test("A phone that is shut down by one thread while others use it answers them all")
    func shutDownUnderLoad() async {
        for _ in 0..<5 {
            let script = AbusedApp.Script { _, _ in }
            let phone = AbusedApp.phone(script: script)
            phone.open(AbusedApp.bundle)
            await phone.settle()
            await withTaskGroup { group in
                for index in 0..<8 {
                    group.addTask {
                        for round in 0..<3 { everything(index * 3 + round, phone, script) }
                    }
                }
                group.addTask { phone.shutDown() }
                group.addTask { await phone.advance(by: .seconds(1)) }
                group.addTask { try? await phone.wait(for: { _ in false }, timeout: .milliseconds(10)) }
            }
            await phone.settle()
            script.newest.withLock { $0 = nil }
        }
    }

    /// One call of each public method, or nearly each.
    private func everything(_ number: Int, _ phone: VirtualPhone, _ script: AbusedApp.Script) {
        guard let app = script.newest.withLock({ $0 }) else { return }
        let call = UUID()
        app.report(call)
        app.request(CXStartCallAction(call: UUID(), handle: CXHandle(type: .generic, value: "\(number)")))
        app.request(CXSetMutedCallAction(call: call, muted: true))
        app.provider.setDelegate(app, queue: app.queue)
        app.provider.configuration = CXProviderConfiguration()
        _ = app.provider.pendingTransactions.count
        app.controller.callObserver.setDelegate(app, queue: app.queue)
        _ = app.controller.callObserver.calls.count
        app.registry.desiredPushTypes = number.isMultiple(of: 2) ? [.voIP] : nil
        app.registry.delegate = app
        app.process.run {
            let session = AVAudioSession.sharedInstance()
            try? session.setCategory(.playAndRecord, mode: .voiceChat)
            try? session.setActive(number.isMultiple(of: 3))
            try? session.overrideOutputAudioPort(.speaker)
            _ = session.currentRoute.outputs.count
            let observer = CXCallObserver()
            _ = observer.calls.count
        }
        if let token = phone.pushToken(for: AbusedApp.bundle) {
            phone.receivePush(token: token, payload: Data("{}".utf8))
        }
        try? phone.user.answer()
        try? phone.user.setHeld(number.isMultiple(of: 2))
        try? phone.user.swap()
        phone.cellular.incoming(from: "1")
        try? phone.cellular.endRemotely()
        try? phone.user.hangUp()
        phone.user.setDoNotDisturb(number.isMultiple(of: 7))
        phone.setAirplaneMode(number.isMultiple(of: 11))
        phone.faults.jumpClock(by: .seconds(number))
        if number.isMultiple(of: 16) { phone.faults.restartDaemon() }
        _ = phone.snapshot.calls.count
        _ = phone.screen.isHome
        phone.change { $0.ringLimit = .bySystem }
        app.provider.reportCall(with: call, endedAt: nil, reason: .failed)
    }
}
