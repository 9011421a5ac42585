// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import OffhookCore
import OffhookWire

/// The shell: one serial queue that owns the call rules and carries out what they order.
///
/// CallKit, PushKit, media and signaling enter through ``receive(_:)`` on the queue, and the effects of an event are
/// carried out in order before it returns: that is how a push is reported inside its callback (K3).
final class Engine {
    let queue = DispatchQueue(label: "offhook.engine")
    let configuration: CallCenter.Configuration
    let media: any MediaEngine
    let clock: any EngineClock
    let signals: SignalClient
    private let makeSystem: (CallCenter.Configuration, DispatchQueue) -> (any PhoneSystem)?
    private let queueKey = DispatchSpecificKey<Bool>()

    private(set) var machine: PhoneMachine
    private var phase: Phase = .new
    private var system: (any PhoneSystem)?
    private var timer: (any EngineTimer)?
    private var armed: Instant?
    var inbox: [PhoneMachine.Event] = []
    private var isDraining = false
    private var commandCount = 0
    var sessions: [CallID: any MediaSession] = [:]
    var commands: [CommandID: CheckedContinuation<Void, any Error>] = [:]
    let streams = EventStreams()
    /// How far the server's clock is ahead of this one, as far as it is worth a correction.
    var skew: Duration = .zero

    private enum Phase {
        /// Not started.
        case new
        /// Started.
        case running
        /// Stopped for good.
        case stopped
    }

    init(
        configuration: CallCenter.Configuration, media: any MediaEngine, transport: any SignalTransport,
        clock: any EngineClock,
        system makeSystem: @escaping (CallCenter.Configuration, DispatchQueue) -> (any PhoneSystem)? = Engine.phone
    ) {
        self.configuration = configuration
        self.media = media
        self.clock = clock
        self.makeSystem = makeSystem
        machine = PhoneMachine(policy: configuration.policy)
        signals = SignalClient(configuration: configuration, transport: transport, queue: queue, clock: clock)
        queue.setSpecific(key: queueKey, value: true)
    }

    /// Runs work on the queue and waits for it; at once when already there.
    func onQueue<Result>(_ work: () -> Result) -> Result {
        DispatchQueue.getSpecific(key: queueKey) == true ? work() : queue.sync(execute: work)
    }

    // MARK: - Life

    func start() {
        guard onQueue({ phase == .new }) else { return }
        // The framework objects are made on the caller's thread, before anything can call back.
        let system = makeSystem(configuration, queue)
        let isFirst = onQueue {
            guard phase == .new else { return false }
            phase = .running
            self.system = system
            timer = clock.makeTimer(queue: queue) { [weak self] in self?.tick() }
            signals.callsToAsk = { [weak self] in self?.machine.callsKnownToServer ?? [] }
            signals.rearm = { [weak self] in self?.arm() }
            signals.attach { [weak self] in self?.hear($0) }
            system?.begin(self)
            signals.connect()
            return true
        }
        if isFirst { warmUp() } else { system?.invalidate() }
    }

    /// Warms the media engine up beside the launch; a failure is told, and seen again when a call needs media.
    private func warmUp() {
        Task { [weak self, media] in
            do {
                try await media.prepare()
            } catch {
                let failure = error as? MediaFailure
                let message = failure?.message ?? "The media engine cannot work: \(error)"
                self?.warn(OffhookError(.mediaFailed, message, underlying: error))
            }
        }
    }

    private func warn(_ error: OffhookError) {
        queue.async { self.streams.send(.warning(error)) }
    }

    func stop() {
        onQueue {
            guard phase == .running else {
                phase = .stopped
                streams.finish()
                return
            }
            phase = .stopped
            timer?.set(nil)
            signals.stop()
            for session in sessions.values { session.close() }
            sessions = [:]
            system?.invalidate()
            system = nil
            for continuation in commands.values {
                continuation.resume(throwing: OffhookError(.notStarted, "The call center was stopped."))
            }
            commands = [:]
            streams.finish()
        }
    }

    // MARK: - Time

    private func tick() {
        armed = nil
        if let deadline = signals.deadline, deadline <= clock.now { signals.tick() }
        if let deadline = machine.deadline, deadline <= clock.now { receive(.tick) }
        arm()
    }

    private func arm() {
        let next = [machine.deadline, signals.deadline].compactMap { $0 }.min()
        guard next != armed else { return }
        armed = next
        timer?.set(next)
    }

    // MARK: - Commands

