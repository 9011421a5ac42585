// SPDX-License-Identifier: MIT

import OffhookNet

/// The part of a sender that its loop's thread runs: carries out what the machines decide.
///
/// - Isolation: the loop's thread
final class PushDesk {
    let configuration: PushSender.Configuration
    let loop: EventLoop
    private let tls: TLSContext
    private let tokens: ProviderTokens
    private let host: String
    private let authority: String
    private var machine = ConnectionMachine()
    private var connections: [Int: HTTP2ClientConnection] = [:]
    private var current: (number: Int, connection: HTTP2ClientConnection)?
    private var waiting: [PendingPush] = []
    private var pausing: [ObjectIdentifier: PendingPush] = [:]
    private var topics: [String: String] = [:]
    private var armedFor: ContinuousClock.Instant?
    private var isStopped = false
    private var provenConnection = 0
    private var acceptedGeneration = 0

    init(loop: EventLoop, configuration: PushSender.Configuration, tls: TLSContext) {
        self.loop = loop
        self.configuration = configuration
        self.tls = tls
        tokens = configuration.credentials.tokens
        host = "\(configuration.endpoint.host):\(configuration.endpoint.port)"
        authority = configuration.endpoint.authority
    }

    // MARK: - One push

    func start(_ pending: PendingPush) {
        guard !isStopped else { return pending.finish(.unreachable(why: "the push sender is stopped")) }
        guard pending.deadline > .now else { return pending.finish(.unreachable(why: pending.lastFailure)) }
        guard let current, current.connection.isUsable else { return wait(pending) }
        send(pending, on: current.connection, number: current.number)
    }

    private func wait(_ pending: PendingPush) {
        guard waiting.count < configuration.limits.waitingPushes else {
            return pending.finish(.unreachable(why: "\(waiting.count) pushes already wait for a connection"))
        }
        waiting.append(pending)
        arm(pending.deadline)
        run(.needed)
    }

    private func send(_ pending: PendingPush, on connection: HTTP2ClientConnection, number: Int) {
        let token: ProviderTokenMachine.Token
        switch tokens.token(for: host, at: configuration.clock()) {
        case .use(let answer): token = answer
        case .refuse(let reason, let reaction):
            return pending.finish(.rejected(reason: reason, reaction: reaction, tokenInvalidSince: nil))
        }
        pending.attempts += 1
        let remaining = pending.deadline - .now
        let timeout = min(configuration.limits.requestTimeout, remaining)
        connection.send(request(pending.push, token), timeout: timeout) { [self] answer in
            switch answer {
            case .success(let response):
                answered(pending, response, generation: token.generation, number: number)
            case .failure(let failure): failed(pending, failure, number: number)
            }
        }
    }

    private func request(_ push: VoIPPush, _ token: ProviderTokenMachine.Token) -> HTTP2Request {
        let expiration =
            switch push.expiration {
            case .immediate: "0"
            case .at(let seconds): String(seconds)
            }
        var headers = [
            HTTP2Header("authorization", token.authorization, isNeverIndexed: true),
            HTTP2Header("apns-push-type", "voip"),
            HTTP2Header("apns-topic", topic(push.bundleID)),
            HTTP2Header("apns-priority", "10"),
            HTTP2Header("apns-expiration", expiration, isNeverIndexed: push.expiration != .immediate),
            HTTP2Header("apns-id", push.apnsID, isNeverIndexed: true),
        ]
        if let collapseID = push.collapseID {
            headers.append(HTTP2Header("apns-collapse-id", collapseID, isNeverIndexed: true))
        }
        return HTTP2Request(
            method: "POST", authority: authority, path: "/3/device/" + push.token, headers: headers, body: push.payload)
    }

    private func topic(_ bundleID: String) -> String {
        if let topic = topics[bundleID] { return topic }
        if topics.count > 1_000 { topics.removeAll() }
        let topic = bundleID + ".voip"
        topics[bundleID] = topic
        return topic
    }

    private func answered(_ pending: PendingPush, _ response: HTTP2Response, generation: Int, number: Int) {
        // Both are news the first time alone; a sender at full speed shall not pay for them with each push.
        if provenConnection != number {
            provenConnection = number
            run(.answered(number))
        }
        guard response.status != 200 else {
            if acceptedGeneration != generation {
                acceptedGeneration = generation
                tokens.report(.accepted(generation: generation), host: host, at: configuration.clock())
            }
            return pending.finish(.accepted(id: response.header("apns-id") ?? pending.push.apnsID))
        }
        let body = AnswerBody(response.body)
        let reaction = PushReaction.to(status: response.status, reason: body.reason)
        let reason = body.reason ?? "HTTP \(response.status)"
        act(on: reaction, reason: reason, generation: generation, number: number)
        let outcome = PushOutcome.rejected(reason: reason, reaction: reaction, tokenInvalidSince: body.timestamp)
        guard pending.mayRetry(after: reaction, attemptLimit: configuration.limits.attempts) else {
            return pending.finish(outcome)
        }
        pending.lastFailure = "APNs answered \(response.status) \(reason)"
        retry(pending)
    }

