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
        case .launchFinished, .deliveryFinished, .directory(.extensionLaunched): state.outstanding -= 1
        default: break
        }
        if state.isShutDown { return PhoneOutcome(reply: .processTerminated) }
        let time = configuration.clock == .real ? Date() : state.clock
        let outcome = state.core.handle(input, at: time)
        for effect in outcome.effects {
            switch effect {
            case .launch, .launchExtension, .launchDirectory, .deliver: state.outstanding += 1
            case .record where state.watchers.isEmpty: continue
            case .terminate, .record, .storage, .storeDirectory, .storeDirectorySwitches: break
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
        var isMine = false
        while true {
            let (effects, waiters) = state.withLock { state -> ([PhoneEffect], [CheckedContinuation<Void, Never>]) in
                if state.isDraining, !isMine { return ([], state.takeWaiters()) }
                isMine = true
                defer { state.outbox = [] }
                state.isDraining = !state.outbox.isEmpty
                return (state.outbox, state.isDraining ? [] : state.takeWaiters())
            }
            for effect in effects { run(effect) }
            for waiter in waiters { waiter.resume() }
            if effects.isEmpty { break }
        }
        rearm()
    }

    private func run(_ effect: PhoneEffect) {
        switch effect {
        case .launch(let process, let bundle, let reason): launch(process, bundle: bundle, reason: reason)
        case .deliver(let delivery, let id, let event):
            guard let process = state.withLock({ $0.processes[id] }) else {
                handle(.deliveryFinished(delivery: delivery, handled: false))
                return
            }
            inOrder { ended in
                process.deliver(event, to: event.endpoint) { handled in
                    self.handle(.deliveryFinished(delivery: delivery, handled: handled))
                    ended()
                }
            }
        case .launchExtension(let process, let bundle, let request, let content):
            launchExtension(process, bundle: bundle, request: request, content: content)
        case .storage(let effect): apply(effect)
        case .launchDirectory(let process, let identifier): launchDirectory(process, identifier: identifier)
        case .storeDirectory(let identifier): storeDirectory(identifier)
        case .storeDirectorySwitches: storeDirectorySwitches()
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
        let launcher = state.withLock { $0.launchers[bundle] }
        start(id, bundle: bundle) { _ in launcher?(reason) }
    }

    private func launchExtension(_ id: UUID, bundle: String, request: UUID, content: NotificationValue) {
        let code = state.withLock { $0.extensions[bundle] }
        start(id, bundle: bundle + PhoneCore.extensionSuffix) { process in
            code?.receive(content) { content in
                process.send(.application(.deliverNotification(request: request, content: content)))
            }
        }
    }

    private func start(_ id: UUID, bundle: String, main: @escaping @Sendable (AppProcess) -> AnyObject?) {
        let process = AppProcess(bundleIdentifier: bundle, link: self, id: id)
        state.withLock { $0.processes[id] = process }
        inOrder { ended in
            DispatchQueue.main.async {
                self.run(main, as: process)
                ended()
            }
        }
    }

    private func run(_ main: @Sendable (AppProcess) -> AnyObject?, as process: AppProcess) {
        let id = process.id
        if process.isRunning, let object = process.run({ main(process) }) {
            let root = ProcessRoot(object)
            let isAlive = state.withLock { state in
                guard state.processes[id] != nil else { return false }
                state.roots[id] = root
                return true
            }
            if !isAlive { withExtendedLifetime(root) {} }
        }
        handle(.launchFinished(process: id))
    }

    /// Runs app code now, or when the code of all phones that share an order has had its turn before.
    func inOrder(_ job: @escaping DeliveryOrder.Job) {
        if let order { order.add(job) } else { job {} }
    }

    /// In real time: sets the one timer to the machine's next deadline.
    private func rearm() {
        guard configuration.clock == .real else { return }
        state.withLock { $0.timer }?.arm { [weak self] in self?.state.withLock { $0.core.deadline } }
    }

}

extension VirtualPhone.State {
    /// Takes out who has something to look at: after each change, and when nothing is being delivered.
    mutating func takeWaiters(all: Bool = false) -> [CheckedContinuation<Void, Never>] {
        guard !watchersOfChanges.isEmpty || !watchersOfRest.isEmpty else { return [] }
        var waiters = watchersOfChanges
        watchersOfChanges = []
        guard all || isSettled || isShutDown else { return waiters }
        waiters += watchersOfRest
        watchersOfRest = []
        return waiters
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
