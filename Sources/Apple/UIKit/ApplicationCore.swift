// SPDX-License-Identifier: MIT

import Foundation
import VirtualPhone

/// What a UIApplication does from any thread.
final class ApplicationCore: Sendable {
    private struct State {
        var lastTask = 0
        var handlers: [Int: (@MainActor @Sendable () -> Void)?] = [:]
    }

    let process: AppProcess
    let id = UUID()
    private let state = Locked(State())

    init(_ process: AppProcess) {
        self.process = process
    }

    /// The application takes its events on the main queue.
    @MainActor
    func attach(_ application: UIApplication) {
        process.attach(id, queue: .main) { [weak application] event in
            guard case .application(_, let event) = event else { return }
            MainActor.assumeIsolated { application?.handle(event) }
        }
        process.send(.application(.attach(application: id)))
    }

    func send(_ request: ApplicationRequest) {
        process.send(.application(request))
    }

    /// The application as the phone sees it; a dead process is in the background.
    var value: ApplicationValue {
        guard case .application(let value) = process.send(.application(.readState)) else {
            return ApplicationValue(state: 2, isProtectedDataAvailable: false, backgroundTimeRemaining: .zero)
        }
        return value
    }

    func begin(_ name: String?, _ handler: (@MainActor @Sendable () -> Void)?) -> UIBackgroundTaskIdentifier {
        let task = state.withLock { state in
            state.lastTask += 1
            state.handlers[state.lastTask] = .some(handler)
            return state.lastTask
        }
        process.send(.application(.beginBackgroundTask(task: task, name: name)))
        return UIBackgroundTaskIdentifier(rawValue: task)
    }

    func end(_ identifier: UIBackgroundTaskIdentifier) {
        guard state.withLock({ $0.handlers.removeValue(forKey: identifier.rawValue) }) != nil else { return }
        process.send(.application(.endBackgroundTask(task: identifier.rawValue)))
    }

    /// The time is over: every open task's handler, oldest first (K11).
    @MainActor
    func expire() {
        let open = state.withLock { state in
            state.handlers.sorted { $0.key < $1.key }.map(\.value)
        }
        for handler in open { handler?() }
    }
}
