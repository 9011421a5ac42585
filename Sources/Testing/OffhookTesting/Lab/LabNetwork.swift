// SPDX-License-Identifier: MIT

import Foundation
import OffhookNet

/// The way of pushes and messages to the phones of a ``PhoneLab``: it delays and loses them as a test wants.
///
/// What is random comes from the lab's seed.
public final class LabNetwork: Sendable {
    private struct State {
        var pushDelay: ClosedRange<Duration> = .milliseconds(200)...(.milliseconds(200))
        var messageDelay: ClosedRange<Duration> = .milliseconds(20)...(.milliseconds(20))
        var lossPercent = 0
        var losing = 0
        var offline: Set<String> = []
        var random: UInt64
    }

    private let state: Guarded<State>

    init(seed: UInt64) {
        state = Guarded(State(random: (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15 | 1))
    }

    /// Lets every push from now on take a time of this range; 0.2 s unless set.
    public func setPushDelay(_ range: ClosedRange<Duration>) {
        state.withLock { $0.pushDelay = range }
    }

    /// Lets every push from now on take this time.
    public func setPushDelay(_ delay: Duration) {
        setPushDelay(delay...delay)
    }

    /// Lets every message of the signaling connection take a time of this range; 20 ms unless set.
    ///
    /// Messages of one connection do not overtake each other.
    public func setMessageDelay(_ range: ClosedRange<Duration>) {
        state.withLock { $0.messageDelay = range }
    }

    /// Loses so many of the next pushes; APNs has said 200 (R108).
    public func losePushes(_ count: Int) {
        state.withLock { $0.losing = count }
    }

    /// Loses so many of a hundred pushes from now on.
    public func setPushLoss(percent: Int) {
        state.withLock { $0.lossPercent = percent }
    }

    /// Takes a phone off the network, or brings it back; pushes that arrive meanwhile are lost.
    ///
    /// - Parameters:
    ///   - isOffline: Whether it is off from now on.
    ///   - name: The phone's name.
    public func setOffline(_ isOffline: Bool, phone name: String) {
        state.withLock { state in
            if isOffline { state.offline.insert(name) } else { state.offline.remove(name) }
        }
    }

    /// Whether a phone is off the network.
    public func isOffline(_ name: String) -> Bool {
        state.withLock { $0.offline.contains(name) }
    }

    /// How long a push that is sent now takes; nil when it is lost.
    func pushTravel() -> Duration? {
        state.withLock { state in
            let delay = LabNetwork.pick(state.pushDelay, &state.random)
            if state.losing > 0 {
                state.losing -= 1
                return nil
            }
            let isLost = state.lossPercent > 0 && Int(LabNetwork.next(&state.random) % 100) < state.lossPercent
            return isLost ? nil : delay
        }
    }

    func messageTravel() -> Duration {
        state.withLock { LabNetwork.pick($0.messageDelay, &$0.random) }
    }

    /// A time of the range, in whole milliseconds.
    private static func pick(_ range: ClosedRange<Duration>, _ random: inout UInt64) -> Duration {
        let length = Int64((range.upperBound - range.lowerBound) / .milliseconds(1))
        guard length > 0 else { return range.lowerBound }
        return range.lowerBound + .milliseconds(Int64(next(&random) % UInt64(length + 1)))
    }

    private static func next(_ random: inout UInt64) -> UInt64 {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return random
    }
}
