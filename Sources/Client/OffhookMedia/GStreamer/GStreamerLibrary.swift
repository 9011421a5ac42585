// SPDX-License-Identifier: MIT

import CGStreamer
import Offhook

#if canImport(Glibc)
    import Glibc
#endif

/// GStreamer itself, started once a process, and the functions of the two libraries loaded at run time.
struct GStreamerLibrary {
    /// What a call needs, and the Debian package that each element is in.
    static let elements: [String: String] = [
        "capsfilter": "libgstreamer1.0-0",
        "fakesink": "libgstreamer1.0-0",
        "queue": "libgstreamer1.0-0",
        "audiotestsrc": "gstreamer1.0-plugins-base",
        "audioconvert": "gstreamer1.0-plugins-base",
        "audioresample": "gstreamer1.0-plugins-base",
        "opusenc": "gstreamer1.0-plugins-base",
        "opusdec": "gstreamer1.0-plugins-base",
        "rtpopuspay": "gstreamer1.0-plugins-good",
        "rtpopusdepay": "gstreamer1.0-plugins-good",
        "rtpbin": "gstreamer1.0-plugins-good",
        "webrtcbin": "gstreamer1.0-plugins-bad",
        "dtlssrtpenc": "gstreamer1.0-plugins-bad",
        "dtlssrtpdec": "gstreamer1.0-plugins-bad",
        "srtpenc": "gstreamer1.0-plugins-bad",
        "srtpdec": "gstreamer1.0-plugins-bad",
        "nicesrc": "gstreamer1.0-nice",
        "nicesink": "gstreamer1.0-nice",
    ]

    /// int gst_sdp_message_new_from_text(const gchar *text, GstSDPMessage **message), 0 for success.
    let messageFromText: @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> CInt
    /// gchar *gst_sdp_message_as_text(const GstSDPMessage *message), to be freed with g_free.
    let messageAsText: @convention(c) (UnsafeRawPointer) -> UnsafeMutablePointer<CChar>?
    /// GstWebRTCSessionDescription *gst_webrtc_session_description_new(type, message); takes the message over.
    let newDescription: @convention(c) (CInt, UnsafeMutableRawPointer) -> UnsafeMutablePointer<OffhookDescription>?
    /// Frees a description and its message: gst_webrtc_session_description_free.
    let freeDescription: @convention(c) (UnsafeMutablePointer<OffhookDescription>) -> Void

    /// The libraries, loaded on first use.
    static let shared = Result<GStreamerLibrary, MediaFailure> { () throws(MediaFailure) in try GStreamerLibrary() }

    private init() throws(MediaFailure) {
        var error: UnsafeMutablePointer<GError>?
        guard gst_init_check(nil, nil, &error) != 0 else {
            let reason = error.map { String(cString: $0.pointee.message) } ?? "no reason given"
            g_clear_error(&error)
            throw MediaFailure(.engine, "GStreamer does not start: \(reason)")
        }
        let sdp = try Self.open("libgstsdp-1.0.so.0", package: "libgstreamer-plugins-base1.0-0")
        let webrtc = try Self.open("libgstwebrtc-1.0.so.0", package: "libgstreamer-plugins-bad1.0-0")
        // The types are those of the functions' declarations in GStreamer 1.x, whose ABI is stable.
        messageFromText = unsafeBitCast(
            try Self.symbol("gst_sdp_message_new_from_text", sdp),
            to: (@convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> CInt).self)
        messageAsText = unsafeBitCast(
            try Self.symbol("gst_sdp_message_as_text", sdp),
            to: (@convention(c) (UnsafeRawPointer) -> UnsafeMutablePointer<CChar>?).self)
        newDescription = unsafeBitCast(
            try Self.symbol("gst_webrtc_session_description_new", webrtc),
            to: (@convention(c) (CInt, UnsafeMutableRawPointer) -> UnsafeMutablePointer<OffhookDescription>?).self)
        freeDescription = unsafeBitCast(
            try Self.symbol("gst_webrtc_session_description_free", webrtc),
            to: (@convention(c) (UnsafeMutablePointer<OffhookDescription>) -> Void).self)
    }

    /// Starts GStreamer and looks for every element a call needs.
    static func check(_ options: MediaOptions) throws(MediaFailure) {
        _ = try shared.get()
        let needed = elements.merging(options.furtherElements) { own, _ in own }
        let missing = needed.keys.sorted().filter { name in
            guard let factory = gst_element_factory_find(name) else { return true }
            gst_object_unref(UnsafeMutableRawPointer(factory))
            return false
        }
        guard missing.isEmpty else { throw failure(missing: missing, of: needed) }
    }

    private static func failure(missing: [String], of needed: [String: String]) -> MediaFailure {
        let packages = Set(missing.compactMap { needed[$0] }).sorted()
        return MediaFailure(
            .engine,
            "GStreamer has no element \(missing.joined(separator: ", ")): "
                + "install \(packages.joined(separator: " ")) (apt install --no-install-recommends)")
    }

    private static func open(_ name: String, package: String) throws(MediaFailure) -> UnsafeMutableRawPointer {
        guard let library = dlopen(name, RTLD_NOW) else {
            throw MediaFailure(.engine, "the library \(name) is missing: install \(package)")
        }
        return library
    }

    private static func symbol(
        _ name: String, _ library: UnsafeMutableRawPointer
    ) throws(MediaFailure) -> UnsafeMutableRawPointer {
        guard let symbol = dlsym(library, name) else {
            throw MediaFailure(.engine, "a GStreamer library lacks \(name): install GStreamer 1.20 or newer")
        }
        return symbol
    }
}
