// SPDX-License-Identifier: MIT

import Dispatch
import Foundation

// What the machine orders for the Call Directory.
extension VirtualPhone {
    /// Starts an extension: its principal object in this process, or its program.
    func launchDirectory(_ id: UUID, identifier: String) {
        switch state.withLock({ $0.directories[identifier] }) {
        case .principal(let makePrincipal): launchPrincipal(makePrincipal, id: id, identifier: identifier)
        case .executable(let path, let arguments):
            launchExecutable(path, arguments: arguments, id: id, identifier: identifier)
        case nil: couldNotStart(id)
        }
    }

    /// The load fails; then its launch is over, which ``settle()`` waits for.
    private func couldNotStart(_ id: UUID) {
        handle(.directory(.extensionEnded(process: id, .notStarted)))
        handle(.directory(.extensionLaunched(process: id)))
    }

    private func launchPrincipal(_ makePrincipal: @escaping @Sendable () -> AnyObject, id: UUID, identifier: String) {
        let process = AppProcess(bundleIdentifier: identifier, link: self, id: id, isExtension: true)
        state.withLock { $0.processes[id] = process }
        inOrder { ended in
            DispatchQueue.global().async {
                self.start(process, makePrincipal: makePrincipal)
                ended()
            }
        }
    }

    private func start(_ process: AppProcess, makePrincipal: @Sendable () -> AnyObject) {
        let id = process.id
        if process.isRunning {
            let root = ProcessRoot(process.run(makePrincipal))
            let isAlive = state.withLock { state in
                guard state.processes[id] != nil else { return false }
                state.roots[id] = root
                return true
            }
            if !isAlive { withExtendedLifetime(root) {} }
        }
        handle(.directory(.extensionLaunched(process: id)))
    }

    private func launchExecutable(_ path: String, arguments: [String], id: UUID, identifier: String) {
        let limit = state.withLock { $0.core.settings.directory.memoryLimit }
        guard
            let child = ChildProcess(
                path: path, arguments: arguments, id: id, bundleIdentifier: identifier, memoryLimit: limit)
        else { return couldNotStart(id) }
        state.withLock { $0.processes[id] = child }
        child.start(
            ChildProcess.Listener(
                handle: { self.handle(.request($0, process: id)).reply ?? .processTerminated },
                now: { self.now },
                launched: { self.handle(.directory(.extensionLaunched(process: id))) },
                measured: { self.handle(.directory(.extensionMeasured(process: id, peakMemory: $0))) },
                ended: { self.handle(.directory(.extensionEnded(process: id, $0))) }))
    }

    /// Keeps an extension's entries; what the machine has at this moment.
    func storeDirectory(_ identifier: String) {
        guard let storage = configuration.storage else { return }
        let record = state.withLock { $0.core.directory.extensions[identifier] }
        DirectoryFolder(storage).write(record, of: identifier)
    }

    /// Keeps which extensions there are.
    func storeDirectorySwitches() {
        guard let storage = configuration.storage else { return }
        let directory = state.withLock { $0.core.directory }
        DirectoryFolder(storage).writeSwitches(of: directory)
    }
}
