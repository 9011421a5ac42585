// SPDX-License-Identifier: MIT

import CNGHTTP2

/// Tells nghttp2 the functions below.
func installHTTP2Callbacks(_ callbacks: OpaquePointer?) {
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, headersBegan)
    nghttp2_session_callbacks_set_on_header_callback(callbacks, headerArrived)
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, dataArrived)
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, frameArrived)
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, streamClosed)
    nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks, frameNotSent)
}

private func session(_ owner: UnsafeMutableRawPointer?) -> HTTP2Session? {
    owner.map { Unmanaged<HTTP2Session>.fromOpaque($0).takeUnretainedValue() }
}

private func headersBegan(
    _ handle: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ owner: UnsafeMutableRawPointer?
) -> Int32 {
    guard let frame, let session = session(owner) else { return 0 }
    let stream = frame.pointee.hd.stream_id
    if session.streams[stream] == nil { session.streams[stream] = HTTP2StreamState() }
    return 0
}

private func headerArrived(
    _ handle: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ name: UnsafePointer<UInt8>?,
    _ nameCount: Int, _ value: UnsafePointer<UInt8>?, _ valueCount: Int, _ flags: UInt8,
    _ owner: UnsafeMutableRawPointer?
) -> Int32 {
    guard let frame, let session = session(owner), let state = session.streams[frame.pointee.hd.stream_id] else {
        return 0
    }
    state.headerBytes += nameCount + valueCount + 32
    guard state.headerBytes <= session.limits.headerBytes else {
        return Int32(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }
    let name = UnsafeBufferPointer(start: name, count: nameCount)
    let value = UnsafeBufferPointer(start: value, count: valueCount)
    if name.first == UInt8(ascii: ":") {
        state.take(pseudo: name, value)
    } else {
        let isNeverIndexed = flags & UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) != 0
        state.headers.append(
            HTTP2Header(
                String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self),
                isNeverIndexed: isNeverIndexed))
    }
    return 0
}

extension HTTP2StreamState {
    fileprivate func take(pseudo name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        // The second letter and the length tell the five apart: nghttp2 lets no other pass.
        switch (name.count, name[1]) {
        case (7, UInt8(ascii: "s")) where name[2] == UInt8(ascii: "t"):
            // A final answer after an interim one (1xx) starts anew.
            headers.removeAll()
            status = value.reduce(0) { $0 &* 10 &+ Int($1 &- UInt8(ascii: "0")) }
        case (7, UInt8(ascii: "m")): method = String(decoding: value, as: UTF8.self)
        case (7, UInt8(ascii: "s")): scheme = String(decoding: value, as: UTF8.self)
        case (5, UInt8(ascii: "p")): path = String(decoding: value, as: UTF8.self)
        case (10, UInt8(ascii: "a")): authority = String(decoding: value, as: UTF8.self)
        default: break
        }
    }
}

private func dataArrived(
    _ handle: OpaquePointer?, _ flags: UInt8, _ stream: Int32, _ bytes: UnsafePointer<UInt8>?, _ count: Int,
    _ owner: UnsafeMutableRawPointer?
) -> Int32 {
    guard let session = session(owner), let state = session.streams[stream] else { return 0 }
    let room = session.limits.bodyBytes - state.body.count
    if count > room { state.isBodyTruncated = true }
    state.body.append(contentsOf: UnsafeBufferPointer(start: bytes, count: min(count, max(0, room))))
    return 0
}

private func frameArrived(
    _ handle: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ owner: UnsafeMutableRawPointer?
) -> Int32 {
    guard let frame, let session = session(owner) else { return 0 }
    let header = frame.pointee.hd
    switch UInt32(header.type) {
    case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue:
        if UInt32(header.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0 { session.messageEnded(header.stream_id) }
    case NGHTTP2_SETTINGS.rawValue:
        if UInt32(header.flags) & NGHTTP2_FLAG_ACK.rawValue == 0 { session.events.append(.settings) }
    case NGHTTP2_PING.rawValue:
        if UInt32(header.flags) & NGHTTP2_FLAG_ACK.rawValue != 0 { session.events.append(.pingAnswered) }
    case NGHTTP2_GOAWAY.rawValue:
        let goAway = frame.pointee.goaway
        let data = UnsafeBufferPointer(start: goAway.opaque_data, count: min(goAway.opaque_data_len, 4_096))
        session.events.append(
            .goAway(
                lastStream: goAway.last_stream_id, HTTP2ErrorCode(rawValue: goAway.error_code),
                debugData: Array(data)))
    default: break
    }
    return 0
}

extension HTTP2Session {
    fileprivate func messageEnded(_ stream: Int32) {
        guard let state = streams[stream], !state.isComplete else { return }
        state.isComplete = true
        switch role {
        case .server:
            var request = HTTP2Request(
                method: state.method, scheme: state.scheme, authority: state.authority, path: state.path,
                headers: state.headers, body: state.body)
            request.isBodyTruncated = state.isBodyTruncated
            events.append(.request(stream: stream, request))
        case .client:
            var response = HTTP2Response(status: state.status, headers: state.headers, body: state.body)
            response.isBodyTruncated = state.isBodyTruncated
            events.append(.response(stream: stream, response))
        }
        state.headers = []
        state.body = []
    }
}

private func streamClosed(
    _ handle: OpaquePointer?, _ stream: Int32, _ code: UInt32, _ owner: UnsafeMutableRawPointer?
) -> Int32 {
    guard let session = session(owner) else { return 0 }
    session.streams[stream] = nil
    session.events.append(.streamClosed(stream: stream, HTTP2ErrorCode(rawValue: code)))
    return 0
}

/// A request that nghttp2 could not send any more, for example after a GOAWAY, counts as refused.
private func frameNotSent(
    _ handle: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ code: Int32, _ owner: UnsafeMutableRawPointer?
) -> Int32 {
    guard let frame, let session = session(owner), session.role == .client,
        UInt32(frame.pointee.hd.type) == NGHTTP2_HEADERS.rawValue,
        session.streams.removeValue(forKey: frame.pointee.hd.stream_id) != nil
    else { return 0 }
    session.events.append(.streamClosed(stream: frame.pointee.hd.stream_id, .refusedStream))
    return 0
}

/// Gives nghttp2 the next part of an outgoing body.
func readHTTP2Body(
    _ handle: OpaquePointer?, _ stream: Int32, _ target: UnsafeMutablePointer<UInt8>?, _ capacity: Int,
    _ flags: UnsafeMutablePointer<UInt32>?, _ source: UnsafeMutablePointer<nghttp2_data_source>?,
    _ owner: UnsafeMutableRawPointer?
) -> Int {
    guard let target, let flags, let state = session(owner)?.streams[stream] else {
        return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }
    let count = min(capacity, state.outgoing.count - state.outgoingOffset)
    state.outgoing.withUnsafeBufferPointer { bytes in
        if let start = bytes.baseAddress { target.update(from: start + state.outgoingOffset, count: count) }
    }
    state.outgoingOffset += count
    if state.outgoingOffset == state.outgoing.count { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
    return count
}
