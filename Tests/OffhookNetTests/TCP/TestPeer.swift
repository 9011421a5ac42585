// SPDX-License-Identifier: MIT

import OffhookNet

/// What a TCP connection reported, for comparison; received bytes are counted on the side.
enum PeerReport: Equatable, Sendable {
    case opened
    case received([UInt8])
    case drained
    case ended
    case closed(NetError.Code?)
}

/// A handler that reports everything and does what its closures say; belongs to the loop's thread.
final class TestPeer: TCPConnectionHandler {
    let reports: Recorder<PeerReport>
    var onOpened: (TCPConnection) -> Void = { _ in }
    var onReceived: (TCPConnection, [UInt8]) -> Void = { _, _ in }
    var onEnded: (TCPConnection) -> Void = { $0.close() }

    init(_ reports: Recorder<PeerReport> = Recorder()) {
        self.reports = reports
    }

    func connectionOpened(_ connection: TCPConnection) {
        reports.report(.opened)
        onOpened(connection)
    }

    func connection(_ connection: TCPConnection, received bytes: UnsafeRawBufferPointer) {
        let bytes = Array(bytes)
        reports.report(.received(bytes))
        onReceived(connection, bytes)
    }

    func connectionDrained(_ connection: TCPConnection) {
        reports.report(.drained)
    }

    func connectionEnded(_ connection: TCPConnection) {
        reports.report(.ended)
        onEnded(connection)
    }

    func connectionClosed(_ connection: TCPConnection, error: NetError?) {
        reports.report(.closed(error?.code))
    }
}

// Protected by: the loop's thread; tests make it there.
extension TestPeer: @unchecked Sendable {}

/// Connects, sends bytes, and gives everything received until the connection is over.
func exchange(_ loop: EventLoop, port: Int, _ bytes: [UInt8]) async throws -> [UInt8] {
    let reports = Recorder<PeerReport>()
    loop.execute {
        let connection = TCPConnection.connect(
            on: loop, host: "127.0.0.1", port: port, handler: TestPeer(reports))
        connection.write(bytes)
    }
    var received: [UInt8] = []
    while true {
        switch try await reports.next() {
        case .received(let bytes): received += bytes
        case .closed: return received
        case .opened, .drained, .ended: break
        }
    }
}

/// Connects, sends text, and gives everything received until the connection is over, as text.
func exchange(_ loop: EventLoop, port: Int, _ text: String) async throws -> String {
    String(decoding: try await exchange(loop, port: port, Array(text.utf8)), as: UTF8.self)
}
