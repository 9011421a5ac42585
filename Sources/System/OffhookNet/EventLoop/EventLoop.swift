// SPDX-License-Identifier: MIT

import CUV

/// Runs network I/O and timers on one thread of its own.
///
/// Everything bound to a loop (connections, listeners, sockets) is called back on that thread. The loop runs until
/// ``stop()``, or until the last reference to it is gone.
public final class EventLoop: Sendable {
    /// The loop's name, for messages.
    public let name: String
    let core: LoopCore
    private let thread: uv_thread_t
    private let joined = Guarded(false)

    /// Starts the loop's thread.
    ///
    /// - Parameter name: For messages and debuggers; the thread shows its first 15 bytes.
    /// - Throws: ``NetError`` with code `resources` when the system has no thread or file descriptor left.
    /// - Isolation: any thread
    public init(name: String) throws(NetError) {
        let core = try LoopCore(name: name)
        let start = ThreadStart(core: core, name: name)
        var thread = uv_thread_t()
        let argument = Unmanaged.passRetained(start)
        let status = uv_thread_create(&thread, runLoop, argument.toOpaque())
        guard status == 0 else {
            argument.release()
            core.discard()
            throw NetError.system(status, "The event loop \"\(name)\" cannot start its thread")
        }
        self.name = name
        self.core = core
        self.thread = thread
    }

    deinit {
        stop()
    }

    /// Whether the caller runs on the loop's thread.
    public var isCurrent: Bool {
        var current = uv_thread_self()
        return withUnsafePointer(to: thread) { uv_thread_equal($0, &current) != 0 }
    }

    /// Runs work on the loop's thread, in the order of the calls; never at once, not even on that thread.
    ///
    /// - Returns: False when the loop is stopped; the work is then dropped.
    /// - Isolation: any thread
    @discardableResult
    public func execute(_ work: @escaping @Sendable () -> Void) -> Bool {
        core.execute(work)
    }

    /// Runs work once on the loop's thread when a time has passed.
    ///
    /// - Parameters:
    ///   - delay: Counted by a clock that the wall clock's changes do not touch; whole milliseconds, rounded up.
    ///   - work: Dropped when the loop stops first.
    /// - Returns: The timer, for cancelling; it need not be kept.
    /// - Isolation: any thread
    @discardableResult
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> LoopTimer {
        LoopTimer.start(on: self, after: delay, work)
    }

    /// Closes every connection, listener and timer of the loop and ends its thread; returns when it has ended.
    ///
    /// Work that ``execute(_:)`` accepted still runs; connections get their `closed`; a host name that is just being
    /// looked up is waited for. Called on the loop's own thread it returns at once and the thread ends after the current
    /// work. A second call does no harm.
    ///
    /// - Isolation: any thread
    public func stop() {
        core.requestStop()
        if isCurrent {
            // Not available: another thread is already waiting for this one.
            _ = joined.withLockIfAvailable { joined in
                guard !joined else { return }
                joined = true
                cuv_thread_detach(thread)
            }
        } else {
            joined.withLock { joined in
                guard !joined else { return }
                joined = true
                var thread = thread
                uv_thread_join(&thread)
            }
        }
    }

    func requireCurrent(_ what: StaticString) {
        precondition(isCurrent, "\(what) must be called on the event loop's thread; use loop.execute { }")
    }
}

private final class ThreadStart: Sendable {
    let core: LoopCore
    let name: String

    init(core: LoopCore, name: String) {
        self.core = core
        self.name = name
    }
}

private func runLoop(_ argument: UnsafeMutableRawPointer?) {
    guard let argument else { return }
    let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
    cuv_name_thread(String(start.name.prefix(15)))
    start.core.run()
}
