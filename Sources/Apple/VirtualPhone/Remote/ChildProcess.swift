// SPDX-License-Identifier: MIT

import Dispatch
import Foundation

/// A process that the phone launched from an executable: its messages travel over a socket.
///
/// The process applies its memory limit itself when it connects, on top of what it has then: that is what Swift,
/// Foundation and the frameworks took. It cannot lift the limit again.
final class ChildProcess: RunningProcess {
    private struct State {
        var pending: [UInt64: @Sendable (Bool) -> Void] = [:]
        var lastDelivery: UInt64 = 0
        var isGone = false
    }

    private let id: UUID
    private let bundleIdentifier: String
    private let channel: RemoteChannel
    private let processIdentifier: pid_t
    private let memoryLimit: Int?
    private let state = Locked(State())

    /// What the phone hears of the process.
    struct Listener: Sendable {
        /// Answers a request.
        var handle: @Sendable (AppRequest) -> AppReply
        /// The phone's time.
        var now: @Sendable () -> Date
        /// The main function came to its end, or never will; exactly once.
        var launched: @Sendable () -> Void
        /// The process used more memory than before.
        var measured: @Sendable (Int) -> Void
        /// The process is gone; the last that is heard but `launched`.
        var ended: @Sendable (ExtensionEnd) -> Void
    }

    /// Starts the executable; nil when the system refuses.
    init?(
        path: String, arguments: [String], id: UUID, bundleIdentifier: String, memoryLimit: Int?
    ) {
        var sockets: [Int32] = [-1, -1]
        guard
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &sockets) == 0
        else { return nil }
        defer { close(sockets[1]) }
        channel = RemoteChannel(descriptor: sockets[0])
        guard let child = ChildProcess.spawn(path, arguments: arguments, socket: sockets[1]) else { return nil }
        processIdentifier = child
        self.id = id
        self.bundleIdentifier = bundleIdentifier
        self.memoryLimit = memoryLimit
    }

    private static func spawn(_ path: String, arguments: [String], socket: Int32) -> pid_t? {
        let target: Int32 = 3
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, socket, target)
        var environment = ProcessInfo.processInfo.environment
        environment[EnvironmentLink.variable] = "\(target)"
        // One heap for all threads, so that what counts is what is used, not what each thread reserves.
        environment["MALLOC_ARENA_MAX"] = "1"
        // A process that runs out of memory ends at once.
        environment["SWIFT_BACKTRACE"] = environment["SWIFT_BACKTRACE"] ?? "enable=no"
        var values = ([path] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (values + variables).forEach { free($0) } }
        var child: pid_t = 0
        return posix_spawn(&child, path, &actions, nil, &values, &variables) == 0 ? child : nil
    }

    /// Reads what the process sends, on a thread of its own, until it is gone.
    func start(_ listener: Listener) {
        let reader = Thread { self.serve(listener) }
        reader.name = "process \(bundleIdentifier)"
        reader.start()
    }

    func deliver(_ event: PhoneEvent, to endpoint: UUID, finished: @escaping @Sendable (Bool) -> Void) {
        let delivery = state.withLock { state -> UInt64? in
            guard !state.isGone else { return nil }
            state.lastDelivery += 1
            state.pending[state.lastDelivery] = finished
            return state.lastDelivery
        }
        guard let delivery else { return finished(false) }
        do {
            try channel.send(.event(delivery: delivery, endpoint: endpoint, event))
        } catch {
            state.withLock { $0.pending.removeValue(forKey: delivery) }?(false)
        }
    }

    var queues: [DispatchQueue] { [] }

    func terminate() {
        state.withLock { state in
            if !state.isGone { _ = kill(processIdentifier, SIGKILL) }
        }
    }

    private func serve(_ listener: Listener) {
        var peak = ProcessMemory.Peak()
        var isConnected = false
        var wasLaunched = false
        while let message = try? channel.receive() {
            if isConnected, let now = ProcessMemory.read("\(processIdentifier)"), peak.take(now) {
                listener.measured(peak.bytes)
            }
            switch message {
            case .hello:
                isConnected = true
                if let now = ProcessMemory.read("\(processIdentifier)") { _ = peak.take(now) }
                try? channel.send(
                    .welcome(process: id, bundleIdentifier: bundleIdentifier, memoryLimit: memoryLimit))
            case .launched:
                if !wasLaunched { listener.launched() }
                wasLaunched = true
            case .request(let number, let request):
                try? channel.send(.reply(number: number, listener.handle(request)))
            case .askTime(let number): try? channel.send(.time(number: number, listener.now()))
            case .finished(let delivery, let handled):
                state.withLock { $0.pending.removeValue(forKey: delivery) }?(handled)
            case .welcome, .reply, .time, .event: break
            }
        }
        let end = bury()
        let pending = state.withLock { state in
            defer { state.pending = [:] }
            return state.pending.sorted { $0.key < $1.key }
        }
        listener.ended(end)
        for (_, finished) in pending { finished(false) }
        if !wasLaunched { listener.launched() }
    }

    /// Under the lock, so that nobody ends a process that is gone, whose number another may have by now.
    private func reap(_ status: inout Int32) -> Bool {
        state.withLock { state in
            if waitpid(processIdentifier, &status, WNOHANG) != 0 { state.isGone = true }
            return state.isGone
        }
    }

    /// Waits for the end of the process, which closed its socket.
    private func bury() -> ExtensionEnd {
        channel.shutDown()
        var status: Int32 = 0
        // One that closed the socket and lives on is ended; the state of one that is dying already stays as it is.
        var patience = 100
        while !reap(&status), patience > 0 {
            usleep(10_000)
            patience -= 1
        }
        if !state.withLock({ $0.isGone }) {
            terminate()
            state.withLock { $0.isGone = true }
            waitpid(processIdentifier, &status, 0)
        }
        return status & 0x7F == 0 ? .exited(code: (status >> 8) & 0xFF) : .signalled(status & 0x7F)
    }
}
