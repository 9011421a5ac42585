// SPDX-License-Identifier: MIT

import Foundation
import OffhookCore
import OffhookNet
import OffhookPush
import OffhookWire

@testable import OffhookServer

/// A server on a free port of the loopback, with a database file of its own and a clock that the test moves.
final class TestServer: Sendable {
    let server: OffhookServer
    let folder: TestFolder
    let events: EventLog
    let clock: TestClock
    private let http: HTTPClient

    /// What the server noted.
    final class EventLog: Sendable {
        private let list = Guarded<[ServerEvent]>([])

        func append(_ event: ServerEvent) {
            list.withLock { $0.append(event) }
        }

        var all: [ServerEvent] { list.withLock { $0 } }
    }

    static let secret = Array("a secret of the tests, long enough.".utf8)

    private init(server: OffhookServer, folder: TestFolder, events: EventLog, clock: TestClock) throws {
        self.server = server
        self.folder = folder
        self.events = events
        self.clock = clock
        http = HTTPClient(loop: try EventLoop(name: "http"))
    }

    /// Starts a server; a second one may go on with the clock of the first.
    static func start(
        folder: TestFolder? = nil, push: (any PushGateway)? = nil, clock: TestClock = TestClock(),
        store orders: StoreSpy.Orders = StoreSpy.Orders(),
        _ change: (inout ServerConfiguration) -> Void = { _ in }
    ) async throws -> TestServer {
        let folder = try folder ?? TestFolder()
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.database = folder.path("offhook.sqlite")
        configuration.tokenSecret = secret
        configuration.users = [
            ServerConfiguration.User(id: "alice", name: "Alice Adams"),
            ServerConfiguration.User(id: "bob", name: "Bob"),
        ]
        change(&configuration)
        let events = EventLog()
        let server = OffhookServer(
            configuration, push: push, clock: clock,
            store: { configuration throws(ServerError) in try StoreSpy(configuration, orders) },
            onEvent: { events.append($0) })
        try await server.start()
        return try TestServer(server: server, folder: folder, events: events, clock: clock)
    }

    func token(_ user: String, device: String? = nil) throws -> String {
        try server.mintToken(user: user, device: device)
    }

    /// A device that has said hello.
    func client(_ user: String, _ device: String) async throws -> TestClient {
        try await TestClient.hello(port: server.port, token: token(user), device: device).0
    }

    func stop() async {
        await server.stop()
    }

    /// Sends a request to the server's HTTP side.
    func http(_ path: String, method: String = "GET", headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
        try await http.send(
            HTTPClientRequest(method: method, url: "http://127.0.0.1:\(server.port)\(path)", headers: headers))
    }

    /// A GET with a bearer token.
    func get(_ path: String, key: String? = nil) async throws -> HTTPResponse {
        try await http(path, headers: key.map { ["Authorization": "Bearer \($0)"] } ?? [:])
    }

    /// Waits until the server noticed that all but so many devices' connections are gone.
    func settle(connections: Int) async throws {
        while try await !get("/v1/health").text.hasSuffix("\"connections\":\(connections)}") {}
    }

    static func newCall() -> CallID {
        CallID(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
    }
}

extension HTTPResponse {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// A folder that is gone when nobody holds it any more.
final class TestFolder: Sendable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("offhook-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String {
        url.appendingPathComponent(name).path
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: url.appendingPathComponent(name))
    }

    func bytes(_ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: url.appendingPathComponent(name)))
    }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: path(name))
    }

    /// The database as a killed process leaves it: file and log as they are at this moment.
    func crashImage() throws -> TestFolder {
        let image = try TestFolder()
        for name in ["offhook.sqlite", "offhook.sqlite-wal"] where exists(name) {
            try image.write(bytes(name), to: name)
        }
        return image
    }
}

/// A gateway that answers pushes as it is told.
final class TestGateway: PushGateway {
    private struct State {
        var pushes: [InvitationPush] = []
        var completions: [@Sendable (PushOutcome) -> Void] = []
        var waiters: [CheckedContinuation<InvitationPush, Never>] = []
        var taken = 0
    }

    private let state = Guarded(State())
    private let result: PushOutcome?

    /// Nil: pushes stay unanswered until `answer`.
    init(_ result: PushOutcome? = .accepted(id: "1")) {
        self.result = result
    }

    func send(
        _ push: InvitationPush, within limit: Duration, completion: @escaping @Sendable (PushOutcome) -> Void
    ) {
        let waiter: CheckedContinuation<InvitationPush, Never>? = state.withLock { state in
            state.pushes.append(push)
            if result == nil { state.completions.append(completion) }
            guard !state.waiters.isEmpty else { return nil }
            state.taken += 1
            return state.waiters.removeFirst()
        }
        waiter?.resume(returning: push)
        if let result { completion(result) }
    }

    func close() async {}

    var pushes: [InvitationPush] { state.withLock { $0.pushes } }

    /// The next push that nobody has taken yet.
    func next() async -> InvitationPush {
        await withCheckedContinuation { continuation in
            let push: InvitationPush? = state.withLock { state in
                guard state.taken < state.pushes.count else {
                    state.waiters.append(continuation)
                    return nil
                }
                state.taken += 1
                return state.pushes[state.taken - 1]
            }
            if let push { continuation.resume(returning: push) }
        }
    }

    /// Answers every push that waits for it.
    func answer(_ result: PushOutcome) {
        let completions = state.withLock { state in
            defer { state.completions = [] }
            return state.completions
        }
        for completion in completions { completion(result) }
    }
}
