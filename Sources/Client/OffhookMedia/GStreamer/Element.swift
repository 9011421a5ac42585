// SPDX-License-Identifier: MIT

import CGStreamer
import Offhook

/// A GStreamer element, counted.
final class Element {
    let pointer: UnsafeMutablePointer<GstElement>

    /// Makes an element.
    ///
    /// - Throws: ``Offhook/MediaFailure`` of code `engine` when its plug-in is missing.
    init(_ factory: String, _ properties: [(String, String)] = []) throws(MediaFailure) {
        guard let element = offhook_make_element(factory) else {
            let package = GStreamerLibrary.elements[factory] ?? "the plug-in it is in"
            throw MediaFailure(.engine, "GStreamer has no element \(factory): install \(package)")
        }
        pointer = element
        for (name, value) in properties { offhook_set_argument(element, name, value) }
    }

    /// Shares an element that GStreamer made.
    init(sharing element: UnsafeMutablePointer<GstElement>) {
        pointer = element
        _ = offhook_ref(element)
    }

    deinit {
        offhook_unref(pointer)
    }

    /// A string property; nil when it is not set.
    func string(_ property: String) -> String? {
        guard let text = offhook_get_string(pointer, property) else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// Calls a closure with every buffer that passes a pad; see ``PadVerdict``.
    func probe(pad name: String, _ body: @escaping @Sendable (OpaqueBuffer) -> PadVerdict) throws(MediaFailure) {
        guard let pad = gst_element_get_static_pad(pointer, name) else {
            throw MediaFailure(.engine, "a GStreamer element has no pad \(name)")
        }
        defer { gst_object_unref(pad) }
        gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, probeBuffer, CallbackBox(body).retained(), releaseBox)
    }
}

// GStreamer's elements are thread-safe objects; their reference count is atomic.
extension Element: @unchecked Sendable {}

/// What happens to a buffer that a probe has seen.
enum PadVerdict {
    /// It goes on.
    case pass
    /// It is thrown away.
    case drop
    /// Other sound goes on in its place, with its times.
    case replace([Int16])
}

/// A buffer while a probe sees it.
struct OpaqueBuffer {
    fileprivate let pointer: UnsafeMutablePointer<GstBuffer>

    /// Its presentation time in nanoseconds; UInt64.max for none.
    var time: UInt64 { UInt64(offhook_buffer_time(pointer)) }

    /// Timestamp and source of an RTP packet; nil when it is too short for one.
    var packetHead: (timestamp: UInt32, source: UInt32)? {
        var head: (UInt32, UInt32, UInt32) = (0, 0, 0)
        guard gst_buffer_extract(pointer, 0, &head, 12) == 12 else { return nil }
        return (UInt32(bigEndian: head.1), UInt32(bigEndian: head.2))
    }

    /// Its bytes as 16-bit samples.
    var samples: [Int16] {
        let count = Int(gst_buffer_get_size(pointer)) / 2
        return [Int16](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = Int(gst_buffer_extract(pointer, 0, buffer.baseAddress, gsize(count * 2))) / 2
        }
    }
}

private func probeBuffer(
    _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
    _ context: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
    guard let info, let buffer = gst_pad_probe_info_get_buffer(info),
        let body = CallbackBox<@Sendable (OpaqueBuffer) -> PadVerdict>.body(context)
    else { return GST_PAD_PROBE_OK }
    switch body(OpaqueBuffer(pointer: buffer)) {
    case .pass: return GST_PAD_PROBE_OK
    case .drop: return GST_PAD_PROBE_DROP
    case .replace(let samples):
        let replacement = samples.withUnsafeBytes {
            offhook_sound_buffer($0.baseAddress, gsize($0.count), buffer)
        }
        guard let replacement else { return GST_PAD_PROBE_DROP }
        offhook_probe_replace(info, replacement)
        return GST_PAD_PROBE_OK
    }
}
