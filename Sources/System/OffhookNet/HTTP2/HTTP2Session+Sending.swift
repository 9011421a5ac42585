// SPDX-License-Identifier: MIT

import CNGHTTP2

extension HTTP2Session {
    /// Queues a request and returns its stream; the bytes come with the next output.
    func submit(_ request: HTTP2Request) throws(NetError) -> Int32 {
        fields.begin()
        fields.add(":method", request.method)
        fields.add(":scheme", request.scheme)
        fields.add(":authority", request.authority)
        fields.add(":path", request.path, isNeverIndexed: true)
        fields.add(request.headers)
        let stream = fields.withEntries { fields in
            guard !request.body.isEmpty else {
                return nghttp2_submit_request(handle, nil, fields.baseAddress, fields.count, nil, nil)
            }
            var body = nghttp2_data_provider(source: nghttp2_data_source(), read_callback: readHTTP2Body)
            return nghttp2_submit_request(handle, nil, fields.baseAddress, fields.count, &body, nil)
        }
        guard stream > 0 else {
            throw NetError(
                .closed,
                "no stream can be opened (\(String(cString: nghttp2_strerror(stream)))); open a new connection")
        }
        let state = HTTP2StreamState()
        state.outgoing = request.body
        streams[stream] = state
        return stream
    }

    /// Queues the answer on a stream; false when the stream is gone.
    func respond(_ response: HTTP2Response, on stream: Int32) -> Bool {
        guard let state = streams[stream] else { return false }
        state.outgoing = response.body
        fields.begin()
        fields.add(":status", String(response.status))
        fields.add(response.headers)
        let status = fields.withEntries { fields in
            guard !response.body.isEmpty else {
                return nghttp2_submit_response(handle, stream, fields.baseAddress, fields.count, nil)
            }
            var body = nghttp2_data_provider(source: nghttp2_data_source(), read_callback: readHTTP2Body)
            return nghttp2_submit_response(handle, stream, fields.baseAddress, fields.count, &body)
        }
        return status == 0
    }

    /// Queues an interim answer, status 103; false when nghttp2 refuses it.
    func inform(_ stream: Int32) -> Bool {
        fields.begin()
        fields.add(":status", "103")
        return fields.withEntries { fields in
            nghttp2_submit_headers(
                handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, nil, fields.baseAddress, fields.count, nil)
        } == 0
    }

    /// Queues the end of a stream.
    func reset(_ stream: Int32, _ code: HTTP2ErrorCode) {
        nghttp2_submit_rst_stream(handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
    }

    /// Queues the announcement that streams above the last one are not taken up.
    func goAway(lastStream: Int32, _ code: HTTP2ErrorCode, debugData: [UInt8] = []) {
        nghttp2_submit_goaway(
            handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), lastStream, code.rawValue, debugData, debugData.count)
    }

    /// Queues the end of the session: a GOAWAY, after which ``isFinished`` turns true.
    func terminate(_ code: HTTP2ErrorCode) {
        nghttp2_session_terminate_session(handle, code.rawValue)
    }

    /// Queues a PING.
    func ping() {
        nghttp2_submit_ping(handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    /// Queues a new limit on the peer's streams.
    func setConcurrentStreams(_ count: UInt32) {
        var entry = nghttp2_settings_entry(
            settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue), value: count)
        nghttp2_submit_settings(handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), &entry, 1)
    }
}
