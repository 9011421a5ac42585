// SPDX-License-Identifier: MIT

import Foundation

/// One end of the socket between a phone and a process: whole messages in, whole messages out.
///
/// One thread reads; any thread writes.
final class RemoteChannel: Sendable {
    private let descriptor: Int32
    private let writing = Locked(false)

    /// Takes over an open socket; the channel closes it when it goes.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Sends a message; waits while the other side does not read.
    func send(_ message: RemoteMessage) throws {
        let frame = try RemoteFrame.encode(message)
        let isWritten = writing.withLock { isBroken in
            if !isBroken { isBroken = !write(frame) }
            return !isBroken
        }
        if !isWritten { throw RemoteError.closed }
    }

    /// Waits for the next message; nil when the other side is gone.
    func receive() throws -> RemoteMessage? {
        guard let head = read(4) else { return nil }
        let length = Int([UInt32](littleEndian: head).first ?? 0)
        guard length >= 4, length <= RemoteFrame.limit else { throw RemoteError.malformed }
        guard let body = read(length) else { return nil }
        return try RemoteFrame.decode(body)
    }

    /// Wakes the reader of either side: nothing more comes.
    func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private func write(_ data: Data) -> Bool {
        data.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let step = Foundation.send(
                    descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done,
                    Int32(MSG_NOSIGNAL))
                if step < 0 && errno == EINTR { continue }
                guard step > 0 else { return false }
                done += step
            }
            return true
        }
    }

    private func read(_ count: Int) -> Data? {
        var data = Data(count: count)
        let isRead = data.withUnsafeMutableBytes { buffer in
            var done = 0
            while done < count {
                let step = recv(descriptor, buffer.baseAddress?.advanced(by: done), count - done, 0)
                if step < 0 && errno == EINTR { continue }
                guard step > 0 else { return false }
                done += step
            }
            return true
        }
        return isRead ? data : nil
    }
}
