// SPDX-License-Identifier: MIT

import CGStreamer
import Offhook

/// One session's GStreamer pipeline around a webrtcbin.
///
/// Made, driven and stopped on the session's queue; what GStreamer's threads report goes to `report`.
final class MediaPipeline {
    /// What GStreamer's threads report.
    enum Report: Sendable {
        /// webrtcbin found a candidate of its own.
        case candidate(String, line: Int)
        /// The connection state changed.
        case state(ConnectionState)
        /// An element broke.
        case broken(String)
    }

    /// GstWebRTCPeerConnectionState, by number.
    enum ConnectionState: Int, Sendable {
        case new, connecting, connected, disconnected, failed, closed
    }

    let pipeline: Element
    let webrtc: Element
    let library: GStreamerLibrary
    let path: AudioPath
    let report: @Sendable (Report) -> Void
    /// The DTLS decoders that webrtcbin made: they know the peer's certificate.
    let decoders = Locked<[Element]>([])
    let notice: @Sendable (AudioPath.Notice) -> Void
    private var isStopped = false

    init(
        options: MediaOptions, path: AudioPath, report: @escaping @Sendable (Report) -> Void,
        notice: @escaping @Sendable (AudioPath.Notice) -> Void
    ) throws(MediaFailure) {
        library = try GStreamerLibrary.shared.get()
        self.path = path
        self.report = report
        self.notice = notice
        pipeline = try Element("pipeline")
        let latency = max(0, min(1_000, options.latency.nanoseconds / 1_000_000))
        webrtc = try Element("webrtcbin", [("bundle-policy", "max-bundle"), ("latency", "\(latency)")])
        try prepareAgent(options)
        try add(webrtc)
        connectSignals()
        serveBus()
    }

    deinit {
        stop()
    }

    /// Plays: webrtcbin can negotiate from here on.
    func play() throws(MediaFailure) {
        guard gst_element_set_state(pipeline.pointer, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE else {
            throw MediaFailure(.engine, "GStreamer's pipeline does not start")
        }
    }

    /// Ends every thread and frees every descriptor; never from a GStreamer thread.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        gst_element_set_state(pipeline.pointer, GST_STATE_NULL)
        if let bus = offhook_bus(pipeline.pointer) {
            gst_bus_set_sync_handler(bus, nil, nil, nil)
            gst_bus_set_flushing(bus, 1)
            gst_object_unref(bus)
        }
        decoders.withLock { $0 = [] }
    }

    /// Adds an element to the pipeline.
    func add(_ element: Element) throws(MediaFailure) {
        guard offhook_bin_add(pipeline.pointer, element.pointer) != 0 else {
            throw MediaFailure(.engine, "GStreamer takes no further element")
        }
    }

    /// Links elements in a row.
    func link(_ elements: [Element]) throws(MediaFailure) {
        for (one, other) in zip(elements, elements.dropFirst())
        where gst_element_link(one.pointer, other.pointer) == 0 {
            throw MediaFailure(.engine, "GStreamer cannot link its audio elements")
        }
    }

    /// The certificates, PEM, of the peers that the DTLS decoders speak with; nil for one without yet.
    func peerCertificates() -> [String?] {
        decoders.withLock { $0 }.map { $0.string("peer-pem") }
    }

    private func prepareAgent(_ options: MediaOptions) throws(MediaFailure) {
        guard let ice = offhook_get_object(webrtc.pointer, "ice-agent") else {
            throw MediaFailure(.engine, "webrtcbin has no ICE agent: install gstreamer1.0-nice")
        }
        defer { offhook_unref(ice) }
        if let agent = offhook_get_object(ice, "agent") {
            // libnice would send multicast on real interfaces to find a router.
            if offhook_has_property(agent, "upnp") != 0 { offhook_set_boolean(agent, "upnp", 0) }
            if options.network == .loopback, offhook_has_property(agent, "ice-tcp") != 0 {
                offhook_set_boolean(agent, "ice-tcp", 0)
            }
            offhook_unref(agent)
        }
        if options.network == .loopback, offhook_add_local_address(ice, "127.0.0.1") == 0 {
            throw MediaFailure(.engine, "the ICE agent does not take 127.0.0.1")
        }
    }

