// SPDX-License-Identifier: MIT

import CNGHTTP2

/// The HTTP/2 protocol of one connection without I/O: bytes in, events out; requests in, bytes out.
///
/// - Isolation: the thread that owns the connection; a session is not `Sendable`.
/// - Note: RFC 9113 by nghttp2. PRIORITY frames are never sent.
final class HTTP2Session {
    /// Which end of the connection the session is.
    enum Role: Sendable {
        /// The end that sends requests.
        case client
        /// The end that answers them.
        case server
    }

    /// What the peer did.
    enum Event {
        /// Server: a whole request arrived.
        case request(stream: Int32, HTTP2Request)
        /// Client: a whole answer arrived.
        case response(stream: Int32, HTTP2Response)
        /// The stream is over; client: without an answer before, it failed.
        case streamClosed(stream: Int32, HTTP2ErrorCode)
        /// The peer's settings arrived or changed.
        case settings
        /// The peer goes away; streams above the last one were not processed.
        case goAway(lastStream: Int32, HTTP2ErrorCode, debugData: [UInt8])
        /// The peer answered a PING.
        case pingAnswered
    }

    /// What bounds a peer.
    struct Limits {
        /// How many streams the peer may have open at a time.
        var concurrentStreams: UInt32 = 100
        /// How many bytes of a body are kept; the rest is counted as received and dropped.
        var bodyBytes = 65_536
        /// How many bytes of header names and values one message may have.
        var headerBytes = 16_384
    }

    let role: Role
    let limits: Limits
    var events: [Event] = []
    var streams: [Int32: HTTP2StreamState] = [:]
    private(set) var handle: OpaquePointer?
    var fields = HTTP2FieldList()
    private var output: [UInt8] = []

    init(role: Role, limits: Limits = Limits()) throws(NetError) {
        self.role = role
        self.limits = limits
        var callbacks: OpaquePointer?
        var option: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0, nghttp2_option_new(&option) == 0 else {
            throw NetError(.resources, "out of memory for an HTTP/2 connection")
        }
        defer {
            nghttp2_session_callbacks_del(callbacks)
            nghttp2_option_del(option)
        }
        installHTTP2Callbacks(callbacks)
        nghttp2_option_set_no_closed_streams(option, 1)
        let owner = Unmanaged.passUnretained(self).toOpaque()
        let status =
            role == .client
            ? nghttp2_session_client_new2(&handle, callbacks, owner, option)
            : nghttp2_session_server_new2(&handle, callbacks, owner, option)
        guard status == 0 else { throw NetError(.resources, "out of memory for an HTTP/2 connection") }
        var settings = [
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue), value: limits.concurrentStreams),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
                value: UInt32(clamping: limits.headerBytes)),
        ]
        if role == .client {
            settings.append(
                nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0))
        }
        nghttp2_submit_settings(handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count)
    }

    deinit {
        nghttp2_session_del(handle)
    }

    /// Takes bytes from the peer and returns what they mean, in order.
    ///
    /// Most faults of the peer close the session with a GOAWAY in the output: see ``isFinished``.
    func receive(_ bytes: UnsafeRawBufferPointer) throws(NetError) -> [Event] {
        let input = bytes.bindMemory(to: UInt8.self)
        let taken = nghttp2_session_mem_recv(handle, input.baseAddress, input.count)
        guard taken >= 0 else {
            throw NetError(
                .protocolViolation,
                "the peer broke HTTP/2 (\(String(cString: nghttp2_strerror(Int32(taken))))); close the connection")
        }
        return takeEvents()
    }

    /// Takes the events that came up since the last time, also those of sending.
    func takeEvents() -> [Event] {
        guard !events.isEmpty else { return [] }
        let taken = events
        events = []
        return taken
    }

    /// Takes up to about that many bytes for the peer, many frames together; empty: nothing to send now.
    func takeOutput(limit: Int = 65_536) throws(NetError) -> [UInt8] {
        try gatherOutput(limit: limit)
        return output
    }

    /// Hands up to about that many bytes for the peer to the closure; false: there was nothing to send.
    func sendOutput(limit: Int = 65_536, _ body: (UnsafeRawBufferPointer) -> Void) throws(NetError) -> Bool {
        try gatherOutput(limit: limit)
        guard !output.isEmpty else { return false }
        output.withUnsafeBytes(body)
        return true
    }

    private func gatherOutput(limit: Int) throws(NetError) {
        output.removeAll(keepingCapacity: output.capacity <= 131_072)
        while output.count < limit {
            var chunk: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(handle, &chunk)
            guard count >= 0 else {
                throw NetError(
                    .protocolViolation, "HTTP/2 cannot go on (\(String(cString: nghttp2_strerror(Int32(count)))))")
            }
            guard count > 0, let chunk else { break }
            output.append(contentsOf: UnsafeBufferPointer(start: chunk, count: count))
        }
    }

    /// Whether neither end has anything more to say, so that the connection shall be closed.
    var isFinished: Bool {
        nghttp2_session_want_read(handle) == 0 && nghttp2_session_want_write(handle) == 0
    }

    /// Whether there are bytes to send.
    var wantsToSend: Bool { nghttp2_session_want_write(handle) != 0 }

    /// How many streams the peer allows at a time, as its latest settings say.
    var peerConcurrentStreams: Int {
        Int(nghttp2_session_get_remote_settings(handle, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
    }

    /// The highest stream the peer opened that this end took up.
    var lastProcessedStream: Int32 { nghttp2_session_get_last_proc_stream_id(handle) }
}

/// What is known of one open stream.
final class HTTP2StreamState {
    var headers: [HTTP2Header] = []
    var headerBytes = 0
    var method = ""
    var scheme = ""
    var authority = ""
    var path = ""
    var status = 0
    var body: [UInt8] = []
    var isBodyTruncated = false
    var isComplete = false
    var outgoing: [UInt8] = []
    var outgoingOffset = 0
}
