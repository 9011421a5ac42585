// SPDX-License-Identifier: MIT

import CUV

/// One libuv TCP handle and the C callbacks around it; keeps its connection alive while it is open.
final class TCPSocket: LoopResource {
    let tcp: UnsafeMutablePointer<uv_tcp_t>
    var connection: TCPConnection?

    /// Makes a socket on the loop, or returns libuv's error number.
    static func make(core: LoopCore) -> Result<TCPSocket, SocketFailure> {
        guard !core.isClosing else { return .failure(SocketFailure(status: UV_ECANCELED.rawValue)) }
        let tcp = UnsafeMutablePointer<uv_tcp_t>.allocate(capacity: 1)
        let status = uv_tcp_init(core.loop, tcp)
        guard status == 0 else {
            tcp.deallocate()
            return .failure(SocketFailure(status: status))
        }
        return .success(TCPSocket(core: core, tcp: tcp))
    }

    private init(core: LoopCore, tcp: UnsafeMutablePointer<uv_tcp_t>) {
        self.tcp = tcp
        super.init(core: core)
        attach(tcp)
    }

    var stream: UnsafeMutablePointer<uv_stream_t> {
        UnsafeMutableRawPointer(tcp).assumingMemoryBound(to: uv_stream_t.self)
    }

    override func handleClosed() {
        let connection = connection
        self.connection = nil
        connection?.socketClosed(self)
    }

    override func loopStops() {
        if let connection {
            connection.fail(NetError(.closed, "The event loop was stopped."))
        } else {
            closeHandle()
        }
    }

    // MARK: - Requests

    func connect(to address: SocketAddress) -> Int32 {
        let request = UnsafeMutablePointer<uv_connect_t>.allocate(capacity: 1)
        request.pointee.data = Unmanaged.passRetained(self).toOpaque()
        let status = address.withPointer { pointer, _ in uv_tcp_connect(request, tcp, pointer, socketConnected) }
        if status != 0 { releaseRequest(request) }
        return status
    }

    func startReading() -> Int32 {
        uv_read_start(stream, socketAllocates, socketRead)
    }

    func stopReading() {
        uv_read_stop(stream)
    }

    var queuedBytes: Int {
        Int(uv_stream_get_write_queue_size(stream))
    }

    /// Writes at once what the system takes and queues a copy of the rest; returns a negative number on failure.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        var rest = bytes
        if queuedBytes == 0 {
            var buffer = uv_buf_t.of(rest)
            let written = uv_try_write(stream, &buffer, 1)
            if written >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Int(written)))
            } else if written != UV_EAGAIN.rawValue && written != UV_ENOSYS.rawValue {
                return written
            }
        }
        guard !rest.isEmpty else { return 0 }
        let request = UnsafeMutablePointer<WriteRequest>.allocate(capacity: 1)
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: rest.count, alignment: 1)
        copy.copyMemory(from: rest)
        request.initialize(to: WriteRequest(request: uv_write_t(), bytes: copy))
        let write = UnsafeMutableRawPointer(request).assumingMemoryBound(to: uv_write_t.self)
        write.pointee.data = Unmanaged.passRetained(self).toOpaque()
        var buffer = uv_buf_t.of(UnsafeRawBufferPointer(copy))
        let status = uv_write(write, stream, &buffer, 1, socketWritten)
        if status != 0 {
            copy.deallocate()
            releaseRequest(write)
        }
        return status
    }

    func shutdown() -> Int32 {
        let request = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
        request.pointee.data = Unmanaged.passRetained(self).toOpaque()
        let status = uv_shutdown(request, stream, socketShutDown)
        if status != 0 { releaseRequest(request) }
        return status
    }
}

/// A failed libuv call's negative number.
struct SocketFailure: Error {
    let status: Int32
}

/// A queued write with its bytes; the uv_write_t is the first field, so that its address is the request's.
private struct WriteRequest {
    var request: uv_write_t
    var bytes: UnsafeMutableRawBufferPointer
}

extension uv_buf_t {
    static func of(_ bytes: UnsafeRawBufferPointer) -> uv_buf_t {
        let base = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
        return uv_buf_init(base, UInt32(clamping: bytes.count))
    }
}

/// Frees a request and returns the socket it kept alive.
@discardableResult
private func releaseRequest<Request>(_ request: UnsafeMutablePointer<Request>) -> TCPSocket? {
    // The data pointer is the first field of every libuv request and handle.
    let data = UnsafeRawPointer(request).load(as: UnsafeMutableRawPointer?.self)
    request.deallocate()
    guard let data else { return nil }
    return Unmanaged<TCPSocket>.fromOpaque(data).takeRetainedValue()
}

private func socketConnected(_ request: UnsafeMutablePointer<uv_connect_t>?, _ status: Int32) {
    guard let request, let socket = releaseRequest(request) else { return }
    socket.connection?.socketConnected(socket, status: status)
}

private func socketAllocates(
    _ handle: UnsafeMutablePointer<uv_handle_t>?, _ wanted: Int, _ buffer: UnsafeMutablePointer<uv_buf_t>?
) {
    guard let buffer, let owner = LoopResource.owner(of: handle) else { return }
    buffer.pointee = .of(UnsafeRawBufferPointer(start: owner.core.readBuffer, count: LoopCore.readBufferBytes))
}

private func socketRead(
    _ stream: UnsafeMutablePointer<uv_stream_t>?, _ count: Int, _ buffer: UnsafePointer<uv_buf_t>?
) {
    guard let socket = LoopResource.owner(of: stream) as? TCPSocket, let connection = socket.connection else { return }
    if count > 0, let base = buffer?.pointee.base {
        connection.socketReceived(UnsafeRawBufferPointer(start: base, count: count))
    } else if count == Int(UV_EOF.rawValue) {
        connection.socketEnded()
    } else if count < 0 {
        connection.fail(NetError.system(Int32(count), "Reading from \(connection.peerAddress) failed"))
    }
}

private func socketWritten(_ request: UnsafeMutablePointer<uv_write_t>?, _ status: Int32) {
    guard let request else { return }
    UnsafeMutableRawPointer(request).assumingMemoryBound(to: WriteRequest.self).pointee.bytes.deallocate()
    guard let socket = releaseRequest(request) else { return }
    socket.connection?.socketWrote(socket, status: status)
}

private func socketShutDown(_ request: UnsafeMutablePointer<uv_shutdown_t>?, _ status: Int32) {
    guard let request, let socket = releaseRequest(request) else { return }
    socket.connection?.socketShutDown(status: status)
}
