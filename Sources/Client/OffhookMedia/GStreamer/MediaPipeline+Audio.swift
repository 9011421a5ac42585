// SPDX-License-Identifier: MIT

import CGStreamer
import Offhook

extension MediaPipeline {
    private static let sound = "audio/x-raw,format=S16LE,rate=48000,channels=1,layout=interleaved"

    /// Adds the sending branch: a live source that keeps time, its silence replaced by what the audio path says.
    func send(payloadType: Int, bitRate: Int) throws(MediaFailure) {
        let clock = try Element(
            "audiotestsrc",
            [("is-live", "true"), ("wave", "silence"), ("samplesperbuffer", "\(AudioFormat.frameSamples)")])
        let format = try Element("capsfilter", [("caps", Self.sound)])
        // 100 ms at most wait here: what is late is thrown away, never sent as a burst.
        let queue = try Element(
            "queue",
            [
                ("leaky", "downstream"), ("max-size-time", "100000000"), ("max-size-buffers", "0"),
                ("max-size-bytes", "0"),
            ])
        let encoder = try Element(
            "opusenc",
            [("bitrate", "\(max(6_000, min(510_000, bitRate)))"), ("inband-fec", "true"), ("frame-size", "20")])
        let payloader = try Element("rtpopuspay", [("pt", "\(payloadType)"), ("perfect-rtptime", "false")])
        let packets = try Element(
            "capsfilter",
            [
                (
                    "caps",
                    "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,"
                        + "encoding-params=(string)2,payload=\(payloadType)"
                )
            ])
        let path = self.path
        try format.probe(pad: "src") { buffer in
            path.say(bufferTime: buffer.time).map { .replace($0) } ?? .pass
        }
        // The encoder never stops, so that its times have no gap; what it makes of the silence meanwhile stays here,
        // before packets are numbered.
        try encoder.probe(pad: "src") { _ in path.isSending ? .pass : .drop }
        let branch = [clock, format, queue, encoder, payloader, packets]
        for element in branch { try add(element) }
        try link(branch)
        guard gst_element_link_pads(packets.pointer, "src", webrtc.pointer, "sink_0") != 0 else {
            throw MediaFailure(.engine, "webrtcbin takes no audio")
        }
        for element in branch.reversed() { gst_element_sync_state_with_parent(element.pointer) }
    }

    /// Adds a receiving branch for a pad of webrtcbin; called from a GStreamer thread.
    func receive(from pad: UnsafeMutablePointer<GstPad>) throws(MediaFailure) {
        guard gst_pad_get_direction(pad) == GST_PAD_SRC else { return }
        guard Self.isOpus(pad) else { return try discard(pad) }
        let packets = try Element("rtpopusdepay")
        let decoder = try Element("opusdec", [("plc", "true")])
        let converter = try Element("audioconvert")
        let resampler = try Element("audioresample")
        let format = try Element("capsfilter", [("caps", Self.sound)])
        let end = try Element("fakesink", [("sync", "false"), ("async", "false")])
        let path = self.path
        let notice = self.notice
        try packets.probe(pad: "sink") { buffer in
            if let head = buffer.packetHead { path.arrive(timestamp: head.timestamp, source: head.source) }
            return .pass
        }
        try end.probe(pad: "sink") { buffer in
            if let step = path.hear(buffer.samples) { notice(step) }
            return .pass
        }
        let branch = [packets, decoder, converter, resampler, format, end]
        for element in branch { try add(element) }
        try link(branch)
        for element in branch.reversed() { gst_element_sync_state_with_parent(element.pointer) }
        try join(pad, to: packets)
    }

    /// Gives what cannot be decoded to nobody: an unlinked pad would stop the transport.
    private func discard(_ pad: UnsafeMutablePointer<GstPad>) throws(MediaFailure) {
        let end = try Element("fakesink", [("sync", "false"), ("async", "false")])
        try add(end)
        gst_element_sync_state_with_parent(end.pointer)
        try join(pad, to: end)
    }

    private func join(_ pad: UnsafeMutablePointer<GstPad>, to element: Element) throws(MediaFailure) {
        guard let sink = gst_element_get_static_pad(element.pointer, "sink") else { return }
        defer { gst_object_unref(sink) }
        guard gst_pad_link(pad, sink) == GST_PAD_LINK_OK else {
            throw MediaFailure(.engine, "the received audio cannot be decoded")
        }
    }

    private static func isOpus(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
        guard let caps = gst_pad_get_current_caps(pad) ?? gst_pad_query_caps(pad, nil) else { return false }
        defer { gst_caps_unref(caps) }
        guard gst_caps_get_size(caps) > 0, let structure = gst_caps_get_structure(caps, 0),
            let media = gst_structure_get_string(structure, "media"),
            let encoding = gst_structure_get_string(structure, "encoding-name")
        else { return false }
        return String(cString: media) == "audio" && String(cString: encoding).uppercased() == "OPUS"
    }
}
