// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookWire

/// What the server has told one device, across its connections; bound to the server's thread.
final class Session {
    let id: String
    let party: BrokerParty
    /// The device's live connection; nil while it is away.
    var connection: Connection?
    private(set) var sequence = 0
    /// The last messages, oldest first, not yet acknowledged.
    private(set) var buffer: [ServerMessage] = []
    /// The number of the last message that can no longer be replayed.
    private var forgotten = 0
    private let limit: Int
    private let byteLimit: Int
    private var bytes = 0
    /// Counts the times that the device went away, so that an old timer does not end a session in use.
    var absences = 0

    init(id: String, party: BrokerParty, limits: ServerConfiguration.Limits) {
        self.id = id
        self.party = party
        limit = limits.replayMessages
        byteLimit = limits.replayBytes
    }

    /// Numbers a message, keeps it for a resume and sends it if the device is there.
    func send(_ body: ServerMessage.Body) {
        sequence += 1
        let message = ServerMessage(sequence: sequence, body: body)
        buffer.append(message)
        bytes += Self.size(of: message)
        var excess = max(buffer.count - limit, 0)
        var rest = bytes - buffer.prefix(excess).reduce(0) { $0 + Self.size(of: $1) }
        while rest > byteLimit, excess < buffer.count {
            rest -= Self.size(of: buffer[excess])
            excess += 1
        }
        if excess > 0 { forget(excess) }
        connection?.send(message)
    }

    /// What a message takes up, nearly: only media signals can be large.
    private static func size(of message: ServerMessage) -> Int {
        if case .media(_, let signal) = message.body { 256 + signal.body.utf8.count } else { 256 }
    }

    private func forget(_ count: Int) {
        bytes -= buffer.prefix(count).reduce(0) { $0 + Self.size(of: $1) }
        buffer.removeFirst(count)
        forgotten += count
    }

    /// Forgets what the device has handled.
    func acknowledge(_ handled: Int) {
        forget(min(max(handled - forgotten, 0), buffer.count))
    }

    /// What came after a number; nil when some of it is forgotten, or was never sent.
    ///
    /// Offers are left out: one that still rings is in the welcome, another must not ring any more.
    func replay(after handled: Int) -> [ServerMessage]? {
        guard handled >= forgotten, handled <= sequence else { return nil }
        return buffer.dropFirst(handled - forgotten).filter { message in
            if case .invited = message.body { return false }
            return true
        }
    }
}
