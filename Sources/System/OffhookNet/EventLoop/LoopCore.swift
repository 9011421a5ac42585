// SPDX-License-Identifier: MIT

import CUV

/// The part of an event loop that its thread runs: the libuv loop, the mailbox and the shared read buffer.
final class LoopCore {
    typealias Work = @Sendable () -> Void

    private struct Mailbox {
        var work: [Work] = []
        var isOpen = true
        var isStopping = false
    }

    /// How much one read takes at most; one buffer serves all connections, since a read is handled at once.
    static let readBufferBytes = 65_536

    let loop: UnsafeMutablePointer<uv_loop_t>
    let readBuffer: UnsafeMutableRawPointer
    private let wakeUp: UnsafeMutablePointer<uv_async_t>
    private let mailbox = Guarded(Mailbox())
    private(set) var isClosing = false

    init(name: String) throws(NetError) {
        ignoreBrokenPipes()
        loop = .allocate(capacity: 1)
        wakeUp = .allocate(capacity: 1)
        readBuffer = .allocate(byteCount: Self.readBufferBytes, alignment: 16)
        var status = uv_loop_init(loop)
        if status == 0 {
            status = uv_async_init(loop, wakeUp, loopWokenUp)
            if status != 0 { uv_loop_close(loop) }
        }
        guard status == 0 else {
            free()
            throw NetError.system(status, "The event loop \"\(name)\" cannot start")
        }
        wakeUp.pointee.data = nil
        loop.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    }

    /// Frees the loop's memory when its thread never ran.
    func discard() {
        mailbox.withLock { $0.isOpen = false }
        uv_close(UnsafeMutableRawPointer(wakeUp).assumingMemoryBound(to: uv_handle_t.self), nil)
        uv_run(loop, UV_RUN_DEFAULT)
        uv_loop_close(loop)
        free()
    }

    private func free() {
        loop.deallocate()
        wakeUp.deallocate()
        readBuffer.deallocate()
    }

    /// Appends work for the loop's thread; false when the loop takes none any more.
    func execute(_ work: @escaping Work) -> Bool {
        mailbox.withLock { mailbox in
            guard mailbox.isOpen else { return false }
            mailbox.work.append(work)
            if mailbox.work.count == 1 { uv_async_send(wakeUp) }
            return true
        }
    }

    /// Asks the thread to close everything and end.
    func requestStop() {
        mailbox.withLock { mailbox in
            guard mailbox.isOpen else { return }
            mailbox.isStopping = true
            uv_async_send(wakeUp)
        }
    }

    /// Runs until stopped and every handle is closed; the body of the loop's thread.
    func run() {
        uv_run(loop, UV_RUN_DEFAULT)
        precondition(uv_loop_close(loop) == 0, "a handle of the event loop was left open")
        free()
    }

    fileprivate func drainMailbox() {
        // Closed in the same breath in which the last work is taken: what was accepted runs.
        let (work, stops) = mailbox.withLock { mailbox in
            let work = mailbox.work
            mailbox.work = []
            if mailbox.isStopping { mailbox.isOpen = false }
            return (work, mailbox.isStopping)
        }
        for item in work { item() }
        if stops { closeAll() }
    }

    private func closeAll() {
        guard !isClosing else { return }
        isClosing = true
        var owners: [LoopResource] = []
        withUnsafeMutablePointer(to: &owners) { uv_walk(loop, collectOwner, $0) }
        for owner in owners { owner.loopStops() }
        uv_close(UnsafeMutableRawPointer(wakeUp).assumingMemoryBound(to: uv_handle_t.self), nil)
    }
}

private func collectOwner(_ handle: UnsafeMutablePointer<uv_handle_t>?, _ list: UnsafeMutableRawPointer?) {
    guard let handle, let list, uv_is_closing(handle) == 0, let owner = LoopResource.owner(of: handle) else { return }
    list.assumingMemoryBound(to: [LoopResource].self).pointee.append(owner)
}

private func loopWokenUp(_ handle: UnsafeMutablePointer<uv_async_t>?) {
    guard let data = handle?.pointee.loop.pointee.data else { return }
    Unmanaged<LoopCore>.fromOpaque(data).takeUnretainedValue().drainMailbox()
}

/// A write to a connection the peer has closed shall fail with an error, not end the process.
private func ignoreBrokenPipes() {
    cuv_ignore_sigpipe()
}

// Protected by: the mailbox lock for what other threads touch; everything else belongs to the loop's thread.
extension LoopCore: @unchecked Sendable {}
