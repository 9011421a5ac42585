// SPDX-License-Identifier: MIT

import Dispatch
import Offhook
import OffhookCore

/// A call leg's voice: negotiation on a serial queue of its own, sound on GStreamer's threads.
///
/// ```
/// offerer   start ─ offer made ─► offer sent ─ answer ─► negotiated ─ certificate verified ─► connected
/// answerer  start ─ offer ─► answer made ─► negotiated ─ certificate verified ─► connected
/// ```
/// webrtcbin negotiates once; hold and resume change only the text of later descriptions (see `+Hold`).
final class WebRTCSession: MediaSession {
    let configuration: MediaSessionConfiguration
    let options: MediaOptions
    let path: AudioPath
    let queue: DispatchQueue
    /// Closed by close() at once, from any thread: no event follows.
    private let events: MediaEventGate

    // The rest belongs to the queue.
    var pipeline: MediaPipeline?
    var local: AudioDescription?
    var remote: AudioDescription?
    /// Both descriptions are with webrtcbin.
    var isNegotiated = false
    var isConnected = false
    var isOver = false
    var waitingCandidates: [IceCandidate] = []
    /// Signals that came while webrtcbin was busy with a description.
    var waitingSignals: [MediaSignal] = []
    var isBusy = false
    var hold = HoldNegotiation()
    var certificateLooks = 0
    var connectDeadline: SoundTime?
    private var watch: (any DispatchSourceTimer)?
    private var released: [@Sendable () -> Void] = []
    private var isReleased = false

    init(
        _ configuration: MediaSessionConfiguration, options: MediaOptions, port: AudioPort,
        events: @escaping @Sendable (MediaEvent) -> Void
    ) {
        self.configuration = configuration
        self.options = options
        self.events = MediaEventGate(events)
        path = AudioPath(port: port)
        queue = DispatchQueue(label: "offhook.media.\(configuration.call).\(configuration.generation)")
    }

    deinit {
        // GStreamer's threads may not end themselves.
        let pipeline = self.pipeline
        let path = self.path
        watch?.cancel()
        guard let pipeline else { return }
        queue.async {
            path.shut()
            pipeline.stop()
            path.finish()
        }
    }

    func start() {
        queue.async { self.begin() }
    }

    func receive(_ signal: MediaSignal) {
        queue.async { self.take(signal) }
    }

    func setAudioOpen(_ open: Bool) {
        path.setOpen(open)
    }

    func setMuted(_ muted: Bool) {
        path.setMuted(muted)
    }

    func setHeld(_ held: Bool) {
        path.setHeld(held)
        queue.async { self.wishHold(held) }
    }

    func close() {
        events.close()
        path.shut()
        queue.async { self.release() }
    }

    /// Calls back when everything is freed.
    func whenReleased(_ body: @escaping @Sendable () -> Void) {
        queue.async {
            if self.isReleased { body() } else { self.released.append(body) }
        }
    }

    /// Tells Offhook, unless the session is closed.
    func emit(_ event: MediaEvent) {
        events.send(event)
    }

    /// Ends the session for a reason; the first one counts.
    func fail(_ failure: MediaFailure) {
        guard !isOver else { return }
        isOver = true
        path.shut()
        stop()
        emit(.failed(failure))
    }

    private func begin() {
        guard !isOver, !events.isClosed else { return }
        do throws(MediaFailure) {
            let pipeline = try MediaPipeline(
                options: options, path: path,
                report: { [weak self] report in
                    guard let self else { return }
                    self.queue.async { self.take(report) }
                },
                notice: { [weak self] notice in
                    guard let self else { return }
                    self.queue.async { self.take(notice) }
                })
            self.pipeline = pipeline
            startWatch()
            switch configuration.role {
            case .offerer:
                try pipeline.send(payloadType: AudioDescription().payloadType, bitRate: options.bitRate)
                try pipeline.play()
                makeOffer(pipeline)
            case .answerer:
                try pipeline.play()
            }
        } catch {
            fail(error)
        }
    }

    private func take(_ report: MediaPipeline.Report) {
        guard !isOver else { return }
        switch report {
        case .candidate(let text, let line): sendCandidate(text, line: line)
        case .state(let state): take(state)
        case .broken(let reason): fail(MediaFailure(.engine, "GStreamer stopped: \(reason)"))
        }
    }

    private func take(_ state: MediaPipeline.ConnectionState) {
        switch state {
        case .connected: verifyPeer()
        case .failed:
            fail(MediaFailure(.connectivity, "the two sides found no way to each other: check network and firewalls"))
        case .new, .connecting, .disconnected, .closed: break
        }
    }

    private func take(_ notice: AudioPath.Notice) {
        guard !isOver else { return }
        switch notice {
        case .firstSound: emit(.remoteMedia)
        case .soundAgain: emit(.restored)
        }
    }

    private func startWatch() {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(250))
        timer.setEventHandler { [weak self] in self?.look() }
        timer.activate()
        watch = timer
    }

    private func look() {
        guard !isOver else { return }
        if path.noticesPause(limit: options.silenceLimit) { emit(.interrupted) }
        if !isConnected, let connectDeadline, (SoundTime.now() - connectDeadline) > .zero {
            fail(MediaFailure(.connectivity, "no connection came up in \(options.connectLimit)"))
        }
    }

    private func stop() {
        watch?.cancel()
        watch = nil
        pipeline?.stop()
        pipeline = nil
    }

    private func release() {
        guard !isReleased else { return }
        isReleased = true
        isOver = true
        stop()
        path.finish()
        waitingSignals = []
        waitingCandidates = []
        for body in released { body() }
        released = []
    }
}

// The serial queue owns every variable; gates have their locks.
extension WebRTCSession: @unchecked Sendable {}

extension WebRTCSession {
    /// Makes one offer that is thrown away: loads plug-ins and the certificate code.
    static func warmUp(_ options: MediaOptions) async throws {
        let (stream, events) = AsyncStream.makeStream(of: MediaEvent.self)
        let session = WebRTCSession(
            MediaSessionConfiguration(call: CallID(high: 0, low: 0), role: .offerer), options: options,
            port: AudioPort()
        ) { events.yield($0) }
        session.start()
        var failure: MediaFailure?
        search: for await event in stream {
            switch event {
            case .signal: break search
            case .failed(let reason):
                failure = reason
                break search
            case .connected, .remoteMedia, .interrupted, .restored, .remoteVideo: continue
            }
        }
        session.close()
        await withCheckedContinuation { continuation in session.whenReleased { continuation.resume() } }
        if let failure { throw failure }
    }
}
