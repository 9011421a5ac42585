// SPDX-License-Identifier: MIT

import Dispatch
public import Foundation

extension VirtualPhone: PhoneLink {
    /// Handles one request of a process of this phone.
    public func handle(_ request: AppRequest, from process: AppProcess) -> AppReply {
        handle(.request(request, process: process.id)).reply ?? .processTerminated
    }

    /// The phone's time.
    public var now: Date {
        switch configuration.clock {
        case .virtual: return state.withLock { $0.clock }
        case .real: return Date()
        }
    }
}

extension VirtualPhone {
    /// Runs the machine on one input, then what it ordered.
    @discardableResult
    func handle(_ input: PhoneInput) -> PhoneOutcome {
        let outcome = state.withLock { state in step(&state, input) }
        drain()
        return outcome
    }

    /// Under the lock: the machine moves, its effects queue up in its order.
    func step(_ state: inout State, _ input: PhoneInput) -> PhoneOutcome {
        switch input {
        case .launchFinished, .deliveryFinished: state.outstanding -= 1
        default: break
        }
        if state.isShutDown { return PhoneOutcome(reply: .processTerminated) }
        let time = configuration.clock == .real ? Date() : state.clock
        let outcome = state.core.handle(input, at: time)
        for effect in outcome.effects {
            switch effect {
            case .launch, .deliver: state.outstanding += 1
            case .terminate, .record: break
            }
            state.outbox.append(effect)
        }
        state.version += 1
        return outcome
    }

    /// Runs the queued effects in order.
    ///
    /// Whoever comes while another thread does it leaves them to that thread.
    func drain() {
        var isFirst = true
        while true {
            let effect = state.withLock { state -> PhoneEffect? in
                if isFirst {
                    if state.isDraining { return nil }
                    state.isDraining = true
                }
                if state.outbox.isEmpty {
                    state.isDraining = false
                    return nil
                }
                return state.outbox.removeFirst()
            }
            isFirst = false
            guard let effect else { break }
            run(effect)
        }
        rearm()
        wakeWaiters()
    }

    private func run(_ effect: PhoneEffect) {
        switch effect {
        case .launch(let process, let bundle, let reason): launch(process, bundle: bundle, reason: reason)
        case .deliver(let delivery, let id, let event):
            guard let process = state.withLock({ $0.processes[id] }) else {
                handle(.deliveryFinished(delivery: delivery, handled: false))
                return
            }
            process.deliver(event, to: event.endpoint) { handled in
                self.handle(.deliveryFinished(delivery: delivery, handled: handled))
            }
        case .terminate(let id):
            let (process, root) = state.withLock { state in
                (state.processes.removeValue(forKey: id), state.roots.removeValue(forKey: id))
            }
            process?.terminate()
            withExtendedLifetime(root) {}
        case .record(let entry):
            for watcher in state.withLock({ $0.watchers }) { watcher(entry) }
        }
    }

    private func launch(_ id: UUID, bundle: String, reason: LaunchReason) {
        let process = AppProcess(bundleIdentifier: bundle, link: self, id: id)
        let launcher = state.withLock { state in
            state.processes[id] = process
            return state.launchers[bundle]
        }
        DispatchQueue.main.async {
            if process.isRunning, let launcher {
                let root = ProcessRoot(process.run { launcher(reason) })
                let isAlive = self.state.withLock { state in
                    guard state.processes[id] != nil else { return false }
                    state.roots[id] = root
                    return true
                }
                if !isAlive { withExtendedLifetime(root) {} }
            }
            self.handle(.launchFinished(process: id))
        }
    }

    /// In real time: sets the one timer to the machine's next deadline.
    private func rearm() {
        guard configuration.clock == .real else { return }
        state.withLock { $0.timer }?.arm { [weak self] in self?.state.withLock { $0.core.deadline } }
    }

    private func wakeWaiters() {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }
}

/// What an app's main function returned, kept until the process dies.
struct ProcessRoot {
    private let object: AnyObject

    init(_ object: AnyObject) {
        self.object = object
    }
}

// The object is only retained and released, never used.
extension ProcessRoot: @unchecked Sendable {}

/// The phone's one timer in real time.
final class PhoneTimer {
    private let queue = DispatchQueue(label: "VirtualPhone.timer")
    private let source: any DispatchSourceTimer

    init(_ fire: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler(handler: fire)
        source.activate()
    }

    /// Sets the timer to the deadline as it is then: calls of several threads cannot overtake each other.
    func arm(_ deadline: @escaping @Sendable () -> Date?) {
        queue.async {
            guard let deadline = deadline() else { return self.source.schedule(deadline: .distantFuture) }
            let delay = max(0.0005, deadline.timeIntervalSinceNow)
            self.source.schedule(deadline: .now() + delay, leeway: .microseconds(100))
        }
    }

    func cancel() {
        source.cancel()
    }
}

// The source is used on its queue; cancelling is safe from any thread.
extension PhoneTimer: @unchecked Sendable {}
