// SPDX-License-Identifier: MIT

import OffhookNet
import VirtualAPNs

/// A gateway with one team, one app and one device, and a clock that the test sets.
struct Gateway {
    static let team = "TEAM012345"
    static let keyID = "KEY0123456"
    static let bundle = "com.example.app"
    static let token = "00aa11bb22cc33dd44ee55ff00aa11bb22cc33dd44ee55ff00aa11bb22cc33dd"
    static let start: Int64 = 1_800_000_000_000

    let key: ES256PrivateKey
    let standardAuthorization: String
    let apns: VirtualAPNs
    let clock: TestClock
    let record: Record

    init(_ change: (inout VirtualAPNs.Configuration) -> Void = { _ in }) throws {
        let key = try ES256PrivateKey.generate()
        self.key = key
        standardAuthorization = try Self.authorize(
            key, "{\"alg\":\"ES256\",\"kid\":\"\(Self.keyID)\"}",
            "{\"iss\":\"\(Self.team)\",\"iat\":\(Self.start / 1_000)}")
        let clock = TestClock(Self.start)
        let record = Record()
        var configuration = VirtualAPNs.Configuration(
            teamID: Self.team, keys: [Self.keyID: key.publicKey], bundleIDs: [Self.bundle])
        configuration.clock = { clock.now }
        configuration.onEvent = { event in record.add(event) }
        change(&configuration)
        apns = try VirtualAPNs(configuration: configuration)
        self.clock = clock
        self.record = record
        apns.register(token: Self.token, bundle: Self.bundle, environment: configuration.environment) {
            record.add($0)
        }
    }

    /// The value of `authorization`, with what a test wants to be wrong about it.
    func authorization(
        header: String? = nil, claims: String? = nil, key other: ES256PrivateKey? = nil, age: Int64 = 0
    ) throws -> String {
        let header = header ?? "{\"alg\":\"ES256\",\"kid\":\"\(Self.keyID)\"}"
        let claims = claims ?? "{\"iss\":\"\(Self.team)\",\"iat\":\(clock.now / 1_000 - age)}"
        return try Self.authorize(other ?? key, header, claims)
    }

    private static func authorize(_ key: ES256PrivateKey, _ header: String, _ claims: String) throws -> String {
        let signed = Base64URL.encode(header.utf8) + "." + Base64URL.encode(claims.utf8)
        let signature = try key.sign(Array(signed.utf8))
        return "bearer \(signed).\(Base64URL.encode(signature))"
    }

    /// A request that the gateway takes.
    func push(authorization: String? = nil) -> HTTP2Request {
        HTTP2Request(
            method: "POST", authority: "localhost", path: "/3/device/" + Self.token,
            headers: [
                HTTP2Header("authorization", authorization ?? standardAuthorization),
                HTTP2Header("apns-push-type", "voip"), HTTP2Header("apns-topic", Self.bundle + ".voip"),
                HTTP2Header("apns-priority", "10"), HTTP2Header("apns-expiration", "0"),
                HTTP2Header("apns-id", "11111111-2222-3333-4444-555555555555"),
            ], body: Array("{\"call\":1}".utf8))
    }
}

extension HTTP2Request {
    /// The request with one field changed, or removed for nil.
    func with(_ name: String, _ value: String?) -> HTTP2Request {
        var changed = self
        changed.headers.removeAll { $0.name == name }
        if let value { changed.headers.append(HTTP2Header(name, value)) }
        return changed
    }
}

/// A clock that stands until the test moves it.
final class TestClock: Sendable {
    private let milliseconds: Guarded<Int64>

    init(_ start: Int64) {
        milliseconds = Guarded(start)
    }

    var now: Int64 { milliseconds.withLock { $0 } }

    func advance(seconds: Int64) {
        milliseconds.withLock { $0 += seconds * 1_000 }
    }
}

/// What a gateway told and delivered.
final class Record: Sendable {
    private let state = Guarded<(events: [GatewayEvent], deliveries: [Delivery])>(([], []))

    func add(_ event: GatewayEvent) {
        state.withLock { $0.events.append(event) }
    }

    func add(_ delivery: Delivery) {
        state.withLock { $0.deliveries.append(delivery) }
    }

    var events: [GatewayEvent] { state.withLock { $0.events } }
    var deliveries: [Delivery] { state.withLock { $0.deliveries } }

    var refusals: [Refusal] {
        events.compactMap { if case .refused(let refusal) = $0.kind { refusal } else { nil } }
    }
}

/// A bare HTTP/2 client that sends whatever a test wants.
final class RawSender: Sendable {
    private struct State {
        var connection: HTTP2ClientConnection?
        var limits: [Int] = []
        var goAways: [[UInt8]] = []
        var isClosed = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let loop: EventLoop
    private let state = Guarded(State())

    init(_ gateway: VirtualAPNs) async throws {
        let tls = try TLSContext.client(roots: gateway.rootCertificatePEM, alpn: ["h2"])
        let port = gateway.port
        loop = try EventLoop(name: "raw-sender")
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            loop.execute {
                do {
                    let connection = try HTTP2ClientConnection.connect(
                        on: self.loop, host: "127.0.0.1", port: port, tls: tls
                    ) { [weak self] in self?.happened($0) }
                    self.state.withLock { $0.connection = connection }
                    done.resume()
                } catch {
                    done.resume(throwing: error)
                }
            }
        }
    }

    private func happened(_ event: HTTP2ClientConnection.Event) {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            switch event {
            case .opened: state.limits.append(state.connection?.streamLimit ?? -1)
            case .streamLimitChanged(let limit): state.limits.append(limit)
            case .goAway(_, _, let data): state.goAways.append(data)
            case .closed: state.isClosed = true
            }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// The numbers of streams the server allowed, in order.
    var limits: [Int] { state.withLock { $0.limits } }
    var goAways: [[UInt8]] { state.withLock { $0.goAways } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Waits until a condition holds; looks at it after each event of the connection.
    func until(_ condition: @escaping @Sendable (RawSender) -> Bool) async {
        while !condition(self) {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiting.append(continuation) }
                // What happened between the look and the wait must not be missed.
                if condition(self) { loop.execute { self.wake() } }
            }
        }
    }

    private func wake() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func answer(_ request: HTTP2Request, timeout: Duration = .seconds(60)) async -> HTTP2ClientConnection.Answer {
        await withCheckedContinuation { done in
            loop.execute {
                self.state.withLock { $0.connection }?.send(request, timeout: timeout) { done.resume(returning: $0) }
            }
        }
    }

    /// The status and the reason of an answer.
    func send(_ request: HTTP2Request) async throws -> Answer {
        let response = try await answer(request).get()
        let body = String(decoding: response.body, as: UTF8.self)
        let parts = body.split(separator: "\"")
        return Answer(
            status: response.status, reason: parts.count > 3 ? String(parts[3]) : nil, id: response.header("apns-id"),
            uniqueID: response.header("apns-unique-id"), body: body)
    }

    struct Answer: Equatable {
        var status: Int
        var reason: String?
        var id: String?
        var uniqueID: String?
        var body: String
    }
}
