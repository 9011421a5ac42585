// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Offhook
import OffhookCore

/// One end of a trial's call: a session, what it said, and how long its methods took.
final class TrialSide {
    /// An event and the circumstances in which it came.
    struct Said: Sendable {
        var event: MediaEvent
        /// It came on the thread that was calling a method of this session just then.
        var isInside = false
        /// It came while another event was being taken.
        var overlaps = false
        /// It came after `close()` had returned.
        var isLate = false
    }

    private struct State {
        var session: (any MediaSession)?
        var said: [Said] = []
        var signals: [MediaSignal] = []
        var callers: [Thread] = []
        var taking = 0
        var isClosed = false
        var slowest: [String: Double] = [:]
        var forward: (@Sendable (MediaSignal) -> Void)?
    }

    let configuration: MediaSessionConfiguration
    let probe: MediaProbe
    private let lock = NSLock()
    private var state = State()

    init(_ configuration: MediaSessionConfiguration, probe: MediaProbe) {
        self.configuration = configuration
        self.probe = probe
    }

    /// Gives what this side signals to the other side.
    func connect(to other: TrialSide) {
        locked { $0.forward = { [weak other] in other?.relay($0) } }
    }

    /// Lets the engine make the session; signals that came before it are delivered then.
    func make(with engine: any MediaEngine) throws {
        let session = try timed("makeSession(_:events:)") {
            try engine.makeSession(configuration) { [weak self] in self?.take($0) }
        }
        locked { $0.session = session }
        Relay.queue.async { self.deliver() }
    }

    /// Calls a method of the session.
    func perform(_ method: String, _ body: (any MediaSession) -> Void) {
        guard let session = locked({ $0.session }) else { return }
        timed(method) { body(session) }
    }

    func close() {
        perform("close()") { $0.close() }
        locked { $0.isClosed = true }
    }

    /// What was said before the close, in order.
    var events: [MediaEvent] { said.filter { !$0.isLate }.map(\.event) }
    /// Everything that was said.
    var said: [Said] { locked { $0.said } }
    /// How long each method took at most, in seconds.
    var slowest: [String: Double] { locked { $0.slowest } }

    var failure: MediaFailure? {
        for case .failed(let failure) in events { return failure }
        return nil
    }

    func has(_ event: MediaEvent) -> Bool { events.contains(event) }
    func count(_ event: MediaEvent) -> Int { events.filter { $0 == event }.count }

    /// Takes a signal of the other side, also before the session is there.
    ///
    /// Never on the engine's own thread: an engine that calls out under its lock would meet itself.
    private func relay(_ signal: MediaSignal) {
        Relay.queue.async {
            self.locked { $0.signals.append(signal) }
            self.deliver()
        }
    }

    private func deliver() {
        guard locked({ $0.session }) != nil else { return }
        while let signal = locked({ $0.signals.isEmpty ? nil : $0.signals.removeFirst() }) {
            perform("receive(_:)") { $0.receive(signal) }
        }
    }

    private func take(_ event: MediaEvent) {
        let (forward, isInside) = locked { state in
            let isInside = state.callers.contains(Thread.current)
            state.said.append(
                Said(event: event, isInside: isInside, overlaps: !isInside && state.taking > 0, isLate: state.isClosed))
            if !isInside { state.taking += 1 }
            return (state.isClosed ? nil : state.forward, isInside)
        }
        // Long enough for a second thread to be seen, if there is one.
        for _ in 0..<50 { sched_yield() }
        if case .signal(let signal) = event { forward?(signal) }
        if !isInside { locked { $0.taking -= 1 } }
    }

    private func timed<Result>(_ method: String, _ body: () throws -> Result) rethrows -> Result {
        let thread = Thread.current
        locked { $0.callers.append(thread) }
        let start = DispatchTime.now().uptimeNanoseconds
        defer {
            let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000_000_000
            locked { state in
                if let index = state.callers.firstIndex(of: thread) { state.callers.remove(at: index) }
                state.slowest[method] = max(state.slowest[method] ?? 0, seconds)
            }
        }
        return try body()
    }

    private func locked<Result>(_ body: (inout State) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&state)
    }
}

// Protected by `lock`.
extension TrialSide: @unchecked Sendable {}

/// The trial's signaling: one queue, so that signals keep their order.
enum Relay {
    static let queue = DispatchQueue(label: "offhook.conformance.relay")
}