    /// Gives the rules a command and waits for its result.
    func perform(_ command: PhoneMachine.Command) async throws {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { self.begin(command, continuation) }
        }
    }

    private func begin(_ command: PhoneMachine.Command, _ continuation: CheckedContinuation<Void, any Error>) {
        guard phase == .running else {
            let advice = phase == .new ? "Call start() at launch first." : "It was stopped; make a new call center."
            continuation.resume(throwing: OffhookError(.notStarted, advice))
            return
        }
        guard system != nil else {
            continuation.resume(throwing: OffhookError(.unsupported, "This system has no CallKit."))
            return
        }
        commandCount += 1
        let id = CommandID(commandCount)
        commands[id] = continuation
        receive(.command(id, command))
    }

    // MARK: - State for the app

    var currentCalls: [Call] {
        onQueue { machine.snapshots.filter { !$0.hasEnded } }
    }

    func makeCalls() -> AsyncStream<[Call]> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            queue.async { self.streams.add(continuation, first: self.currentCalls) }
        }
    }

    func makeEvents() -> AsyncStream<CallEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(EventStreams.limit)) { continuation in
            queue.async { self.streams.add(continuation, first: self.currentCalls) }
        }
    }
}

extension Engine: PhoneReceiver {
    /// Takes an event and carries out its effects in order; an event born of an effect follows after them.
    func receive(_ event: PhoneMachine.Event) {
        guard phase == .running else { return }
        inbox.append(event)
        guard !isDraining else { return }
        isDraining = true
        while !inbox.isEmpty {
            let wasOpen = machine.window.isOpen
            for effect in machine.handle(inbox.removeFirst(), at: clock.now) { run(effect) }
            if machine.window.isOpen != wasOpen { streams.send(.audio(open: !wasOpen)) }
        }
        isDraining = false
        arm()
    }

    func receivePush(_ push: PushID, payload: [UInt8]?, mustReport: Bool) {
        let invitation = payload.flatMap { try? PushPayload.decode($0).invitation }.map { local($0) }
        let content = invitation.map { PushContent.invitation($0) } ?? .undecodable
        receive(.pushArrived(push, content, mustReport: mustReport, spare: CallID(UUID())))
    }

    func receiveToken(_ token: String?) {
        guard let token else {
            signals.send(.unregister)
            return
        }
        let environment: PushRegistration.Environment =
            switch configuration.pushEnvironment {
            case .development: .development
            case .production: .production
            }
        signals.send(
            .register(
                PushRegistration(token: token, environment: environment, bundle: configuration.bundleIdentifier)))
    }

    private func run(_ effect: PhoneEffect) {
        switch effect {
        case .reportIncoming(let call, let details): system?.reportIncoming(call, details)
        case .reportEnded(let call, let reason, let instant): system?.reportEnded(call, reason, at: instant)
        case .reportStartedConnecting(let call, let instant): system?.reportStartedConnecting(call, at: instant)
        case .reportConnected(let call, let instant): system?.reportConnected(call, at: instant)
        case .request(let request): system?.request(request)
        case .fulfil(let action): system?.fulfil(action)
        case .fail(let action): system?.fail(action)
        case .configureAudio: configureAudio()
        case .completePush(let push): system?.completePush(push)
        case .connectSignaling: signals.connect()
        case .send(let call, let signal): send(signal, of: call)
        case .startMedia(let call, let offers): startMedia(call, offers: offers)
        case .deliverSignal(let call, let signal): sessions[call]?.receive(signal)
        case .setAudioOpen(let call, let open): sessions[call]?.setAudioOpen(open)
        case .setMediaMuted(let call, let muted): sessions[call]?.setMuted(muted)
        case .setMediaHeld(let call, let held): sessions[call]?.setHeld(held)
        case .stopMedia(let call): sessions.removeValue(forKey: call)?.close()
        case .publish(let call): streams.send(call, live: currentCalls)
        case .tell(let outcome, let call): streams.send(.invitation(outcome, call))
        case .finish(let id, let failure): finish(id, failure)
        }
    }

    private func finish(_ id: CommandID, _ failure: CallFailure?) {
        let continuation = commands.removeValue(forKey: id)
        if let failure {
            continuation?.resume(throwing: OffhookError(failure))
        } else {
            continuation?.resume()
        }
    }

    private func configureAudio() {
        do {
            try system?.configureAudio()
        } catch {
            let message = "The audio session did not take playAndRecord with voiceChat: \(error)"
            streams.send(.warning(OffhookError(.mediaFailed, message, underlying: error)))
        }
    }
}

// Bound to its serial queue: every mutable property is touched on it alone.
extension Engine: @unchecked Sendable {}
