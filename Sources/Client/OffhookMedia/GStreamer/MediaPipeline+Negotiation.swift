// SPDX-License-Identifier: MIT

import CGStreamer
import Offhook

extension MediaPipeline {
    /// A description's kind, by GstWebRTCSDPType's number.
    enum DescriptionKind: CInt, Sendable {
        case offer = 1
        case answer = 3

        var name: String { self == .offer ? "offer" : "answer" }
    }

    /// Which end a description is of.
    enum End: String, Sendable {
        case local, remote
    }

    /// What became of a request to webrtcbin; the text is a description's, if one was asked for.
    typealias Reply = @Sendable (Result<String, MediaFailure>) -> Void

    /// Asks webrtcbin for a description; the reply comes on a thread of GStreamer.
    func create(_ kind: DescriptionKind, reply: @escaping Reply) {
        let asText = library.messageAsText
        let body: PromiseBody = { structure, _ in
            guard let boxed = offhook_field_boxed(structure, kind.name) else {
                return reply(.failure(Self.failure(structure, "webrtcbin makes no \(kind.name)")))
            }
            let sdp = boxed.assumingMemoryBound(to: OffhookDescription.self).pointee.sdp
            guard let sdp, let text = asText(sdp) else {
                return reply(.failure(MediaFailure(.engine, "webrtcbin made an empty \(kind.name)")))
            }
            defer { g_free(text) }
            reply(.success(String(cString: text)))
        }
        offhook_create_description(webrtc.pointer, "create-\(kind.name)", Self.promise(body))
    }

    /// Gives webrtcbin a description; the reply comes on a thread of GStreamer.
    func set(_ end: End, _ kind: DescriptionKind, _ text: String, reply: @escaping Reply) {
        var message: UnsafeMutableRawPointer?
        guard library.messageFromText(text, &message) == 0, let message,
            let description = library.newDescription(kind.rawValue, message)
        else { return reply(.failure(MediaFailure(.badSignal, "the session description cannot be read"))) }
        defer { library.freeDescription(description) }
        let body: PromiseBody = { structure, isReplied in
            guard isReplied else {
                return reply(.failure(MediaFailure(.engine, "webrtcbin gave up on a description")))
            }
            if let structure, gst_structure_has_field(structure, "error") != 0 {
                return reply(.failure(Self.failure(structure, "webrtcbin refuses the \(end.rawValue) \(kind.name)")))
            }
            reply(.success(""))
        }
        offhook_set_description(webrtc.pointer, "set-\(end.rawValue)-description", description, Self.promise(body))
    }

    /// Gives webrtcbin a candidate of the peer.
    func addCandidate(_ candidate: String, line: Int) {
        offhook_add_candidate(webrtc.pointer, guint(line), candidate)
    }

    private static func promise(_ body: @escaping PromiseBody) -> UnsafeMutablePointer<GstPromise>? {
        gst_promise_new_with_change_func(promiseChanged, CallbackBox(body).retained(), releaseBox)
    }

    private static func failure(_ reply: UnsafePointer<GstStructure>?, _ what: String) -> MediaFailure {
        guard let boxed = offhook_field_boxed(reply, "error") else { return MediaFailure(.badSignal, what) }
        let error = boxed.assumingMemoryBound(to: GError.self).pointee
        return MediaFailure(.badSignal, "\(what): \(String(cString: error.message))")
    }
}

private typealias PromiseBody = @Sendable (_ reply: UnsafePointer<GstStructure>?, _ isReplied: Bool) -> Void

private func promiseChanged(_ promise: UnsafeMutablePointer<GstPromise>?, _ context: UnsafeMutableRawPointer?) {
    guard let promise else { return }
    // The reply lives only as long as this call; an interrupted or expired promise has none.
    let result = gst_promise_wait(promise)
    let reply = result == GST_PROMISE_RESULT_REPLIED ? gst_promise_get_reply(promise) : nil
    CallbackBox<PromiseBody>.body(context)?(reply, result == GST_PROMISE_RESULT_REPLIED)
    gst_promise_unref(promise)
}
