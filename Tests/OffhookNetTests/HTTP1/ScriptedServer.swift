// SPDX-License-Identifier: MIT

import OffhookNet

/// A server that reads requests and then does to the connection what a script says.
struct ScriptedServer: Sendable {
    /// A request as the script sees it.
    struct Request: Sendable {
        /// Which of the server's connections it came on, from 0.
        var connection: Int
        /// Which request of the connection it is, from 0.
        var number: Int
        var head: HTTPRequestHead
        var body: [UInt8] = []
    }

    typealias Script = @Sendable (TCPConnection, Request) -> Void

    /// Every request that came, before the script runs.
    let requests = Recorder<Request>()
    /// The connections that are over, by their number.
    let closed = Recorder<Int>()
    private let listener: TCPListener

    init(on loop: EventLoop, tls: TLSContext? = nil, _ script: @escaping Script) throws {
        let count = Guarded(0)
        listener = try TCPListener.listen(on: loop, host: "127.0.0.1", port: 0, tls: tls) { [requests, closed] in
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            $0.handler = Peer(number, requests: requests, closed: closed, script)
        }
    }

    /// A server that answers every request with these bytes and leaves the connection open.
    init(on loop: EventLoop, answering text: String) throws {
        let bytes = Array(text.utf8)
        try self.init(on: loop) { connection, _ in connection.write(bytes) }
    }

    var port: Int { listener.port }

    var url: String { "http://127.0.0.1:\(port)/" }

    private final class Peer: TCPConnectionHandler {
        private let number: Int
        private let requests: Recorder<Request>
        private let closed: Recorder<Int>
        private let script: Script
        private var decoder = HTTPDecoder(role: .server)
        private var count = 0
        private var request: Request?

        init(_ number: Int, requests: Recorder<Request>, closed: Recorder<Int>, _ script: @escaping Script) {
            self.number = number
            self.requests = requests
            self.closed = closed
            self.script = script
        }

        func connection(_ connection: TCPConnection, received bytes: UnsafeRawBufferPointer) {
            decoder.receive(bytes)
            while let part = try? decoder.next() {
                switch part {
                case .request(let head): request = Request(connection: number, number: count, head: head)
                case .body(let bytes): request?.body += bytes
                case .end:
                    guard let request else { return }
                    count += 1
                    requests.report(request)
                    script(connection, request)
                case .response: break
                }
            }
        }

        func connectionClosed(_ connection: TCPConnection, error: NetError?) {
            closed.report(number)
        }
    }
}

extension TCPConnection {
    func write(_ text: String) {
        write(Array(text.utf8))
    }

    /// Writes the bytes one by one, each in a turn of the loop of its own, then does what is left.
    func drip(_ bytes: ArraySlice<UInt8>, _ then: @escaping @Sendable (TCPConnection) -> Void = { _ in }) {
        guard let first = bytes.first else { return then(self) }
        write([first])
        loop.execute { self.drip(bytes.dropFirst(), then) }
    }
}

/// Sends a request and gives what came of it as a value.
func outcome(_ client: HTTPClient, _ request: HTTPClientRequest) async -> Result<HTTPResponse, NetError> {
    do throws(NetError) {
        return .success(try await client.send(request))
    } catch {
        return .failure(error)
    }
}

/// Sends a GET and gives what came of it as a value.
func outcome(_ client: HTTPClient, _ url: String) async -> Result<HTTPResponse, NetError> {
    await outcome(client, HTTPClientRequest(url: url))
}

extension Result where Success == HTTPResponse, Failure == NetError {
    /// The error's code; nil for an answer.
    var code: NetError.Code? {
        switch self {
        case .success: nil
        case .failure(let error): error.code
        }
    }

    /// The error's message; empty for an answer.
    var message: String {
        switch self {
        case .success: ""
        case .failure(let error): error.message
        }
    }

    /// The answer's body as text; nil for an error.
    var text: String? {
        switch self {
        case .success(let response): String(decoding: response.body, as: UTF8.self)
        case .failure: nil
        }
    }
}
