// SPDX-License-Identifier: MIT

import CUV

/// Owns one libuv handle; the handle keeps it alive until its close callback, which is the only place that lets go.
class LoopResource {
    let core: LoopCore
    private var handle: UnsafeMutablePointer<uv_handle_t>?

    init(core: LoopCore) {
        self.core = core
    }

    /// Whether the handle exists and is not closing.
    final var isAttached: Bool { handle != nil }

    /// Takes over a handle that libuv has just initialised.
    final func attach<Handle>(_ pointer: UnsafeMutablePointer<Handle>) {
        let handle = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: uv_handle_t.self)
        handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
        self.handle = handle
    }

    /// Closes the handle; ``handleClosed()`` follows in a later turn of the loop.
    ///
    /// Does nothing the second time.
    final func closeHandle() {
        guard let handle else { return }
        self.handle = nil
        uv_close(handle, loopHandleClosed)
    }

    /// The handle is gone; called once, on the loop.
    func handleClosed() {}

    /// The loop stops: give up now.
    func loopStops() {
        closeHandle()
    }

    /// The owner of a handle, nil for a handle without one.
    static func owner(of handle: UnsafeMutableRawPointer?) -> LoopResource? {
        guard let data = handle?.assumingMemoryBound(to: uv_handle_t.self).pointee.data else { return nil }
        return Unmanaged<LoopResource>.fromOpaque(data).takeUnretainedValue()
    }
}

private func loopHandleClosed(_ handle: UnsafeMutablePointer<uv_handle_t>?) {
    guard let handle, let data = handle.pointee.data else { return }
    let owner = Unmanaged<LoopResource>.fromOpaque(data).takeRetainedValue()
    UnsafeMutableRawPointer(handle).deallocate()
    owner.handleClosed()
}
