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
    let transport: any SignalTransport
    lazy var signals = makeSignals()
    let store: CheckpointStore
    private let makeSystem: (CallCenter.Configuration, DispatchQueue) -> (any PhoneSystem)?
    private let queueKey = DispatchSpecificKey<Bool>()

    var machine: PhoneMachine
    var phase: Phase = .new
    var system: (any PhoneSystem)?
    private var timer: (any EngineTimer)?
    private var armed: Instant?
    var inbox: [PhoneMachine.Event] = []
    var isDraining = false
    let desk: MediaDesk
    var waiting: [OperationID: Waiting] = [:]
    let streams = EventStreams()
    var intents = CallIntentBox()
    /// Gives the session tokens; nil while nobody is signed in.
    var token: (@Sendable () throws -> String)?
    /// The push token, as the phone gave it last.
    var pushToken: String?
    /// The pushes that are not completed yet.
    var openPushes: Set<PushID> = []
    var changes: [AccountChange] = []
    var isChanging = false
    /// When locked files are read again.
    var rereadAt: Instant?
    var isSaveFailing = false
    /// Whether this process heard the server's time.
    var isTimeKnown = false
    var routes = AudioRoutes()
    /// What was told, once it is needed.
    var journal: Journal?
    /// Whether the journal's file may be written to.
    var isJournalUsable = true
    /// Whether the journal's file has all that it should.
    var isJournalStored = true
    var reader: Reader?
    /// Who made the event under way happen.
    var source = JournalEntry.Source.local

    enum Phase {
        /// Not started.
        case new
        /// Has read what the last process left; the frameworks' objects are being made.
        case starting
        /// Started.
        case running
        /// Stopped for good.
        case stopped
    }

    init(
        configuration: CallCenter.Configuration, media: any MediaEngine, transport: any SignalTransport,
        clock: any EngineClock, files: (any StoreFiles)? = nil,
        system makeSystem: @escaping (CallCenter.Configuration, DispatchQueue) -> (any PhoneSystem)? = Engine.phone
    ) {
        let configuration = configuration.completed(for: media.capabilities)
        self.configuration = configuration
        self.media = media
        self.clock = clock
        self.makeSystem = makeSystem
        machine = PhoneMachine(policy: configuration.policy)
        desk = MediaDesk(engine: media, queue: queue, clock: clock)
        self.transport = transport
        token = configuration.sessionToken
        store = CheckpointStore(files ?? configuration.storage.map { DiskFiles($0) })
        queue.setSpecific(key: queueKey, value: true)
    }

    /// Runs work on the queue and waits for it; at once when already there.
    func onQueue<Result>(_ work: () -> Result) -> Result {
        DispatchQueue.getSpecific(key: queueKey) == true ? work() : queue.sync(execute: work)
    }

    // MARK: - Life

    /// Load, recover, install, PushKit, in this order (R88).
    func start() {
        let isFirst = onQueue {
            guard phase == .new else { return false }
            phase = .starting
            restore()
            return true
        }
        guard isFirst else { return }
        // The framework objects are made on the caller's thread, before anything can call back.
        let system = makeSystem(configuration, queue)
        let isRunning = onQueue {
            guard phase == .starting else { return false }
            phase = .running
            self.system = system
            timer = clock.makeTimer(queue: queue) { [weak self] in self?.tick() }
            desk.hear = { [weak self] in self?.hear($0) }
            system?.begin(self)  // pushes come on this queue, so after what follows
            receive(.launched)
            connect()
            pursueChange()
            return true
        }
        if isRunning { warmUp() } else { system?.invalidate() }
    }

    /// Makes the client of one user's connections.
    func makeSignals() -> SignalClient {
        let signals = SignalClient(
            configuration: configuration, transport: transport, queue: queue, clock: clock
        ) { [weak self] in
            guard let token = self?.token else { throw OffhookError(.unauthorized, "Nobody is signed in.") }
            return try token()
        }
        signals.callsToAsk = { [weak self] in self?.machine.callsKnownToServer ?? [] }
        signals.rearm = { [weak self] in self?.arm() }
        signals.attach { [weak self] in self?.hear($0) }
        return signals
    }

    /// Connects at once if not connected; not while nobody is signed in.
    func connect() {
        if token != nil { signals.connect() }
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

    func warn(_ error: OffhookError) {
        queue.async { self.tellWarning(error) }
    }

    func stop() {
        onQueue {
            guard phase == .running else {
                phase = .stopped
                streams.finish()
                intents.close()
                pursueChange()
                return
            }
            phase = .stopped
            intents.close()
            timer?.set(nil)
            signals.stop()
            desk.closeAll(at: clock.now)
            system?.invalidate()
            system = nil
            abandonCommands(CallFailure(.notStarted, "The call center was stopped."))
            closeReader()
            streams.finish()
            pursueChange()
        }
    }

    // MARK: - Time

    private func tick() {
        armed = nil
        if let deadline = signals.deadline, deadline <= clock.now { signals.tick() }
        if let deadline = desk.deadline, deadline <= clock.now { desk.tick(at: clock.now) }
        if let deadline = machine.deadline, deadline <= clock.now { receive(.tick) }
        if let deadline = rereadAt, deadline <= clock.now { rereadStorage() }
        arm()
    }

    func arm() {
        if isLeaving { queue.async { self.pursueChange() } }
        let next = [machine.deadline, signals.deadline, desk.deadline, rereadAt, changes.first?.until].compactMap { $0 }
            .min()
        guard next != armed else { return }
        armed = next
        timer?.set(next)
    }
}

// Bound to its serial queue: every mutable property is touched on it alone.
extension Engine: @unchecked Sendable {}
