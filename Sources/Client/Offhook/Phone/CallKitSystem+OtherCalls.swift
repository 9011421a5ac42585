// SPDX-License-Identifier: MIT

#if canImport(CallKit) && !os(macOS)
    import CallKit
    import Foundation
    import OffhookCore

    // P23, C1: the calls of other apps and of the phone's own, which only the observer knows.
    extension CallKitSystem: CXCallObserverDelegate {
        func beginObserving() {
            controller.callObserver.setDelegate(self, queue: queue)
            others = Set(controller.callObserver.calls.filter { !$0.hasEnded }.map(\.uuid)).subtracting(own)
            if !others.isEmpty { receiver?.receive(.otherCalls(others.count)) }
        }

        func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
            let before = others
            if call.hasEnded {
                others.remove(call.uuid)
                own.remove(call.uuid)
            } else if !own.contains(call.uuid) {
                others.insert(call.uuid)
            }
            others.subtract(own)  // left by an earlier launch, and taken up since
            if others.count != before.count { receiver?.receive(.otherCalls(others.count)) }
        }
    }
#endif