    private func connectSignals() {
        let report = self.report
        let candidate: CandidateBody = { report(.candidate($0, line: $1)) }
        offhook_connect_candidate(
            webrtc.pointer, candidateFound, CallbackBox(candidate).retained(), releaseClosureBox)
        let state: StateBody = { report(.state($0)) }
        offhook_connect_notify(
            webrtc.pointer, "notify::connection-state", stateChanged, CallbackBox(state).retained(),
            releaseClosureBox)
        let added: ElementBody = { [weak self] element in self?.decoders.withLock { $0.append(element) } }
        offhook_connect_element_added(
            webrtc.pointer, elementAdded, CallbackBox(added).retained(), releaseClosureBox)
        let pad: PadBody = { [weak self] pad in
            do throws(MediaFailure) {
                try self?.receive(from: pad)
            } catch {
                report(.broken(error.message))
            }
        }
        offhook_connect_pad_added(webrtc.pointer, padAdded, CallbackBox(pad).retained(), releaseClosureBox)
    }

    /// Takes errors from the bus.
    ///
    /// Changes of latency are not spread: no sink here waits for
    /// a clock, and webrtcbin would hold every packet back for as long.
    private func serveBus() {
        guard let bus = offhook_bus(pipeline.pointer) else { return }
        let report = self.report
        let body: BusBody = { report($0) }
        gst_bus_set_sync_handler(bus, busMessage, CallbackBox(body).retained(), releaseBox)
        gst_object_unref(bus)
    }
}

// GStreamer's objects are thread-safe; `decoders` has its lock, `isStopped` belongs to the session's queue.
extension MediaPipeline: @unchecked Sendable {}

private typealias CandidateBody = @Sendable (String, Int) -> Void
private typealias StateBody = @Sendable (MediaPipeline.ConnectionState) -> Void
private typealias ElementBody = @Sendable (Element) -> Void
private typealias PadBody = @Sendable (UnsafeMutablePointer<GstPad>) -> Void
private typealias BusBody = @Sendable (MediaPipeline.Report) -> Void

private func candidateFound(
    _ element: UnsafeMutablePointer<GstElement>?, _ line: guint, _ candidate: UnsafePointer<gchar>?,
    _ context: UnsafeMutableRawPointer?
) {
    guard let candidate else { return }
    CallbackBox<CandidateBody>.body(context)?(String(cString: candidate), Int(line))
}

private func stateChanged(
    _ element: UnsafeMutablePointer<GstElement>?, _ property: UnsafeMutablePointer<GParamSpec>?,
    _ context: UnsafeMutableRawPointer?
) {
    guard let element,
        let state = MediaPipeline.ConnectionState(
            rawValue: Int(offhook_get_enum(element, "connection-state")))
    else { return }
    CallbackBox<StateBody>.body(context)?(state)
}

private func elementAdded(
    _ bin: UnsafeMutablePointer<GstBin>?, _ child: UnsafeMutablePointer<GstBin>?,
    _ element: UnsafeMutablePointer<GstElement>?, _ context: UnsafeMutableRawPointer?
) {
    guard let element, let name = offhook_factory_name(element) else { return }
    defer { g_free(name) }
    guard String(cString: name) == "dtlssrtpdec" else { return }
    CallbackBox<ElementBody>.body(context)?(Element(sharing: element))
}

private func padAdded(
    _ element: UnsafeMutablePointer<GstElement>?, _ pad: UnsafeMutablePointer<GstPad>?,
    _ context: UnsafeMutableRawPointer?
) {
    guard let pad else { return }
    CallbackBox<PadBody>.body(context)?(pad)
}

private func busMessage(
    _ bus: UnsafeMutablePointer<GstBus>?, _ message: UnsafeMutablePointer<GstMessage>?,
    _ context: UnsafeMutableRawPointer?
) -> GstBusSyncReply {
    guard let message else { return GST_BUS_PASS }
    if offhook_message_type(message) == GST_MESSAGE_ERROR {
        var error: UnsafeMutablePointer<GError>?
        gst_message_parse_error(message, &error, nil)
        let text = error.map { String(cString: $0.pointee.message) } ?? "no reason given"
        g_clear_error(&error)
        CallbackBox<BusBody>.body(context)?(.broken(text))
    }
    gst_message_unref(message)
    return GST_BUS_DROP
}