    private func act(on reaction: PushReaction, reason: String, generation: Int, number: Int) {
        let now = configuration.clock()
        switch reaction {
        case .renewProviderToken:
            tokens.report(.expired(generation: generation), host: host, at: now)
            run(.retired(number))
        case .freezeProviderToken:
            tokens.report(.tooManyUpdates(generation: generation), host: host, at: now)
            run(.retired(number))
        case .stopCredential:
            acceptedGeneration = 0
            tokens.report(.keyRefused(generation: generation, reason: reason), host: host, at: now)
            run(.retired(number))
            tell(.credentialRefused(reason: reason))
        case .changeConnection, .reconnect, .retrySoon: run(.retired(number))
        case .quarantineToken, .fixConfiguration, .fixSender, .reportUnknown:
            tell(.needsAttention(reason: reason, reaction))
        case .checkToken, .deleteToken, .backOffToken: break
        }
    }

    private func failed(_ pending: PendingPush, _ failure: HTTP2Failure, number: Int) {
        switch failure {
        // Nobody knows what became of it; the connection that swallowed it gets no more.
        case .timedOut: run(.retired(number))
        // Waiting for a connection that did not come up is no attempt.
        case .notSent: if current?.number != number || current?.connection.isUsable != true { pending.attempts -= 1 }
        case .refused, .reset, .connectionLost: break
        }
        pending.lastFailure = failure.description
        guard !isStopped, pending.attempts < configuration.limits.attempts else {
            return pending.finish(.unreachable(why: pending.lastFailure))
        }
        retry(pending)
    }

    private func retry(_ pending: PendingPush) {
        guard !isStopped else { return pending.finish(.unreachable(why: pending.lastFailure)) }
        let pause = pending.pause
        guard ContinuousClock.now + pause < pending.deadline else {
            return pending.finish(.unreachable(why: pending.lastFailure))
        }
        tell(.retrying(apnsID: pending.push.apnsID, why: pending.lastFailure))
        let key = ObjectIdentifier(pending)
        pausing[key] = pending
        let resume: @Sendable () -> Void = { [self] in
            if let pending = pausing.removeValue(forKey: key) { start(pending) }
        }
        if pause == .zero {
            if !loop.execute(resume) { pending.finish(.unreachable(why: pending.lastFailure)) }
        } else {
            loop.schedule(after: pause, resume)
        }
    }

    // MARK: - The connection

    private func run(_ event: ConnectionMachine.Event) {
        let now = configuration.clock().steady
        for effect in machine.handle(event, at: now) {
            switch effect {
            case .connect(let number): connect(number)
            case .close(let number):
                if current?.number == number { current = nil }
                connections[number]?.close()
            case .wake:
                let pause = max(0, (machine.deadline ?? now) - now)
                loop.schedule(after: .milliseconds(pause)) { [self] in run(.tick) }
            }
        }
    }

    private func connect(_ number: Int) {
        tell(.connecting(number))
        var settings = HTTP2ClientConnection.Configuration()
        settings.connectTimeout = configuration.limits.connectTimeout
        settings.pingInterval = configuration.limits.pingInterval
        do throws(NetError) {
            let connection = try HTTP2ClientConnection.connect(
                on: loop, host: configuration.endpoint.host, port: configuration.endpoint.port, tls: tls,
                configuration: settings
            ) { [weak self] in self?.happened($0, number: number) }
            connections[number] = connection
            current = (number, connection)
        } catch {
            tell(.disconnected(number, why: error.message))
            loop.execute { [self] in run(.closed(number)) }
            return
        }
        let pushes = waiting
        waiting = []
        for pending in pushes { start(pending) }
    }

    private func happened(_ event: HTTP2ClientConnection.Event, number: Int) {
        switch event {
        case .opened:
            tell(.connected(number))
            run(.opened(number))
        case .streamLimitChanged(let limit): tell(.streamLimit(number, limit))
        case .goAway(_, _, let data):
            tell(.goneAway(number, reason: AnswerBody(data).reason))
            run(.retired(number))
        case .closed(let error):
            connections[number] = nil
            if current?.number == number { current = nil }
            tell(.disconnected(number, why: error?.message))
            run(.closed(number))
            if !waiting.isEmpty { run(.needed) }
        }
    }

    private func tell(_ event: @autoclosure () -> PushEvent) {
        configuration.onEvent?(event())
    }

    // MARK: - Time and end

    private func arm(_ deadline: ContinuousClock.Instant) {
        if let armedFor, armedFor <= deadline { return }
        armedFor = deadline
        loop.schedule(after: max(.zero, deadline - .now)) { [self] in giveUpLate() }
    }

    private func giveUpLate() {
        armedFor = nil
        let now = ContinuousClock.now
        let late = waiting.filter { $0.deadline <= now }
        waiting.removeAll { $0.deadline <= now }
        if let next = waiting.map(\.deadline).min() { arm(next) }
        for pending in late { pending.finish(.unreachable(why: pending.lastFailure)) }
    }

    func stop() {
        guard !isStopped else { return }
        isStopped = true
        run(.stopped)
        let left = waiting + Array(pausing.values)
        waiting = []
        pausing = [:]
        for pending in left { pending.finish(.unreachable(why: "the push sender was stopped")) }
        for connection in connections.values { connection.abort() }
    }
}

// Protected by: its loop's thread, where all of it runs after init.
extension PushDesk: @unchecked Sendable {}
