// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import OffhookCore

/// What the adapters' sessions share: a serial queue, the gates, the watch for packets, and one way for events.
class AdapterSession {
    /// Which way audio may go; belongs to the queue.
    struct Gates: Hashable, Sendable {
        /// The audio window is open.
        var isOpen = false
        /// This user is muted.
        var isMuted = false
        /// This user holds.
        var isHeld = false
        /// The other side is who it should be, and is there.
        var isConnected = false

        /// Whether packets may leave.
        var sends: Bool { isOpen && isConnected && !isHeld }
        /// Whether the other side may be heard.
        var plays: Bool { isOpen && isConnected && !isHeld }
    }

    /// How often packets are counted, in milliseconds, and after how many counts silence is an interruption.
    struct Rhythm: Hashable, Sendable {
        var interval = 250
        var patience = 8
    }

    let configuration: MediaSessionConfiguration
    let queue: DispatchQueue
    private let audio: SharedAudioSwitch
    private let events: MediaEventGate
    private let rhythm: Rhythm

    // The rest belongs to the queue.
    private(set) var gates = Gates()
    private(set) var isOver = false
    private var watch: ArrivalWatch
    private var timer: (any DispatchSourceTimer)?

    init(
        _ configuration: MediaSessionConfiguration, audio: SharedAudioSwitch, rhythm: Rhythm,
        events: @escaping @Sendable (MediaEvent) -> Void
    ) {
        self.configuration = configuration
        self.audio = audio
        self.rhythm = rhythm
        self.events = MediaEventGate(events)
        watch = ArrivalWatch(patience: rhythm.patience)
        queue = DispatchQueue(label: "offhook.adapter.\(configuration.generation)")
    }

    // MARK: - What a kind of session does; on the queue

    /// Carries the gates out.
    func apply(_ gates: Gates) {}
    /// Counts the packets received so far.
    func readReceivedPackets(_ reply: @escaping @Sendable (Int) -> Void) {}
    /// Lets everything go.
    func release() {}

    // MARK: - What they have in common

    func change(_ body: @escaping @Sendable (inout Gates) -> Void) {
        queue.async {
            body(&self.gates)
            if !self.isOver { self.apply(self.gates) }
        }
    }

    /// The other side is there and is who it should be: audio may flow, and packets are counted (M4).
    func becomeConnected() {
        guard !isOver, !gates.isConnected else { return }
        gates.isConnected = true
        emit(.connected)
        apply(gates)
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let interval = DispatchTimeInterval.milliseconds(rhythm.interval)
        timer.schedule(deadline: .now() + interval, repeating: interval)
        timer.setEventHandler { [weak self] in self?.count() }
        timer.activate()
        self.timer = timer
    }

    private func count() {
        readReceivedPackets { [weak self] packets in
            guard let self else { return }
            self.queue.async {
                guard !self.isOver else { return }
                if let event = self.watch.look(packets, expected: !self.gates.isHeld) { self.emit(event) }
            }
        }
    }

    /// Ends the session for a reason; the first one counts (M16).
    func fail(_ failure: MediaFailure) {
        guard !isOver else { return }
        emit(.failed(failure))
        end()
    }

    /// Sends a signal of the session's generation (M15).
    func send(_ kind: MediaSignal.Kind, _ body: String) {
        emit(.signal(MediaSignal(kind: kind, generation: configuration.generation, body: body)))
    }

    func emit(_ event: MediaEvent) {
        if !isOver { events.send(event) }
    }

    /// Runs on the queue while the session lives.
    func onQueue(_ body: @escaping @Sendable () -> Void) {
        queue.async { if !self.isOver { body() } }
    }

    func setAudioOpen(_ open: Bool) {
        guard !events.isClosed else { return }
        change { $0.isOpen = open }
        queue.async { if !self.isOver { self.audio.set(open, for: self) } }
    }

    func setMuted(_ muted: Bool) { change { $0.isMuted = muted } }
    func setHeld(_ held: Bool) { change { $0.isHeld = held } }

    func close() {
        events.close()
        queue.async { self.end() }
    }

    private func end() {
        guard !isOver else { return }
        isOver = true
        timer?.cancel()
        timer = nil
        audio.set(false, for: self)
        release()
    }
}

// Everything that changes is bound to the serial queue.
extension AdapterSession: @unchecked Sendable {}
