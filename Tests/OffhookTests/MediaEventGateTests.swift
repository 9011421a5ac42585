// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Offhook
import OffhookNet
import Testing

/// What keeps clause M3 for engines that say events on threads of their own.
@Suite(.timeLimit(.minutes(1))) struct MediaEventGateTests {
    @Test("M3: what is said after close is dropped, and a second close does no harm") func dropsAfterClose() {
        let said = Guarded<[MediaEvent]>([])
        let gate = MediaEventGate { event in said.withLock { $0.append(event) } }
        gate.send(.connected)
        #expect(!gate.isClosed)
        gate.close()
        gate.close()
        gate.send(.remoteMedia)
        #expect(gate.isClosed)
        #expect(said.withLock { $0 } == [.connected])
    }

    @Test("M3: close returns when the event that is being taken has been taken") func waitsForTheEvent() async {
        let order = Guarded<[String]>([])
        let (entered, proceed, closing) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let gate = MediaEventGate { _ in
            entered.signal()
            proceed.wait()
            order.withLock { $0.append("taken") }
        }
        await withCheckedContinuation { continuation in
            let group = DispatchGroup()
            Thread.detachNewThread(in: group) { gate.send(.connected) }
            Thread.detachNewThread(in: group) {
                entered.wait()
                closing.signal()
                gate.close()
                order.withLock { $0.append("closed") }
            }
            Thread.detachNewThread(in: group) {
                closing.wait()
                proceed.signal()
            }
            group.notify(queue: .global()) { continuation.resume() }
        }
        #expect(order.withLock { $0 } == ["taken", "closed"])
    }

    @Test("M3: the event's taker may close") func closesInside() {
        let said = Guarded<[MediaEvent]>([])
        let held = Guarded<MediaEventGate?>(nil)
        let gate = MediaEventGate { event in
            said.withLock { $0.append(event) }
            held.withLock { $0 }?.close()
        }
        held.withLock { $0 = gate }
        gate.send(.connected)
        gate.send(.remoteMedia)
        held.withLock { $0 = nil }
        #expect(said.withLock { $0 } == [.connected])
    }
}

extension Thread {
    fileprivate static func detachNewThread(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
        group.enter()
        Thread.detachNewThread {
            body()
            group.leave()
        }
    }
}
