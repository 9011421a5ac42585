// SPDX-License-Identifier: MIT

import Dispatch
import OffhookCore

extension Engine {
    var currentCalls: [Call] {
        onQueue { machine.snapshots.filter { !$0.hasEnded } }
    }

    var capabilities: CallCenter.Capabilities {
        onQueue {
            let can = media.capabilities
            return CallCenter.Capabilities(
                nativeCalling: phase == .running && system?.isNative == true, storage: store.state, video: can.video,
                tones: can.dtmf, maximumCalls: configuration.policy.maximumCallGroups,
                maximumCallsPerGroup: configuration.policy.maximumCallsPerCallGroup, generation: machine.generation)
        }
    }

    func makeCalls() -> AsyncStream<[Call]> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            queue.async { self.streams.add(continuation, first: self.currentCalls) }
        }
    }

    func makeEvents() -> AsyncStream<CallEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(EventStreams.limit)) { continuation in
            queue.async { self.streams.add(continuation, first: self.currentCalls) }
        }
    }
}
