// SPDX-License-Identifier: MIT

public import OffhookCore
import OffhookNet

/// The call server: signaling over WebSockets, device registry, VoIP pushes, call records.
///
/// One event-loop thread owns everything. Every change of a call is in the database before anybody is told of it, so
/// the process may die at any time: on the next start the calls go on, or end at their deadlines.
public final class OffhookServer: Sendable {
    private struct Running: Sendable {
        var loop: EventLoop
        var switchboard: Switchboard
        var server: HTTPServer
        var tokens: SessionTokens
    }

    private enum Phase: Sendable {
        case new
        case starting
        case running(Running)
        case stopped
    }

    private let configuration: ServerConfiguration
    private let givenGateway: (any PushGateway)?
    private let clock: any ServerClock
    private let makeStore: @Sendable (ServerConfiguration) throws(ServerError) -> any Store
    private let onEvent: @Sendable (ServerEvent) -> Void
    private let phase = Guarded(Phase.new)

    /// Prepares a server; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - configuration: What it is told.
    ///   - push: Sends the pushes; nil: APNs as the configuration says, or no pushes at all.
    ///   - onEvent: Told what happens, for a timeline, on the server's thread: it must return at once.
    public convenience init(
        _ configuration: ServerConfiguration, push: (any PushGateway)? = nil,
        onEvent: @escaping @Sendable (ServerEvent) -> Void = { _ in }
    ) {
        self.init(configuration, push: push, clock: SystemServerClock(), onEvent: onEvent)
    }

    /// Prepares a server that lives by a clock of the test's.
    package convenience init(
        _ configuration: ServerConfiguration, push: (any PushGateway)? = nil, clock: any ServerClock,
        onEvent: @escaping @Sendable (ServerEvent) -> Void = { _ in }
    ) {
        self.init(
            configuration, push: push, clock: clock,
            store: { configuration throws(ServerError) in
                try SQLiteStore(path: configuration.database, fullSync: configuration.fullSync)
            }, onEvent: onEvent)
    }

    /// Prepares a server with another store, which is made on the server's thread.
    init(
        _ configuration: ServerConfiguration, push: (any PushGateway)?, clock: any ServerClock,
        store: @escaping @Sendable (ServerConfiguration) throws(ServerError) -> any Store,
        onEvent: @escaping @Sendable (ServerEvent) -> Void
    ) {
        makeStore = store
        self.configuration = configuration
        givenGateway = push
        self.clock = clock
        self.onEvent = onEvent
    }

    /// Opens database and port and takes up the calls of the last run; returns when clients can connect.
    ///
    /// - Throws: ``ServerError`` that names the option, file or port, and says what to do. No call is touched then.
    public func start() async throws(ServerError) {
        let isFirst = phase.withLock { phase in
            guard case .new = phase else { return false }
            phase = .starting
            return true
        }
        guard isFirst else { throw ServerError(.lifecycle, "The server was started before; make a new one.") }
        let running: Running
        do {
            running = try await open()
        } catch {
            phase.withLock { $0 = .stopped }
            throw error
        }
        let isWanted = phase.withLock { phase in
            guard case .starting = phase else { return false }
            phase = .running(running)
            return true
        }
        guard isWanted else {
            await end(running)
            throw ServerError(.lifecycle, "The server was stopped while it started.")
        }
    }

    private func open() async throws(ServerError) -> Running {
        let gateway = try gateway()
        let loop: EventLoop
        do {
            loop = try EventLoop(name: "offhook-server")
        } catch {
            throw ServerError(.network, error.message)
        }
        do {
            let (switchboard, tokens) = try await prepare(on: loop, gateway).get()
            let routes = HTTPRoutes(switchboard: switchboard, tokens: tokens, configuration: configuration)
            let server = try listen(on: loop, routes)
            loop.execute { switchboard.resumeCalls() }
            return Running(loop: loop, switchboard: switchboard, server: server, tokens: tokens)
        } catch {
            loop.stop()
            throw error
        }
    }

    private func prepare(
        on loop: EventLoop, _ gateway: (any PushGateway)?
    ) async -> Result<(Switchboard, SessionTokens), ServerError> {
        await withCheckedContinuation { continuation in
            loop.execute { [configuration, clock, onEvent, makeStore] in
                continuation.resume(
                    returning: Result { () throws(ServerError) in
                        let store = try makeStore(configuration)
                        let tokens = try OffhookServer.tokens(configuration, store)
                        let switchboard = Switchboard(
                            loop: loop, store: store, configuration: configuration, gateway: gateway, clock: clock,
                            onEvent: onEvent)
                        try switchboard.load()
                        return (switchboard, tokens)
                    })
            }
        }
    }

