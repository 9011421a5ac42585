// SPDX-License-Identifier: MIT

import OffhookNet

/// One request as raw text, and everything that comes back until the server closes.
final class HTTPExchange: TCPConnectionHandler, Sendable {
    private let request: String
    private let received = Guarded<[UInt8]>([])
    private let continuation: CheckedContinuation<String, Never>

    private init(_ request: String, _ continuation: CheckedContinuation<String, Never>) {
        self.request = request
        self.continuation = continuation
    }

    /// Sends the text; `Connection: close` is the caller's business unless the server closes of itself.
    static func send(_ request: String, port: Int) async throws -> String {
        let loop = try EventLoop(name: "http")
        defer { loop.stop() }
        return await withCheckedContinuation { continuation in
            let exchange = HTTPExchange(request, continuation)
            loop.execute {
                _ = TCPConnection.connect(
                    on: loop, host: "127.0.0.1", port: port, tls: nil, timeout: .seconds(30), handler: exchange)
            }
        }
    }

    /// A GET with a bearer token.
    static func get(_ path: String, port: Int, key: String? = nil) async throws -> String {
        let authorization = key.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        return try await send(
            "GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(authorization)\r\n", port: port)
    }

    func connectionOpened(_ connection: TCPConnection) {
        connection.write(Array(request.utf8))
    }

    func connection(_ connection: TCPConnection, received bytes: UnsafeRawBufferPointer) {
        received.withLock { $0.append(contentsOf: bytes) }
    }

    func connectionEnded(_ connection: TCPConnection) {
        connection.close()
    }

    func connectionClosed(_ connection: TCPConnection, error: NetError?) {
        continuation.resume(returning: String(decoding: received.withLock { $0 }, as: UTF8.self))
    }
}