    private static func tokens(
        _ configuration: ServerConfiguration, _ store: any Store
    ) throws(ServerError) -> SessionTokens {
        if let secret = configuration.tokenSecret { return try SessionTokens(secret: secret) }
        let text: String
        do {
            text = try store.setting("token_secret") { Base64URL.encode(SecureRandom.bytes(32)) }
            try store.commit()
        } catch {
            throw SQLiteStore.error(error, path: configuration.database, doing: "written")
        }
        return try SessionTokens(secret: Array(text.utf8))
    }

    private func listen(on loop: EventLoop, _ routes: HTTPRoutes) throws(ServerError) -> HTTPServer {
        do throws(NetError) {
            var context: TLSContext?
            if let tls = configuration.tls {
                context = try TLSContext.server(certificate: tls.certificate, key: tls.key, alpn: ["http/1.1"])
            }
            return try HTTPServer(
                loop: loop, host: configuration.host, port: configuration.port, tls: context,
                handler: { request, respond in respond(routes.respond(to: request)) },
                upgrade: { routes.upgrade($0) })
        } catch {
            throw ServerError(.network, error.message)
        }
    }

    private func gateway() throws(ServerError) -> (any PushGateway)? {
        if let givenGateway { return givenGateway }
        guard let push = configuration.push else { return nil }
        return try APNsGateway(push)
    }

    private var running: Running? {
        phase.withLock { phase in
            if case .running(let running) = phase { running } else { nil }
        }
    }

    /// Stops listening, says goodbye to every client, and ends; calls stay in the database and go on at the next start.
    public func stop() async {
        let ended: Running? = phase.withLock { phase in
            switch phase {
            case .new, .stopped: return nil
            case .starting:
                phase = .stopped  // start() sees it and takes everything down again
                return nil
            case .running(let running):
                phase = .stopped
                return running
            }
        }
        if let ended { await end(ended) }
    }

    private func end(_ ended: Running) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            ended.loop.execute {
                ended.switchboard.stop()
                ended.server.drain(within: .seconds(2)) { continuation.resume() }
            }
        }
        await ended.switchboard.gateway?.close()
        ended.loop.stop()
    }

    /// The port that is listened on; 0 while the server does not run.
    public var port: Int {
        running?.server.port ?? 0
    }

    /// A session token for a user, signed with the server's secret.
    ///
    /// - Parameters:
    ///   - user: The user's id.
    ///   - device: The only device that may use it; nil: any.
    ///   - name: The user's name to show; nil: as known.
    ///   - lifetime: How long it is good for; a day unless given.
    /// - Returns: The token for `Authorization: Bearer`.
    /// - Throws: ``ServerError`` of code `lifecycle` while the server does not run.
    public func mintToken(
        user: String, device: String? = nil, name: String? = nil, lifetime: TimeSpan = .seconds(86_400)
    ) throws(ServerError) -> String {
        guard let running else { throw ServerError(.lifecycle, "The server does not run.") }
        return running.tokens.mint(
            SessionTokens.Claims(
                user: user, device: device, name: name, expiresAt: running.switchboard.clock.now + lifetime))
    }

    /// What the server knows of a call; nil when there is no such call, or the server does not run.
    public func callRecord(_ call: CallID) async -> CallRecord? {
        await onLoop { try? $0.record(call) } ?? nil
    }

    /// Ends what a device has: its push token, its connection and its part in calls (race 29).
    ///
    /// - Returns: False when the change could not be stored.
    @discardableResult
    public func signOut(user: String, device: String) async -> Bool {
        await onLoop { (try? $0.signOut(BrokerParty(user: user, device: device))) != nil } ?? false
    }

    /// Sets whether a user takes calls from another; who is blocked sees the user as unreachable (race 30).
    ///
    /// - Returns: False when the change could not be stored.
    @discardableResult
    public func setBlocked(_ isBlocked: Bool, caller: String, by user: String) async -> Bool {
        await onLoop { (try? $0.setBlocked(isBlocked, caller, by: user)) != nil } ?? false
    }

    private func onLoop<Value: Sendable>(_ work: @escaping @Sendable (Switchboard) -> Value) async -> Value? {
        guard let running else { return nil }
        return await withCheckedContinuation { continuation in
            let isRunning = running.loop.execute { continuation.resume(returning: work(running.switchboard)) }
            if !isRunning { continuation.resume(returning: nil) }
        }
    }
}
